import { displayPath } from './byte-path.ts';
import type { BytePath } from './byte-path.ts';
import { isState, withoutState } from './desk.ts';
import type { Desk, Left, StatePaths, Turn } from './desk.ts';
import { editTree } from './edit-tree.ts';
import { orderTree } from './order-tree.ts';
import { findStart, isAncestor, listAddedPaths, listNewCommits, remakeSweptCommits } from './own-commits.ts';
import { readRefs, repairRefs, repairStash, updateRef } from './refs.ts';
import type { RefState } from './refs.ts';
import { saveRescue } from './rescue.ts';
import { takeTree } from './snapshot.ts';
import type { SnapshotData } from './snapshot.ts';
import { diffTrees, isSameEntry } from './tree-diff.ts';
import type { PathChange, TreeChanges, TreeEntry } from './tree-diff.ts';
import { endOperations, removeNewLocks } from './unfinished-operations.ts';
import { findUnwanted } from './unwanted.ts';
import type { Outcome } from '../loop/ports.ts';

/**
 * Puts branch, refs and the user's own files in order after an agent and tells what it changed. Call it when no process of
 * the agent is left.
 */
export async function compareTurn(desk: Desk, turn: Turn): Promise<Outcome> {
  const { repository } = desk;
  const { snapshot } = turn;
  const remarks = [...removeNewLocks(repository, snapshot.locks)];
  const ended = endOperations(repository);
  const now = await readRefs(repository.git);
  const taken = await takeTree(repository, desk.shadow, snapshot);
  const repaired = await repairRefs(repository.git, snapshot.refs, now, desk.run);
  remarks.push(...ended.remarks, ...repaired.remarks, ...(await repairStash(repository.git, snapshot.stash, now)));
  const line = await followLine(desk, snapshot, now);
  remarks.push(...line.remarks);
  const uncommitted = await diffTrees(repository.git, snapshot.head, turn.kept?.user ?? snapshot.tree);
  const order = await putInOrder(desk, turn, { tree: taken.tree, line, uncommitted });
  remarks.push(...order.remarks);
  const commits = await listNewCommits(repository.git, line.head, snapshot.refs);
  const swept = await remakeSweptCommits(repository, desk.blobs, {
    commits,
    head: line.head,
    uncommitted: sweepable(desk, uncommitted),
  });
  remarks.push(
    ...swept.files.map(
      (path) => `${displayPath(path)} is the user's: the commit that had swept it in was made again without it.`,
    ),
  );
  const isRemade = swept.head !== line.head;
  const tips = [...line.tips, ...ended.tips, ...repaired.tips, ...(isRemade ? [line.head] : [])];
  await moveBranch(desk, snapshot, now, swept.head);
  const ref = tips.length > 0 || order.mustKeep ? await rescue(desk, turn, taken.tree, tips) : undefined;
  const left = await measure(desk, turn, {
    original: taken.tree,
    tree: order.tree,
    head: swept.head,
    commits: isRemade ? await listNewCommits(repository.git, swept.head, snapshot.refs) : commits,
    tips,
    dependencies: taken.dependencies,
    uncommitted,
    ref,
  });
  turn.left = left;
  return outcomeOf(desk, turn, left, remarks);
}

/** Without the repairs: in prompt mode the tree is the agent's to arrange. */
export async function lookAtTurn(desk: Desk, turn: Turn): Promise<Outcome> {
  const { git } = desk.repository;
  const now = await readRefs(git);
  const taken = await takeTree(desk.repository, desk.shadow, turn.snapshot);
  const commits = await listNewCommits(git, now.head, turn.snapshot.refs);
  const tips = now.head === turn.snapshot.head ? [] : [now.head];
  turn.left = await measure(desk, turn, {
    original: taken.tree,
    tree: taken.tree,
    head: turn.snapshot.head,
    commits,
    tips,
    dependencies: taken.dependencies,
    uncommitted: new Map(),
    ref: undefined,
  });
  return outcomeOf(desk, turn, { ...turn.left, dependencies: [] }, []);
}

interface Line {
  /** Tip from which the branch goes on. */
  readonly head: string;
  /** Commit that the agent's tree stands on, if it isn't the snapshot's HEAD or a descendant on the branch. */
  readonly start: string | undefined;
  readonly tips: readonly string[];
  readonly remarks: readonly string[];
}

/** Which commits of the agent go on from the snapshot's HEAD, and which line is only to be kept. */
async function followLine({ repository: { git } }: Desk, snapshot: SnapshotData, now: RefState): Promise<Line> {
  const { branch, head } = snapshot;
  const isOnBranch = now.branch === branch;
  const tip = isOnBranch ? now.head : now.refs[`refs/heads/${branch}`];
  const goesOn = tip !== undefined && (await isAncestor(git, head, tip));
  const tips = [...(tip === undefined || goesOn ? [] : [tip]), ...(isOnBranch || now.head === head ? [] : [now.head])];
  const remarks: string[] = [];
  if (!isOnBranch) {
    const where = now.branch === undefined ? 'a detached HEAD' : `the branch ${now.branch}`;
    remarks.push(
      `The tree had been left on ${where}; it is on ${branch} again, and only what was not committed there came along.`,
    );
  } else if (!goesOn)
    remarks.push(`HEAD had been moved off ${head.slice(0, 12)} (a reset, amend or rebase); ${branch} is back at it.`);
  const start = !isOnBranch ? now.head : goesOn ? undefined : await findStart(git, now.head, snapshot.refs);
  return { head: goesOn ? tip : head, start, tips, remarks };
}

