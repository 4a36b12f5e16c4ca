import type { LogReading, PrdFile, PrdReading } from '../loop/ports.ts';
import { parsePrd } from '../prd/parse-prd.ts';
import type { PrdComparison } from '../prd/types.ts';
import { decodeLog } from '../progress/log-bytes.ts';
import { readLog } from '../progress/log-text.ts';
import type { ProgressFile } from '../progress/progress-log.ts';
import { readTurnState } from '../run-folder/turn-file.ts';
import type { TurnStateName } from '../run-folder/turn-file.ts';
import type { TurnEnd } from './turn-end.ts';

/** What prd.json is to be once the turn of a killed run is ended. */
export interface TurnPrd {
  readonly reading: PrdReading;
  /** What somebody else than ralph changed in it that may not be changed. */
  readonly tampering: string | undefined;
  /** Stories that had passed and were opened. */
  readonly withdrawn: readonly string[];
}

/** Reads it; writes nothing. Undefined where the turn kept nothing of it. */
export async function readTurnPrd(prd: PrdFile, gitDir: string, end: TurnEnd): Promise<TurnPrd | undefined> {
  const kept = (name: TurnStateName): PrdReading | undefined => {
    const bytes = readTurnState(gitDir, name);
    return bytes === undefined ? undefined : parsePrd(bytes.toString('utf8'), prd.path);
  };
  const accepted = kept('accepted-prd');
  if (end.kind === 'accepted')
    return accepted === undefined ? undefined : { ...nothingFound, reading: await withTicks(prd, accepted) };
  const [before, written] = [kept('prd'), kept('written-prd')];
  if (before === undefined) return undefined;
  return end.kind === 'settled' && written !== undefined
    ? withVerdict(prd, before, written)
    : withNotes(prd, before, written);
}

const nothingFound = { tampering: undefined, withdrawn: [] };

/** An error after the commit may have taken its ticks back; what the user edited since stays. */
async function withTicks(prd: PrdFile, accepted: PrdReading): Promise<PrdReading> {
  const now = await prd.read().catch(() => accepted);
  const isOpen = new Set(now.prd.stories.filter(({ passes }) => !passes).map(({ id }) => id));
  const missing = accepted.prd.stories.filter(({ id, passes }) => passes && isOpen.has(id));
  const without = (reading: PrdReading): string =>
    prd.edit(
      reading,
      missing.map(({ id }) => ({ id, passes: false, ralph: null })),
    ).text;
  const ticked = missing.map(({ id, attempts }) => ({ id, passes: true, ralph: { attempts } }));
  return without(now) === without(accepted) ? accepted : prd.edit(now, ticked);
}

/** The verdict stands. What was edited in the file that ralph wrote stays; one that it had not written yet is the agent's. */
async function withVerdict(prd: PrdFile, before: PrdReading, written: PrdReading): Promise<TurnPrd> {
  const [claims, own] = [await prd.compare(before), await prd.compare(written)];
  const isAgents = own.tampering !== undefined || (own.ticked.length > 0 && claims.tampering === undefined);
  if (!isAgents) return { ...nothingFound, reading: await prd.read().catch(() => written) };
  return { ...nothingFound, tampering: claims.tampering, reading: written };
}

/** Ticks of a killed iteration are not believed; its notes stay, and so does what it opened. */
async function withNotes(prd: PrdFile, before: PrdReading, written: PrdReading | undefined): Promise<TurnPrd> {
  const { notes, withdrawn, tampering } = await compareWithOwn(prd, before, written);
  const reading = prd.edit(before, [
    ...[...notes].map(([id, text]) => ({ id, notes: text })),
    ...withdrawn.map((id) => ({ id, passes: false, ralph: null })),
  ]);
  return { reading, tampering, withdrawn };
}

/**
 * What is in the file may be the agent's, or what ralph wrote before a hook or the end of the iteration: that is nobody's
 * tampering. A tick in the latter is ralph's, and so is what it differs in from the text before it.
 */
async function compareWithOwn(
  prd: PrdFile,
  before: PrdReading,
  written: PrdReading | undefined,
): Promise<Pick<PrdComparison, 'notes' | 'withdrawn' | 'tampering'>> {
  const claims = await prd.compare(before);
  if (claims.tampering === undefined || written === undefined) return claims;
  const own = await prd.compare(written);
  if (own.tampering !== undefined) return claims;
  // Opened again is only what had passed before, too.
  const passed = new Set(before.prd.stories.filter(({ passes }) => passes).map(({ id }) => id));
  return { ...own, withdrawn: own.withdrawn.filter((id) => passed.has(id)) };
}

const logNames = {
  accepted: 'accepted-progress',
  settled: 'written-progress',
  undone: 'progress',
  left: 'progress',
} as const satisfies Record<TurnEnd['kind'], TurnStateName>;

/** What the log is to be. That of an undone turn is without ralph's own word on it: a verdict that the kill has made untrue. */
export async function readTurnLog(log: ProgressFile, gitDir: string, end: TurnEnd): Promise<LogReading | undefined> {
  const bytes = readTurnState(gitDir, logNames[end.kind]);
  if (bytes === undefined) return undefined;
  const kept = readLog(decodeLog(bytes));
  const written = readTurnState(gitDir, 'written-progress');
  // A folder in the place of the file has no bytes.
  const raw = await log.raw().catch(() => undefined);
  if (end.kind === 'undone' && raw !== undefined && written?.equals(raw) === true) return kept;
  return (await log.guard(kept)).reading;
}
