import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { displayPath } from './byte-path.ts';
import type { Desk, Turn } from './desk.ts';
import { createGit } from './git.ts';
import type { Git } from './git.ts';
import { freeRefName } from './rescue.ts';
import { updateRef } from './refs.ts';
import type { PathChange, TreeChanges } from './tree-diff.ts';

const isGitlink = (entry: PathChange['after']): boolean => entry?.mode === '160000';

/**
 * Sets the HEAD of a submodule (or inner repository) in which the agent committed back to where it was, if nothing is
 * uncommitted there. The inner commit is kept under a ref of the inner repository.
 */
export async function rollBackSubmodules(desk: Desk, { snapshot }: Turn, work: TreeChanges): Promise<void> {
  for (const { path, before, after } of work.values()) {
    if (before === undefined || after === undefined || !isGitlink(before) || !isGitlink(after)) continue;
    const folder = join(desk.repository.root, displayPath(path));
    if (!existsSync(join(folder, '.git'))) continue;
    const inner = createGit(folder, desk.repository.git.env);
    await updateRef(inner, await freeRefName(inner, desk.run, snapshot.iteration), after.id, '');
    const status = await inner.run(['status', '--porcelain', '--ignore-submodules=none'], { accept: [128] });
    if (status.code !== 0 || status.stdout.length > 0) continue;
    const branch = snapshot.inner.find((known) => known.path === path)?.branch ?? null;
    await goBack(inner, branch, before.id);
  }
}

/** Without hooks, and without an error where the inner repository can't be set back: its work is kept, the tree says it. */
async function goBack(inner: Git, branch: string | null, id: string): Promise<void> {
  const quiet = ['-c', 'core.hooksPath=/dev/null'];
  const detached = await inner.run([...quiet, 'checkout', '--quiet', '--detach', id], { accept: [1, 128] });
  if (detached.code !== 0 || branch === null) return;
  const name = `refs/heads/${branch}`;
  await inner.run(['update-ref', '--create-reflog', '-m', 'ralph', name, id], { accept: [1, 128] });
  await inner.run(['symbolic-ref', '-m', 'ralph: roll back', 'HEAD', name], { accept: [1, 128] });
}
