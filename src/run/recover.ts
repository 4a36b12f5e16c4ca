import { join } from 'node:path';
import { openDesk } from '../compose.ts';
import type { Parts } from '../compose.ts';
import { systemClock } from '../clock.ts';
import { compareTurn } from '../git/compare-turn.ts';
import { displayPath } from '../git/byte-path.ts';
import type { Turn } from '../git/desk.ts';
import { forgetKept } from '../git/kept-work.ts';
import { removeNewLocks } from '../git/lock-files.ts';
import { isAncestor } from '../git/own-commits.ts';
import { readRefs } from '../git/refs.ts';
import { rollBackTurn } from '../git/roll-back.ts';
import { isSnapshotData, releaseDeadSnapshot } from '../git/snapshot.ts';
import { findStatePaths } from '../git/state-paths.ts';
import { diffTrees } from '../git/tree-diff.ts';
import { restoreIndex } from '../git/user-index.ts';
import { removeDrafts } from '../json/write-file.ts';
import type { LogReading, PrdReading } from '../loop/ports.ts';
import { parsePrd } from '../prd/parse-prd.ts';
import { createPrdFile } from '../prd/store.ts';
import { createProgressLog } from '../progress/progress-log.ts';
import { readLog } from '../progress/log-text.ts';
import { decodeLog } from '../progress/log-bytes.ts';
import type { ChildRecord } from '../run-folder/child-record.ts';
import { moveAsideForeign, readShape } from '../run-folder/state-shape.ts';
import { readTurn, readTurnState, removeTurn } from '../run-folder/turn-file.ts';
import { tidyStateFolder } from '../run-folder/tidy.ts';
import type { TurnFile } from '../run-folder/turn-file.ts';
import { besideOf } from '../project/beside.ts';

/**
 * Puts in order what a killed run left: its processes, its iteration under way, the state files. Says so in an event.
 * Returns whether an iteration was under way: then files, branch and state files may be others than before. It is itself safe
 * to kill: what it does, it does again.
 */
