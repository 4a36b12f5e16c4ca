import { openDesk } from '../compose.ts';
import type { Parts } from '../compose.ts';
import { compareTurn } from '../git/compare-turn.ts';
import { displayPath } from '../git/byte-path.ts';
import type { Turn } from '../git/desk.ts';
import { isAncestor } from '../git/own-commits.ts';
import { readRefs } from '../git/refs.ts';
import { rollBackTurn } from '../git/roll-back.ts';
import { isSnapshotData, releaseSnapshot } from '../git/snapshot.ts';
import { diffTrees } from '../git/tree-diff.ts';
import { restoreIndex } from '../git/user-index.ts';
import { parsePrd } from '../prd/parse-prd.ts';
import { readLog } from '../progress/log-text.ts';
import { decodeLog } from '../progress/log-bytes.ts';
import { stopLeftovers } from '../run-folder/child-record.ts';
import { readTurn, readTurnState, removeTurn } from '../run-folder/turn-file.ts';
import type { TurnFile } from '../run-folder/turn-file.ts';

/**
 * Puts in order what a killed run left: its processes, its iteration under way, the state files. Says so in an event.
 * It is itself safe to kill: what it does, it does again.
 */
export async function recoverRun(parts: Parts): Promise<void> {
  const { repository, folder } = parts;
  const turn = readTurn(repository.gitDir);
  if (turn === undefined) return;
  for (const { pid, command } of await stopLeftovers(repository.gitDir, turn.run))
    folder.emit({ type: 'process.killed', pid, command });
  const { snapshot } = turn;
  if (isSnapshotData(snapshot)) {
    const open: Turn = { snapshot, kept: undefined, left: undefined };
    const isAccepted = turn.phase === 'committing' && (await isOnBranch(parts, turn.commit, snapshot.branch));
    if (isAccepted) await finishAccepted(parts, open, turn.commit);
    else if (turn.repairs) await undo(parts, turn, open);
    else folder.emit({ type: 'run.recovered', fromRun: turn.run, files: [], ref: null });
  }
  removeTurn(repository.gitDir);
  await releaseSnapshot(repository);
}

async function isOnBranch({ repository }: Parts, commit: string, branch: string): Promise<boolean> {
  const tip = (await readRefs(repository.git)).refs[`refs/heads/${branch}`];
  return tip !== undefined && isAncestor(repository.git, commit, tip);
}

/** The commit was made: only the index may still be behind. */
async function finishAccepted(parts: Parts, { snapshot }: Turn, commit: string): Promise<void> {
  const desk = await openDesk(parts, parts.folder.run);
  await restoreIndex(parts.repository, desk.blobs, await diffTrees(parts.repository.git, snapshot.head, commit));
}

/** Keeps the interrupted work, and what changed since, under a rescue ref of that run, and goes back to its snapshot. */
async function undo(parts: Parts, turn: TurnFile, open: Turn): Promise<void> {
  const { folder } = parts;
  const desk = await openDesk(parts, turn.run);
  const outcome = await compareTurn(desk, open);
  if (open.left === undefined) return;
  const files = [...open.left.work.keys()].map(displayPath);
  const restore = await readState(parts);
  const ref = await rollBackTurn(desk, open, open.left);
  await restore();
  folder.emit({ type: 'run.recovered', fromRun: turn.run, files, ref: ref ?? null });
  for (const text of outcome.remarks) folder.emit({ type: 'warning.raised', text, place: null });
}

/** What the state files are to be: ticks of a killed iteration are not believed, its log entries are kept. */
async function readState({ repository, prd, log, folder }: Parts): Promise<() => Promise<void>> {
  const prdBytes = readTurnState(repository.gitDir, 'prd');
  const logBytes = readTurnState(repository.gitDir, 'progress');
  const steps: (() => Promise<void>)[] = [];
  if (prd !== undefined && prdBytes !== undefined) {
    const before = parsePrd(prdBytes.toString('utf8'), prd.path);
    const claims = await prd.compare(before);
    const raw = await prd.raw();
    if (claims.tampering !== undefined && raw !== undefined) {
      const kept = await folder.keep(0, 'prd.json', raw);
      folder.emit({ type: 'state.restored', file: prd.path, kept, reason: claims.tampering });
    }
    const notes = [...claims.notes].map(([id, text]) => ({ id, notes: text }));
    steps.push(() => prd.write(prd.edit(before, notes)));
  }
  if (log !== undefined && logBytes !== undefined) {
    const { reading } = await log.guard(readLog(decodeLog(logBytes)));
    steps.push(() => log.write(reading.text));
  }
  return async () => {
    for (const step of steps) await step();
  };
}
