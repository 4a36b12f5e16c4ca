import { join } from 'node:path';
import { openDesk } from '../compose.ts';
import type { Parts } from '../compose.ts';
import { systemClock } from '../clock.ts';
import { compareTurn } from '../git/compare-turn.ts';
import { displayPath } from '../git/byte-path.ts';
import type { Turn } from '../git/desk.ts';
import { forgetKept } from '../git/kept-work.ts';
import { removeDeadLocks, removeNewLocks } from '../git/lock-files.ts';
import { rollBackTurn } from '../git/roll-back.ts';
import { isSnapshotData, releaseDeadSnapshot } from '../git/snapshot.ts';
import { findStatePaths } from '../git/state-paths.ts';
import { diffTrees } from '../git/tree-diff.ts';
import { finishIndex } from '../git/user-index.ts';
import { removeDrafts } from '../json/write-file.ts';
import type { LogReading, PrdReading } from '../loop/ports.ts';
import { createPrdFile } from '../prd/store.ts';
import { createProgressLog } from '../progress/progress-log.ts';
import { encodeLog } from '../progress/log-bytes.ts';
import type { ChildRecord } from '../run-folder/child-record.ts';
import { startOf } from '../run-folder/run-id.ts';
import { moveAsideForeign, putLinkBack, readShape, shapeOf } from '../run-folder/state-shape.ts';
import { isIndexed, markWriting, readTurn, removeTurn } from '../run-folder/turn-file.ts';
import { tidyStateFolder } from '../run-folder/tidy.ts';
import type { StateBytes, TurnFile } from '../run-folder/turn-file.ts';
import { besideOf } from '../project/beside.ts';
import { findTurnEnd } from './turn-end.ts';
import type { TurnEnd } from './turn-end.ts';
import { readTurnLog, readTurnPrd } from './turn-state.ts';

/**
 * Puts in order what a killed run left: its processes, its iteration under way, the state files. Says so in an event.
 * Returns whether an iteration was under way: then files, branch and state files may be others than before. It is itself safe
 * to kill: what it does, it does again.
 */
export async function recoverRun(parts: Parts, children: ChildRecord): Promise<boolean> {
  const { gitDir } = parts.repository;
  const turn = readTurn(gitDir);
  const clear = (runs: readonly string[]): void => clearLocks(parts, runs);
  for (const { pid, command } of await children.stopLeftovers(turn?.run, clear))
    parts.folder.emit({ type: 'process.killed', pid, command });
  tidyStateFolder(gitDir, systemClock.now());
  for (const file of [parts.prd, parts.log])
    if (file !== undefined) await removeDrafts(join(parts.repository.root, file.path));
  if (turn === undefined) {
    // It may have been killed while it took a snapshot.
    await releaseDeadSnapshot(parts.repository);
    return false;
  }
  await settleTurn(parts, turn);
  return true;
}

/** What a git has left that was killed with a run, also outside of a turn: every later git would stop at these locks. */
function clearLocks({ repository, folder }: Parts, dead: readonly string[]): void {
  const starts = dead.flatMap((id) => startOf(id) ?? []);
  if (starts.length === 0) return;
  for (const text of removeDeadLocks(repository, Math.min(...starts)))
    folder.emit({ type: 'warning.raised', text, place: null });
}

/** Ends a turn that nobody can end any more as its own run would have: it finishes what was accepted and undoes the rest. */
export async function settleTurn(given: Parts, turn: TurnFile): Promise<void> {
  const { repository, folder } = given;
  const { snapshot } = turn;
  if (isSnapshotData(snapshot)) {
    const open: Turn = { snapshot, kept: undefined, left: undefined };
    const end = await findTurnEnd(repository, turn);
    if (end.kind === 'undone') restoreShapes(given, turn);
    const parts = await partsOf(given, turn);
    if (end.kind === 'accepted') await finishAccepted(parts, open, end);
    else if (end.kind === 'settled') await finishSettled(parts, open, end);
    else if (end.kind === 'undone') await undo(parts, turn, open, end);
    else folder.emit({ type: 'run.recovered', fromRun: turn.run, files: [], ref: null });
  }
  removeTurn(repository.gitDir);
  await releaseDeadSnapshot(repository);
}

/** What an agent put in the place of a state file goes before anybody looks into it. */
function restoreShapes({ repository, folder }: Parts, { prd, progress, links }: TurnFile): void {
  const aside = join(folder.folderOf(0), 'left');
  for (const [name, target] of [
    [prd, links?.prd],
    [progress, links?.progress],
  ] as const) {
    if (name === null) continue;
    const file = join(repository.root, name);
    const before = target === undefined ? readShape(file) : shapeOf(target);
    moveAsideForeign(file, before, aside);
    putLinkBack(file, before);
  }
}

/** The parts with the state files that the turn was about, whatever this run is about. */
async function partsOf(parts: Parts, turn: TurnFile): Promise<Parts> {
  const { root } = parts.repository;
  if (turn.prd === null || turn.progress === null)
    return { ...parts, prd: undefined, log: undefined, state: undefined };
  return {
    ...parts,
    prd: createPrdFile({ root, path: turn.prd }),
    log: createProgressLog({ root, path: turn.progress }),
    state: await findStatePaths(parts.repository, turn.prd, turn.progress, besideOf(turn.prd).archive),
  };
}

