import type { BytePath } from './byte-path.ts';
import { checkOutTree } from './check-out-tree.ts';
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
  // Gates may have been interrupted since: what is there now is what has to be kept and taken away.
  const now = await takeTree(repository, shadow, snapshot);
  const hasWork = left.work.size > 0 || left.commits.length > 0 || left.tips.length > 0;
  const ref = left.ref ?? (hasWork ? await saveLeft(desk, turn, left) : undefined);
  const name = `refs/heads/${snapshot.branch}`;
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

async function saveLeft(desk: Desk, { snapshot }: Turn, left: Left): Promise<string> {
  return saveRescue(desk.repository.git, {
    run: desk.run,
    iteration: snapshot.iteration,
    tree: left.original,
    snapshot: snapshot.commit,
    tips: [...(left.commits.length === 0 ? [] : [left.head]), ...left.tips],
    message: `What iteration ${snapshot.iteration} left and was not accepted\n`,
  });
}
