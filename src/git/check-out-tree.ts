import { fromBytes, isWithin, splitNul } from './byte-path.ts';
import type { BytePath } from './byte-path.ts';
import type { Desk } from './desk.ts';
import { statAt } from './file-at.ts';
import { moveAside } from './move-aside.ts';
import { diffTrees } from './tree-diff.ts';

/**
 * Makes the working tree, which holds `now`, what `wanted` says. Files that are in no tree because a rule hides them would
 * be overwritten where they stand in the way (a file in the place of a folder, or the other way round): they move into the
 * run folder first.
 */
export async function checkOutTree(
  desk: Desk,
  trees: { readonly now: string; readonly wanted: string },
  iteration: number,
): Promise<void> {
  if (trees.now === trees.wanted) return;
  const { root } = desk.repository;
  const changes = await diffTrees(desk.repository.git, trees.now, trees.wanted);
  const removed = new Set([...changes.values()].filter(({ after }) => after === undefined).map(({ path }) => path));
  const written = [...changes.values()].filter(({ after }) => after !== undefined);
  const inTheWay = new Set<BytePath>();
  let unknown: readonly BytePath[] | undefined;
  for (const { path, before, after } of written) {
    const parent = foldersOf(path).find(
      (folder) => statAt(root, folder)?.isDirectory() === false && !removed.has(folder),
    );
    if (parent !== undefined) inTheWay.add(parent);
    else if (after?.mode === '160000') continue;
    else if (statAt(root, path)?.isDirectory() === true) {
      unknown ??= await listUnknown(desk);
      for (const file of unknown.filter((other) => isWithin(other, path))) inTheWay.add(file);
    } else if (before === undefined && statAt(root, path) !== undefined) inTheWay.add(path);
  }
  for (const path of inTheWay) moveAside(desk, path, iteration);
  await desk.shadow.checkOut(trees.wanted);
}

function foldersOf(path: BytePath): BytePath[] {
  const parts = path.split('/');
  return parts.slice(1).map((_, at) => fromBytes(parts.slice(0, at + 1).join('/')));
}

/** What git does not know of, ignored or not. All of it: a path that is no UTF-8 can't be asked for. */
async function listUnknown(desk: Desk): Promise<BytePath[]> {
  return splitNul((await desk.shadow.run(['ls-files', '-z', '--others'])).stdout);
}