/** The commit was made: only the index, and what is known of kept work, may still be behind. */
async function finishAccepted(parts: Parts, turn: Turn, end: TurnEnd & { kind: 'accepted' }): Promise<void> {
  const { repository } = parts;
  const { snapshot } = turn;
  removeNewLocks(repository, snapshot.locks);
  const desk = await openDesk(parts, parts.folder.run);
  // What the user has staged since the kill stays staged.
  if (!isIndexed(repository.gitDir)) {
    const committed = await diffTrees(repository.git, snapshot.head, end.commit);
    await finishIndex(desk, turn, { committed, index: end.index });
  }
  await forgetKept(repository);
  await finishState(parts, end);
}

/** Its work is dealt with and its verdict stands: an attempt counts once. What changed in the tree since is the user's. */
async function finishSettled(parts: Parts, { snapshot }: Turn, end: TurnEnd): Promise<void> {
  removeNewLocks(parts.repository, snapshot.locks);
  await finishState(parts, end);
}

async function finishState(parts: Parts, end: TurnEnd): Promise<void> {
  const { prd, log } = parts;
  const state = await readState(parts, end);
  if (prd !== undefined && state.prd !== undefined) await prd.write(state.prd);
  if (log !== undefined && state.log !== undefined) await log.write(state.log.text);
}

/** Where an iteration can't be undone: at least no tick of it stands. Never throws. */
export async function takeTicksBack(parts: Parts): Promise<void> {
  try {
    if (readTurn(parts.repository.gitDir)?.phase !== 'working') return;
    const { prd } = await readState(parts, { kind: 'undone' });
    if (prd !== undefined) await parts.prd?.write(prd);
  } catch {
    // What hinders this, hindered the settling, too, and is on record.
  }
}

/** Keeps the interrupted work, and what changed since, under a rescue ref of that run, and goes back to its snapshot. */
async function undo(parts: Parts, turn: TurnFile, open: Turn, end: TurnEnd): Promise<void> {
  const { folder } = parts;
  const desk = await openDesk(parts, turn.run);
  const outcome = await compareTurn(desk, open);
  if (open.left === undefined) return;
  const files = [...open.left.work.keys()].map(displayPath);
  const state = await readState(parts, end);
  const ref = await rollBackTurn(desk, open, open.left);
  await writeState(parts, state, { iteration: open.snapshot.iteration, ref });
  folder.emit({ type: 'run.recovered', fromRun: turn.run, files, ref: ref ?? null });
  for (const text of outcome.remarks) folder.emit({ type: 'warning.raised', text, place: null });
}

interface State {
  readonly prd: PrdReading | undefined;
  readonly log: LogReading | undefined;
}

/** What the state files are to be. What may not have been changed is kept in the run folder, and said. */
async function readState({ repository, prd, log, folder }: Parts, end: TurnEnd): Promise<State> {
  const { gitDir } = repository;
  const found = prd === undefined ? undefined : await readTurnPrd(prd, gitDir, end);
  if (prd !== undefined && found?.tampering !== undefined) {
    // A folder in the place of the file has no bytes to keep.
    const raw = await prd.raw().catch(() => undefined);
    const kept = raw === undefined ? null : await folder.keep(0, 'prd.json', raw);
    folder.emit({ type: 'state.restored', file: prd.path, kept, reason: found.tampering });
  }
  for (const story of found?.withdrawn ?? [])
    folder.emit({ type: 'claim.withdrawn', by: 'agent', reason: 'it was opened again' }, { story });
  return { prd: found?.reading, log: log === undefined ? undefined : await readTurnLog(log, gitDir, end) };
}

/** The log says of the iteration what came of it. Written down first, so that a recovery that is killed says it once. */
async function writeState(
  { prd, log, repository }: Parts,
  state: State,
  { iteration, ref }: { iteration: number; ref: string | undefined },
): Promise<void> {
  const lines = [
    'verdict of ralph: interrupted',
    'the run was ended before this iteration was settled: nothing of it was accepted',
    ...(ref === undefined ? [] : [`the work is kept under ${ref}: git diff ${ref}^1 ${ref}`]),
  ];
  const text =
    log === undefined || state.log === undefined || iteration === 0
      ? state.log?.text
      : log.withEntry(state.log, { at: systemClock.now(), iteration, stories: [], lines });
  const bytesOf = (progress: string | undefined): StateBytes => ({
    prd: state.prd === undefined ? undefined : Buffer.from(state.prd.text),
    progress: progress === undefined ? undefined : encodeLog(progress),
  });
  markWriting(repository.gitDir, { phase: 'working', without: bytesOf(state.log?.text), written: bytesOf(text) });
  if (prd !== undefined && state.prd !== undefined) await prd.write(state.prd);
  if (log !== undefined && text !== undefined) await log.write(text);
}
