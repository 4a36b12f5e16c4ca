import type { BytePath } from './byte-path.ts';
import { checkOutTree } from './check-out-tree.ts';
import { withoutState } from './state-paths.ts';
import type { Desk, Left, Turn } from './desk.ts';
import { editTree } from './edit-tree.ts';
import { moveHidden } from './hidden-files.ts';
import { restoreRules } from './kept-files.ts';
import { updateRef } from './refs.ts';
import { saveRescue } from './rescue.ts';
import { takeTree } from './snapshot.ts';
import { rollBackSubmodules } from './submodules.ts';
import { diffTrees } from './tree-diff.ts';
import type { TreeEntry } from './tree-diff.ts';
import { restoreIndex } from './user-index.ts';

/**
 * Keeps everything under a rescue ref and makes branch, index and files what they were at the snapshot. Returns the ref, or
 * undefined where there was nothing to keep. The state files stay as they are, for the caller to write: a kill in between
 * must not cost what the agent wrote into them.
 */
export async function rollBackTurn(desk: Desk, turn: Turn, left: Left): Promise<string | undefined> {
  const { repository, shadow } = desk;
  const { snapshot } = turn;
  const now = await takeTree(repository, shadow, snapshot);
  const name = `refs/heads/${snapshot.branch}`;
  const ref = await saveAll(desk, turn, left, now.tree);
  await updateRef(repository.git, name, snapshot.head);
  await repository.git.run(['symbolic-ref', '-m', 'ralph: roll back', 'HEAD', name]);
  await rollBackSubmodules(desk, turn, left.work);
  const target = await withStateOf(desk, snapshot.tree, now.tree);
  await checkOutTree(desk, { now: now.tree, wanted: target }, snapshot.iteration);
  await restoreIndex(desk, turn, new Map());
  restoreRules(repository);
  await moveHidden(desk, turn, [...new Set([...left.dependencies, ...now.dependencies])]);
  return ref;
}

/** The tree with the state files of the other one, as far as they are plain files in both. */
async function withStateOf({ repository, state }: Desk, tree: string, now: string): Promise<string> {
  const entries = new Map<BytePath, TreeEntry | undefined>();
  if (state === undefined) return tree;
  for (const [path, { before, after }] of await diffTrees(repository.git, tree, now)) {
    const isPlain = [before, after].every((entry) => entry === undefined || entry.mode.startsWith('100'));
    if ((path === state.prd || path === state.progress) && after !== undefined && isPlain) entries.set(path, after);
  }
  return editTree(repository, tree, entries);
}

/** Saves what the agent left and, by itself, what came since: gates may have been interrupted, hidden files come to light. */
async function saveAll(desk: Desk, turn: Turn, left: Left, now: string): Promise<string | undefined> {
  const { git } = desk.repository;
  const { snapshot } = turn;
  const hasWork = left.work.size > 0 || left.commits.length > 0 || left.tips.length > 0;
  const own = [...(left.commits.length === 0 ? [] : [left.head]), ...left.tips];
  const ref = left.ref ?? (hasWork ? await save(desk, turn, left.original, own) : undefined);
  const tip = await git.run(['rev-parse', '--verify', '--quiet', `refs/heads/${snapshot.branch}`], { accept: [1] });
  const late = [tip.stdout.toString('latin1').trim()].filter((id) => !['', left.head, snapshot.head].includes(id));
  const isAllSaved = late.length === 0 && !(await hasMore(desk, turn, left, now));
  if (isAllSaved) return ref;
  const more = await save(desk, turn, now, late);
  return ref ?? more;
}

/** Is there a content now that is neither in the snapshot nor in what was saved of the agent's work? */
async function hasMore({ repository, state }: Desk, { snapshot }: Turn, left: Left, now: string): Promise<boolean> {
  const sinceSnapshot = await diffTrees(repository.git, snapshot.tree, now);
  const sinceSaved = withoutState(state, await diffTrees(repository.git, left.original, now));
  return [...sinceSaved.values()].some(({ path, after }) => after !== undefined && sinceSnapshot.has(path));
}

async function save(desk: Desk, { snapshot }: Turn, tree: string, tips: readonly string[]): Promise<string> {
  return saveRescue(desk.repository.git, {
    run: desk.run,
    iteration: snapshot.iteration,
    tree,
    snapshot: snapshot.commit,
    tips,
    message: `What iteration ${snapshot.iteration} left and was not accepted\n`,
  });
}
