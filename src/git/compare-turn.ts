import { withoutRefusals } from './blobs.ts';
import { displayPath, finderAmong } from './byte-path.ts';
import { checkOutTree } from './check-out-tree.ts';
import { describeOutcome } from './describe-outcome.ts';
import { isState, withoutState } from './state-paths.ts';
import type { Desk, Left, Turn } from './desk.ts';
import { followLine } from './follow-line.ts';
import { findInnerEdits } from './inner-repositories.ts';
import { protectMixed } from './kept-work.ts';
import { removeNewLocks } from './lock-files.ts';
import { listNewCommits } from './own-commits.ts';
import { planOrder } from './plan-order.ts';
import { findDropped } from './reflog.ts';
import { findConflicts, placeRef, planRefs, readRefs } from './refs.ts';
import type { RefState } from './refs.ts';
import { saveRescue } from './rescue.ts';
import { takeTree } from './snapshot.ts';
import type { SnapshotData } from './snapshot.ts';
import { repairStash } from './stash.ts';
import { remakeSweptCommits } from './swept-commits.ts';
import type { UsersFiles } from './swept-commits.ts';
import { diffTrees } from './tree-diff.ts';
import type { TreeChanges } from './tree-diff.ts';
import { findOperations } from './unfinished-operations.ts';
import type { Outcome } from '../loop/ports.ts';

/**
 * Puts branch, refs and the user's own files in order after an agent and tells what it changed. Everything that no ref would
 * hold any more is saved first. Call it when no process of the agent is left.
 */
export async function compareTurn(given: Desk, turn: Turn): Promise<Outcome> {
  const desk = { ...given, blobs: withoutRefusals(given.blobs) };
  const { repository } = desk;
  const { git } = repository;
  const { snapshot } = turn;
  const locks = removeNewLocks(repository, snapshot.locks);
  const operations = findOperations(repository);
  const now = await readRefs(git);
  const taken = await takeTree(repository, desk.shadow, snapshot);
  const refs = planRefs(git, snapshot.refs, now, desk.run);
  const line = await followLine(desk, snapshot, now);
  const uncommitted = await diffTrees(git, snapshot.head, turn.kept?.user ?? snapshot.tree);
  const guarded = await protectMixed(repository, snapshot, turn.kept, uncommitted);
  const order = await planOrder(desk, turn, { tree: taken.tree, line, uncommitted: guarded });
  const commits = await listNewCommits(git, line.head, snapshot.refs);
  const swept = await remakeSweptCommits(
    repository,
    desk.blobs,
    { commits: await withoutPushed(desk, commits, now), head: line.head },
    usersFiles(desk, snapshot, uncommitted),
  );
  const conflicts = findConflicts(`refs/heads/${snapshot.branch}`, snapshot.refs, now);
  const isRemade = swept.head !== line.head;
  const tips = [
    ...line.tips,
    ...order.tips,
    ...operations.tips,
    ...refs.tips,
    ...conflicts.map(({ id }) => id),
    ...(await findDropped(repository, snapshot.reflog, [snapshot.refs, now])),
    ...(isRemade ? [line.head] : []),
  ];
  const mustRescue = tips.length > 0 || order.mustKeep;
  const ref = mustRescue ? await rescue(desk, turn, taken.tree, [...tips, line.head]) : undefined;
  operations.end();
  for (const step of refs.steps) await step();
  const stash = await repairStash(git, snapshot.stash);
  await checkOutTree(desk, { now: taken.tree, wanted: order.tree }, snapshot.iteration);
  await moveBranch(desk, snapshot, now, swept.head);
  // With the user's ignore rules back in place, files come to light that the agent's had hidden.
  const hidden = order.changesRules ? await takeTree(repository, desk.shadow, snapshot) : undefined;
  const left = await measure(desk, turn, {
    original: taken.tree,
    tree: hidden?.tree ?? order.tree,
    head: swept.head,
    commits: isRemade ? await listNewCommits(git, swept.head, snapshot.refs) : commits,
    tips,
    dependencies: hidden?.dependencies ?? taken.dependencies,
    innerEdits: findInnerEdits(snapshot.inner, taken.inner),
    uncommitted,
    ref,
  });
  turn.left = left;
  const sweptRemarks = swept.files.map(
    (path) => `${displayPath(path)} is the user's: the commit that had swept it in was made again without it.`,
  );
  const remarks = [locks, operations.remarks, refs.remarks, stash, line.remarks, order.remarks, sweptRemarks].flat();
  return describeOutcome(desk, turn, left, remarks);
}