export async function recoverRun(parts: Parts, children: ChildRecord): Promise<boolean> {
  const { gitDir } = parts.repository;
  const turn = readTurn(gitDir);
  for (const { pid, command } of await children.stopLeftovers(turn?.run))
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

/** Ends a turn that nobody can end any more as its own run would have: it finishes what was accepted and undoes the rest. */
export async function settleTurn(given: Parts, turn: TurnFile): Promise<void> {
  const { repository, folder } = given;
  const { snapshot } = turn;
  if (isSnapshotData(snapshot)) {
    const parts = await partsOf(given, turn);
    const open: Turn = { snapshot, kept: undefined, left: undefined };
    const isAccepted = turn.phase === 'committing' && (await isOnBranch(parts, turn.commit, snapshot.branch));
    if (isAccepted) await finishAccepted(parts, open, turn.commit);
    else if (turn.repairs) await undo(parts, turn, open);
    else folder.emit({ type: 'run.recovered', fromRun: turn.run, files: [], ref: null });
  }
  removeTurn(repository.gitDir);
  await releaseDeadSnapshot(repository);
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

async function isOnBranch({ repository }: Parts, commit: string, branch: string): Promise<boolean> {
  const tip = (await readRefs(repository.git)).refs[`refs/heads/${branch}`];
  return tip !== undefined && isAncestor(repository.git, commit, tip);
}

/** The commit was made: only the index, and what is known of kept work, may still be behind. */
async function finishAccepted(parts: Parts, turn: Turn, commit: string): Promise<void> {
  const { repository } = parts;
  const { snapshot } = turn;
  removeNewLocks(repository, snapshot.locks);
  const desk = await openDesk(parts, parts.folder.run);
  await restoreIndex(desk, turn, await diffTrees(repository.git, snapshot.head, commit));
  await forgetKept(repository);
  await acceptState(parts);
}

/** An error after the commit may have taken its ticks back; what the user edited since stays. */
async function acceptState({ repository, prd, log }: Parts): Promise<void> {
  const prdBytes = readTurnState(repository.gitDir, 'accepted-prd');
  const logBytes = readTurnState(repository.gitDir, 'accepted-progress');
  if (prd !== undefined && prdBytes !== undefined) {
    const accepted = parsePrd(prdBytes.toString('utf8'), prd.path);
    const now = await prd.read().catch(() => accepted);
    const isOpen = new Set(now.prd.stories.filter(({ passes }) => !passes).map(({ id }) => id));
    const missing = accepted.prd.stories.filter(({ id, passes }) => passes && isOpen.has(id));
    const without = (reading: PrdReading): string =>
      prd.edit(
        reading,
        missing.map(({ id }) => ({ id, passes: false, ralph: null })),
      ).text;
    const ticked = missing.map(({ id, attempts }) => ({ id, passes: true, ralph: { attempts } }));
    await prd.write(without(now) === without(accepted) ? accepted : prd.edit(now, ticked));
  }
  if (log !== undefined && logBytes !== undefined)
    await log.write((await log.guard(readLog(decodeLog(logBytes)))).reading.text);
}

/** Where an iteration can't be undone: at least no tick of it stands. Never throws. */
export async function takeTicksBack(parts: Parts): Promise<void> {
  try {
    if (readTurn(parts.repository.gitDir)?.phase !== 'working') return;
    const { prd } = await readState(parts);
    if (prd !== undefined) await parts.prd?.write(prd);
  } catch {
    // What hinders this, hindered the settling, too, and is on record.
  }
}

/** Keeps the interrupted work, and what changed since, under a rescue ref of that run, and goes back to its snapshot. */
async function undo(parts: Parts, turn: TurnFile, open: Turn): Promise<void> {
  const { folder, repository } = parts;
  const desk = await openDesk(parts, turn.run);
  for (const state of [parts.prd, parts.log]) {
    const file = join(repository.root, state?.path ?? '');
    if (state !== undefined) moveAsideForeign(file, readShape(file), join(folder.folderOf(0), 'left'));
  }
  const outcome = await compareTurn(desk, open);
  if (open.left === undefined) return;
  const files = [...open.left.work.keys()].map(displayPath);
  const state = await readState(parts);
  const ref = await rollBackTurn(desk, open, open.left);
  await writeState(parts, state, { iteration: open.snapshot.iteration, ref });
  folder.emit({ type: 'run.recovered', fromRun: turn.run, files, ref: ref ?? null });
  for (const text of outcome.remarks) folder.emit({ type: 'warning.raised', text, place: null });
}

interface State {
  readonly prd: PrdReading | undefined;
  readonly log: LogReading | undefined;
}

/** What the state files are to be: ticks of a killed iteration are not believed, its notes and log entries are kept. */
async function readState({ repository, prd, log, folder }: Parts): Promise<State> {
  const prdBytes = readTurnState(repository.gitDir, 'prd');
  const logBytes = readTurnState(repository.gitDir, 'progress');
  let reading: PrdReading | undefined;
  if (prd !== undefined && prdBytes !== undefined) {
    const before = parsePrd(prdBytes.toString('utf8'), prd.path);
    const claims = await prd.compare(before);
    // A folder in the place of the file has no bytes to keep.
    const raw = await prd.raw().catch(() => undefined);
    if (claims.tampering !== undefined) {
      const kept = raw === undefined ? null : await folder.keep(0, 'prd.json', raw);
      folder.emit({ type: 'state.restored', file: prd.path, kept, reason: claims.tampering });
    }
    reading = prd.edit(
      before,
      [...claims.notes].map(([id, text]) => ({ id, notes: text })),
    );
  }
  const guarded =
    log === undefined || logBytes === undefined ? undefined : await log.guard(readLog(decodeLog(logBytes)));
  return { prd: reading, log: guarded?.reading };
}

/** The log says of the iteration what came of it: a verdict may stand there already that the kill has made untrue. */
async function writeState(
  { prd, log }: Parts,
  state: State,
  { iteration, ref }: { iteration: number; ref: string | undefined },
): Promise<void> {
  if (prd !== undefined && state.prd !== undefined) await prd.write(state.prd);
  if (log === undefined || state.log === undefined) return;
  if (iteration === 0) return log.write(state.log.text);
  const lines = [
    'verdict of ralph: interrupted',
    'the run was ended before this iteration was settled: nothing of it was accepted',
    ...(ref === undefined ? [] : [`the work is kept under ${ref}: git diff ${ref}^1 ${ref}`]),
  ];
  await log.append(state.log, { at: systemClock.now(), iteration, stories: [], lines });
}
