import type { PrdComparison } from '../prd/types.ts';
import type { LogReading, PrdReading } from './facts.ts';
import type { PrdPorts } from './try.ts';

export interface GuardedState {
  readonly claims: PrdComparison;
  readonly log: LogReading;
  readonly remarks: readonly string[];
}

/**
 * What the agent made of the state files: its claims, and whatever it may not change put right. The agent's versions are
 * kept in the run folder; the files themselves are written when the iteration is settled.
 */
export async function guardState(
  ports: PrdPorts,
  given: { iteration: number; story: string; reading: PrdReading; log: LogReading },
): Promise<GuardedState> {
  const remarks: string[] = [];
  const claims = await ports.prd.compare(given.reading);
  if (claims.tampering !== undefined) {
    const restored = { file: ports.prd.path, name: 'prd.json', data: await ports.prd.raw(), reason: claims.tampering };
    const where = await report(ports, given, restored);
    remarks.push(`${where} Only \`passes\` and \`notes\` of stories may be changed there.`);
  }
  const { reading: log, restored } = await ports.log.guard(given.log);
  if (restored !== undefined) {
    const reason = 'earlier entries were missing or changed';
    const where = await report(ports, given, { file: ports.log.path, name: 'progress.txt', data: restored, reason });
    remarks.push(`${where} Only append to it; the patterns on top may be rewritten.`);
  }
  for (const id of claims.withdrawn) {
    const reason = 'the agent opened it again';
    ports.folder.emit({ type: 'claim.withdrawn', by: 'agent', reason }, { iteration: given.iteration, story: id });
  }
  return { claims, log, remarks };
}

/** Keeps the agent's version, if there is one, and says in one sentence what was put back and where that version is. */
async function report(
  { folder }: PrdPorts,
  { iteration, story }: { iteration: number; story: string },
  { file, name, data, reason }: { file: string; name: string; data: string | Uint8Array | undefined; reason: string },
): Promise<string> {
  const kept = data === undefined ? null : await folder.keep(iteration, name, data);
  folder.emit({ type: 'state.restored', file, kept, reason }, { iteration, story });
  const where = kept === null ? '' : ` (the agent's version is kept in ${kept})`;
  return `${file} was put back: ${reason}${where}.`;
}
