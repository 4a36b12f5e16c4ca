import type { PrdComparison } from '../prd/types.ts';
import type { LogReading, PrdReading } from './ports.ts';
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
  const { iteration, story } = given;
  const remarks: string[] = [];
  const restore = async (
    file: string,
    name: string,
    data: string | Uint8Array | undefined,
    reason: string,
  ): Promise<void> => {
    const kept = data === undefined ? null : await ports.folder.keep(iteration, name, data);
    ports.folder.emit({ type: 'state.restored', file, kept, reason }, { iteration, story });
    const where = kept === null ? '' : ` (the agent's version is kept in ${kept})`;
    remarks.push(
      `${file} was put back: ${reason}${where}. Only \`passes\` and \`notes\` of stories may be changed there.`,
    );
  };
  const claims = await ports.prd.compare(given.reading);
  if (claims.tampering !== undefined)
    await restore(ports.prd.path, 'prd.json', await ports.prd.raw(), claims.tampering);
  const { reading: log, restored } = await ports.log.guard(given.log);
  if (restored !== undefined) {
    const kept = await ports.folder.keep(iteration, 'progress.txt', restored);
    const reason = 'earlier entries were missing or changed';
    ports.folder.emit({ type: 'state.restored', file: ports.log.path, kept, reason }, { iteration, story });
    remarks.push(`${ports.log.path} was put back: ${reason}. Only append to it; the patterns on top may be rewritten.`);
  }
  for (const id of claims.withdrawn) {
    const reason = 'the agent opened it again';
    ports.folder.emit({ type: 'claim.withdrawn', by: 'agent', reason }, { iteration, story: id });
  }
  return { claims, log, remarks };
}
