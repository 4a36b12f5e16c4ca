import { mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { displayPath, finderAmong, fromBytes, joinNul, splitNul } from './byte-path.ts';
import type { BytePath } from './byte-path.ts';
import { fileAt, statAt } from './file-at.ts';
import type { Repository } from './repository.ts';
import { diffTrees, indexInfo, zeroIdOf } from './tree-diff.ts';
import type { TreeChanges, TreeEntry } from './tree-diff.ts';

export type IndexEntries = ReadonlyMap<BytePath, TreeEntry | undefined>;

export interface Carried {
  /** What the index must say of the carried files while git switches, so that git leaves the files alone. */
  readonly during: IndexEntries;
  /** What the user had staged of them, to be staged again afterwards. */
  readonly after: IndexEntries;
  /** Files that the target does not have: git would not switch beside them, so they are put aside meanwhile. */
  readonly aside: readonly BytePath[];
}

/**
 * State files that differ from HEAD, or that HEAD does not have, are carried over to another branch. Untracked and ignored
 * ones are, too: git would overwrite an ignored file without a word. `target` is the commit to go to.
 */
export async function planCarry(repository: Repository, state: readonly BytePath[], target: string): Promise<Carried> {
  const during = new Map<BytePath, TreeEntry | undefined>();
  const after = new Map<BytePath, TreeEntry | undefined>();
  const aside: BytePath[] = [];
  const carried = { during, after, aside };
  if (state.length === 0) return carried;
  const { git } = repository;
  const isCarried = finderAmong(await findChanged(repository, state));
  const toTarget = await diffTrees(git, 'HEAD', target);
  const paths = [...toTarget.keys()].filter(
    (path) => isCarried(path) !== undefined && isWorthCarrying(repository, toTarget, path),
  );
  if (paths.length === 0) return carried;
  const staged = await diffTrees(git, 'HEAD', (await git.run(['write-tree'])).stdout.toString('latin1').trim());
  for (const path of paths) {
    const change = toTarget.get(path);
    during.set(path, change?.after ?? change?.before);
    if (change?.after === undefined && statAt(repository.root, path) !== undefined) aside.push(path);
    // What is staged and does not differ between HEAD and the target stays staged by itself.
    if (staged.has(path)) after.set(path, staged.get(path)?.after);
  }
  return carried;
}

/**
 * Runs a step while these files lie in ralph's own folder. A kill in between is no loss: the switch of a branch is a turn of
 * its own, and its snapshot has them.
 */
export async function withAside<T>(
  { root, gitDir }: Repository,
  paths: readonly BytePath[],
  step: () => Promise<T>,
): Promise<T> {
  if (paths.length === 0) return step();
  const folder = mkdtempSync(join(gitDir, 'ralph', 'carried-'));
  const placeOf = (at: number): string => join(folder, String(at));
  for (const [at, path] of paths.entries()) renameSync(fileAt(root, path), placeOf(at));
  try {
    return await step();
  } finally {
    for (const [at, path] of paths.entries()) {
      const file = fileAt(root, path).toString('latin1');
      mkdirSync(Buffer.from(dirname(file), 'latin1'), { recursive: true });
      renameSync(placeOf(at), fileAt(root, path));
    }
    rmSync(folder, { recursive: true });
  }
}

/** A file that is only in the target comes from there. */
function isWorthCarrying({ root }: Repository, toTarget: TreeChanges, path: BytePath): boolean {
  if (toTarget.get(path)?.before !== undefined) return true;
  return statAt(root, path) !== undefined;
}

/** Changed, untracked or ignored; of what is ignored also folders. */
async function findChanged({ git }: Repository, state: readonly BytePath[]): Promise<BytePath[]> {
  const flags = ['--porcelain', '-z', '--no-renames', '--untracked-files=all', '--ignored=matching'];
  const { stdout } = await git.run(['--literal-pathspecs', 'status', ...flags, '--', ...state.map(displayPath)]);
  return splitNul(stdout).map((record) => fromBytes(record.slice(3)));
}

export async function writeIndex(repository: Repository, entries: IndexEntries): Promise<void> {
  if (entries.size === 0) return;
  const input = joinNul(indexInfo(entries, zeroIdOf(repository.objectFormat)));
  await repository.git.run(['update-index', '-z', '--index-info'], { input });
}