interface Order {
  readonly tree: string;
  /** Something that was in the tree before the agent is not there any more. */
  readonly mustKeep: boolean;
  readonly remarks: readonly string[];
}

async function putInOrder(
  desk: Desk,
  turn: Turn,
  left: { tree: string; line: Line; uncommitted: TreeChanges },
): Promise<Order> {
  const { git } = desk.repository;
  const { snapshot } = turn;
  const all = await diffTrees(git, snapshot.tree, left.tree);
  const work = withoutState(desk.state, all);
  await desk.blobs.learn(work.keys());
  const { start } = left.line;
  const ordered = await orderTree(desk.blobs, {
    work,
    uncommitted: left.uncommitted,
    sinceStart: start === undefined ? new Map() : await diffTrees(git, start, left.tree),
    moved: start !== undefined,
  });
  const entries = new Map<BytePath, TreeEntry | undefined>([...ordered.entries, ...restoredArchive(desk.state, all)]);
  const tree = await editTree(desk.repository, left.tree, entries);
  if (tree !== left.tree) await desk.shadow.checkOut(tree);
  const mixed = ordered.mixed.map(
    (path) => `${displayPath(path)}: lines that the user had changed were changed by the agent, too.`,
  );
  const overKept = await changesKept(desk, turn, work);
  return {
    tree,
    mustKeep: ordered.mixed.length > 0 || overKept,
    remarks: [...describeRestored(ordered.entries), ...mixed],
  };
}

/** Did the agent change or remove what earlier iterations had left in the tree? */
async function changesKept(desk: Desk, { kept, snapshot }: Turn, work: TreeChanges): Promise<boolean> {
  if (kept === undefined || work.size === 0) return false;
  const earlier = await diffTrees(desk.repository.git, kept.user, snapshot.tree);
  return [...work.keys()].some((path) => earlier.has(path));
}

/** The archive is ralph's: what an agent removed or changed there comes back. */
function restoredArchive(state: StatePaths | undefined, changes: TreeChanges): Map<BytePath, TreeEntry | undefined> {
  const entries = new Map<BytePath, TreeEntry | undefined>();
  for (const [path, { before }] of changes) {
    const isArchive = isState(state, path) && path !== state?.prd && path !== state?.progress;
    if (isArchive && before !== undefined) entries.set(path, before);
  }
  return entries;
}

function describeRestored(entries: ReadonlyMap<BytePath, TreeEntry | undefined>): string[] {
  const paths = [...entries.keys()].map(displayPath);
  if (paths.length === 0) return [];
  const more = paths.length > 10 ? ` and ${paths.length - 10} more` : '';
  return [
    `Uncommitted or newer work that the agent had thrown away was put back: ${paths.slice(0, 10).join(', ')}${more}.`,
  ];
}

/** What an agent may not have swept into its commits: the user's files, and state files unless git tracks them. */
function sweepable({ state }: Desk, uncommitted: TreeChanges): TreeChanges {
  if (state === undefined) return uncommitted;
  return new Map([...uncommitted].filter(([path]) => !isState(state, path) || state.committed.length === 0));
}

async function moveBranch(desk: Desk, snapshot: SnapshotData, now: RefState, head: string): Promise<void> {
  const { git } = desk.repository;
  const name = `refs/heads/${snapshot.branch}`;
  if (now.refs[name] !== head && !(now.branch === snapshot.branch && now.head === head))
    await updateRef(git, name, head);
  if (now.branch !== snapshot.branch) await git.run(['symbolic-ref', '-m', 'ralph: back to the branch', 'HEAD', name]);
}

async function rescue(desk: Desk, { snapshot }: Turn, tree: string, tips: readonly string[]): Promise<string> {
  return saveRescue(desk.repository.git, {
    run: desk.run,
    iteration: snapshot.iteration,
    tree,
    parents: [snapshot.commit, ...tips],
    message: `What the agent of iteration ${snapshot.iteration} left\n`,
  });
}

async function measure(desk: Desk, turn: Turn, left: Omit<Left, 'work' | 'pending'>): Promise<Left> {
  const { git } = desk.repository;
  const work = withoutState(desk.state, await diffTrees(git, turn.snapshot.tree, left.tree));
  const pending =
    turn.kept === undefined ? work : withoutState(desk.state, await diffTrees(git, turn.kept.user, left.tree));
  return { ...left, work, pending };
}

async function outcomeOf(desk: Desk, turn: Turn, left: Left, remarks: readonly string[]): Promise<Outcome> {
  const { git, root } = desk.repository;
  const committed = await listAddedPaths(git, left.commits);
  const users = new Set(
    [...left.uncommitted.values()].filter(({ before }) => before === undefined).map(({ path }) => path),
  );
  const written = [...left.pending.values()].filter(({ after }) => after !== undefined);
  const isInHead = ({ path, before }: PathChange): boolean =>
    (left.uncommitted.has(path) ? left.uncommitted.get(path)?.before : before) !== undefined;
  const added = written.filter((change) => !isInHead(change)).map(({ path }) => path);
  const own = committed.filter((path) => !users.has(path) && !isState(desk.state, path));
  const violations = findUnwanted(root, {
    added: [...new Set([...added, ...own])],
    changed: written.filter(({ before, after }) => !isSameEntry(before, after)).map(({ path }) => path),
    dependencies: left.dependencies,
  });
  return {
    changed: [...left.work.keys()].map(displayPath),
    pending: [...left.pending.keys()].map(displayPath),
    commits: left.commits,
    violations,
    remarks,
    ref: left.ref,
    userFiles: turn.snapshot.uncommitted.some((path) => !isState(desk.state, path)),
  };
}