/** Without the repairs: in prompt mode the tree is the agent's to arrange. */
export async function lookAtTurn(desk: Desk, turn: Turn): Promise<Outcome> {
  const { git } = desk.repository;
  const { snapshot } = turn;
  const now = await readRefs(git);
  const taken = await takeTree(desk.repository, desk.shadow, snapshot);
  const tip = now.head ?? snapshot.head;
  turn.left = await measure(desk, turn, {
    original: taken.tree,
    tree: taken.tree,
    head: snapshot.head,
    commits: await listNewCommits(git, tip, snapshot.refs),
    tips: tip === snapshot.head ? [] : [tip],
    dependencies: taken.dependencies,
    innerEdits: findInnerEdits(snapshot.inner, taken.inner),
    uncommitted: new Map(),
    ref: undefined,
  });
  return describeOutcome(desk, turn, { ...turn.left, dependencies: [] }, []);
}

/** Commits that a remote has are nobody's to make again. */
async function withoutPushed({ repository }: Desk, commits: readonly string[], now: RefState): Promise<string[]> {
  if (commits.length === 0 || now.remotes.length === 0) return [...commits];
  const input = Buffer.from([...commits, ...now.remotes.map((id) => `^${id}`)].map((line) => `${line}\n`).join(''));
  const { stdout } = await repository.git.run(['rev-list', '--ignore-missing', '--stdin'], { input });
  const left = new Set(stdout.toString('latin1').split('\n'));
  return commits.filter((id) => left.has(id));
}

/** What an agent may not have swept into its commits: the user's files, and state files unless git tracks them. */
function usersFiles({ state }: Desk, snapshot: SnapshotData, uncommitted: TreeChanges): UsersFiles {
  const { head, ignored, staged } = snapshot;
  if (state === undefined || state.committed.length === 0) return { head, ignored, staged, uncommitted };
  return {
    head,
    ignored,
    staged: staged.filter(({ path }) => !isState(state, path)),
    uncommitted: new Map([...uncommitted].filter(([path]) => !isState(state, path))),
  };
}

async function moveBranch(desk: Desk, snapshot: SnapshotData, now: RefState, head: string): Promise<void> {
  const { git } = desk.repository;
  const name = `refs/heads/${snapshot.branch}`;
  const isThere = (now.refs[name] ?? now.elsewhere[name]) === head;
  if (!isThere) await placeRef(git, name, head, findConflicts(name, snapshot.refs, now));
  if (now.branch !== snapshot.branch) await git.run(['symbolic-ref', '-m', 'ralph: back to the branch', 'HEAD', name]);
}

async function rescue(desk: Desk, { snapshot }: Turn, tree: string, tips: readonly string[]): Promise<string> {
  return saveRescue(desk.repository.git, {
    run: desk.run,
    iteration: snapshot.iteration,
    tree,
    snapshot: snapshot.commit,
    tips,
    message: `What the agent of iteration ${snapshot.iteration} left\n`,
  });
}

async function measure(desk: Desk, turn: Turn, left: Omit<Left, 'work' | 'pending'>): Promise<Left> {
  const { git } = desk.repository;
  const changesSince = async (tree: string): Promise<TreeChanges> =>
    withoutIgnored(turn.snapshot, withoutState(desk.state, await diffTrees(git, tree, left.tree)));
  const work = await changesSince(turn.snapshot.tree);
  return { ...left, work, pending: turn.kept === undefined ? work : await changesSince(turn.kept.user) };
}

/** What the user has staged as removed, and ignores, is in the snapshot only so that it is not lost. */
function withoutIgnored({ ignored, staged }: SnapshotData, changes: TreeChanges): TreeChanges {
  const find = finderAmong(ignored);
  const hidden = new Set(
    staged.filter(({ path, entry }) => entry === null && find(path) !== undefined).map(({ path }) => path),
  );
  return hidden.size === 0 ? changes : new Map([...changes].filter(([path]) => !hidden.has(path)));
}
