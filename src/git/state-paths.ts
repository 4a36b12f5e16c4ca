import { lstatSync, realpathSync } from 'node:fs';
import { isAbsolute, join, relative, sep } from 'node:path';
import { bytePath, displayPath, isWithin, joinNul, splitNul } from './byte-path.ts';
import type { BytePath } from './byte-path.ts';
import type { Repository } from './repository.ts';
import type { TreeChanges } from './tree-diff.ts';

/** The state files, from the root of the working tree. */
export interface StatePaths {
  readonly prd: BytePath;
  readonly progress: BytePath;
  readonly archive: BytePath;
  /** Those that go into commits: none unless git tracks prd.json, and never one that is ignored. */
  readonly committed: readonly BytePath[];
}

/**
 * Where the state files are and which of them go into commits: all three if git tracks prd.json, without those that are
 * ignored. Undefined where prd.json lies outside the working tree. `prd` is its path from the root.
 */
export async function findStatePaths(
  repository: Repository,
  prd: string,
  progress: string,
  archive: string,
): Promise<StatePaths | undefined> {
  const prdPath = targetOf(repository.root, prd);
  if (prdPath === undefined) return undefined;
  const paths = {
    prd: bytePath(prdPath),
    progress: bytePath(targetOf(repository.root, progress) ?? progress),
    archive: bytePath(archive),
  };
  const tracked = await repository.git.run(['ls-files', '-z', '--cached', '--', displayPath(paths.prd)]);
  if (tracked.stdout.length === 0) return { ...paths, committed: [] };
  const input = joinNul([paths.progress, paths.archive]);
  const ignored = new Set<BytePath>(
    splitNul((await repository.git.run(['check-ignore', '-z', '--stdin'], { input, accept: [1] })).stdout),
  );
  return { ...paths, committed: [paths.prd, paths.progress, paths.archive].filter((path) => !ignored.has(path)) };
}

/** A link that leads nowhere (an agent has removed the file) stands for itself. */
function targetOfLink(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return file;
  }
}

/** The file that a link leads to, from the root; undefined where that is outside of the working tree. */
function targetOf(root: string, path: string): string | undefined {
  const file = join(root, path);
  const isLink = lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  const found = relative(root, isLink ? targetOfLink(file) : file);
  return found.startsWith(`..${sep}`) || found === '..' || isAbsolute(found) ? undefined : found.split(sep).join('/');
}

export function isState(state: StatePaths | undefined, path: BytePath): boolean {
  if (state === undefined) return false;
  return path === state.prd || path === state.progress || isWithin(path, state.archive);
}

export function withoutState(state: StatePaths | undefined, changes: TreeChanges): TreeChanges {
  return new Map([...changes].filter(([path]) => !isState(state, path)));
}
