import type { Desk } from './desk.ts';
import { findStart, isAncestor, writeEmptyTree } from './own-commits.ts';
import type { RefState } from './refs.ts';
import type { SnapshotData } from './snapshot.ts';

/** Where an agent's commits lead. */
export interface Line {
  /** Tip from which the branch goes on. */
  readonly head: string;
  /** Commit (or tree) that the agent's tree stands on, if it isn't `head`. */
  readonly start: string | undefined;
  /** Commits that only a rescue ref can hold. */
  readonly tips: readonly string[];
  readonly remarks: readonly string[];
}

/** Which commits of the agent go on from the snapshot's HEAD, and which line is only to be kept. */
export async function followLine({ repository: { git } }: Desk, snapshot: SnapshotData, now: RefState): Promise<Line> {
  const { branch, head } = snapshot;
  const name = `refs/heads/${branch}`;
  const isOnBranch = now.branch === branch;
  const tip = isOnBranch ? now.head : (now.refs[name] ?? now.elsewhere[name]);
  const goesOn = tip !== undefined && (await isAncestor(git, head, tip));
  const lost = [goesOn ? undefined : tip, isOnBranch || now.head === head ? undefined : now.head];
  const line = { head: goesOn ? tip : head, tips: lost.filter((id) => id !== undefined) };
  if (!isOnBranch) {
    const where = now.branch === undefined ? 'a detached HEAD' : `the branch ${now.branch}`;
    const remark = `The tree had been left on ${where}; it is on ${branch} again, and only what was not committed there came along.`;
    return { ...line, start: now.head ?? (await writeEmptyTree(git)), remarks: [remark] };
  }
  if (goesOn) return { ...line, start: undefined, remarks: [] };
  // A branch whose ref is gone altogether: the tree still stands on its commit.
  const start = now.head === undefined ? head : await findStart(git, now.head, snapshot.refs);
  const remark = `HEAD had been moved off ${head.slice(0, 12)} (a reset, amend or rebase); ${branch} is back at it.`;
  return { ...line, start, remarks: [remark] };
}
