import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { displayPath } from './byte-path.ts';
import type { Desk, Turn } from './desk.ts';
import { createGit } from './git.ts';
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
    const number = String(snapshot.iteration).padStart(3, '0');
    await inner.run(['update-ref', `refs/ralph/${desk.run}/${number}`, after.id]);
    const status = await inner.run(['status', '--porcelain', '--ignore-submodules=none']);
    if (status.stdout.length === 0) await inner.run(['reset', '--quiet', '--hard', before.id]);
  }
}
