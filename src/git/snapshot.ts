import { copyFileSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { displayPath, fromBytes, isWithin, splitNul } from './byte-path.ts';
import type { BytePath } from './byte-path.ts';
import { dependencyFolderOf } from './unwanted.ts';
import { readRefs, readStash, updateRef } from './refs.ts';
import type { RefState } from './refs.ts';
import type { Repository } from './repository.ts';
import { wrapTree } from './rescue.ts';
import type { Shadow } from './shadow.ts';
import { findLockFiles } from './unfinished-operations.ts';

/**
 * Everything that is needed to tell what an agent did and to undo it. Plain data: it is written down before the agent
 * starts, so that the run after a crash can do what this one could not.
 */
export interface SnapshotData {
  readonly iteration: number;
  readonly try: number;
  readonly refs: RefState;
  /** The branch that was checked out. */
  readonly branch: string;
  readonly head: string;
  /** The exact bytes of all files that were not ignored. */
  readonly tree: string;
  /** A commit of that tree on top of `head`, held by a ref. */
  readonly commit: string;
  /** What was ignored then: neither committed nor removed, whatever becomes of the rules. */
  readonly ignored: readonly BytePath[];
  /** Dependency folders that nothing ignores and git doesn't track: never part of a snapshot. */
  readonly dependencies: readonly BytePath[];
  /** What the user had not committed, state files included. */
  readonly uncommitted: readonly BytePath[];
  readonly stash: readonly { id: string; message: string }[];
  readonly locks: readonly string[];
}

/** Is this the snapshot of a run that was written down as JSON? It was written by ralph; the version of the file is checked. */
export function isSnapshotData(value: unknown): value is SnapshotData {
  if (typeof value !== 'object' || value === null) return false;
  return ['iteration', 'refs', 'branch', 'head', 'tree', 'commit', 'ignored', 'dependencies', 'stash', 'locks'].every(
    (key) => key in value,
  );
}

/** Only this worktree's: a ref below `refs/worktree` is not shared, and `git gc` honours it. */
const HOLD = 'refs/worktree/ralph/snapshot';

/** Where the user's index is kept while an agent works. */
export const keptIndexOf = (repository: Repository): string => join(repository.gitDir, 'ralph', 'index-before');

export async function takeSnapshot(
  repository: Repository,
  shadow: Shadow,
  scope: { iteration: number; try: number },
): Promise<SnapshotData> {
  const { git } = repository;
  shadow.followRules();
  keepIndex(repository);
  const [refs, status, tracked, entries, untracked] = await Promise.all([
    readRefs(git),
    readStatus(repository),
    trackedThoughIgnored(repository),
    shadow.ignoredEntries(),
    shadow.untracked(),
  ]);
  const known = new Set(tracked);
  // An untracked file of an earlier snapshot that is ignored by now is none of ours any more.
  await shadow.forget(entries.filter((path) => !known.has(path)));
  await shadow.addIgnored(tracked.filter((path) => !entries.includes(path)));
  const dependencies = await findDependencyFolders(repository, untracked);
  const tree = await shadow.writeTree(dependencies);
  const commit = await wrapTree(git, tree, [refs.head], `Snapshot before iteration ${scope.iteration}\n`);
  await updateRef(git, HOLD, commit);
  return {
    ...scope,
    refs,
    branch: refs.branch ?? '',
    head: refs.head,
    tree,
    commit,
    ignored: status.ignored,
    dependencies,
    uncommitted: status.uncommitted,
    stash: await readStash(git, refs),
    locks: findLockFiles(repository),
  };
}

/** What the working tree holds now, by the ignore rules of the snapshot. New dependency folders are left out and named. */
export async function takeTree(
  repository: Repository,
  shadow: Shadow,
  since: SnapshotData,
): Promise<{ tree: string; dependencies: BytePath[] }> {
  shadow.followRules();
  const [untracked, tracked] = await Promise.all([shadow.untracked(), trackedThoughIgnored(repository)]);
  const isOld = (path: BytePath): boolean =>
    [...since.ignored, ...since.dependencies].some((folder) => isWithin(path, folder));
  const dependencies = await findDependencyFolders(
    repository,
    untracked.filter((path) => !isOld(path)),
  );
  await shadow.addIgnored(
    tracked.filter((path) => !isOld(path) && existsSync(join(repository.root, displayPath(path)))),
  );
  const tree = await shadow.writeTree([...since.ignored, ...since.dependencies, ...dependencies]);
  return { tree, dependencies };
}

/** Lets the snapshot go. */
export async function releaseSnapshot(repository: Repository): Promise<void> {
  await repository.git.run(['update-ref', '-d', HOLD]);
  rmSync(keptIndexOf(repository), { force: true });
}

function keepIndex(repository: Repository): void {
  const index = join(repository.gitDir, 'index');
  const kept = keptIndexOf(repository);
  if (existsSync(index)) copyFileSync(index, kept);
  else rmSync(kept, { force: true });
}

/** Ignored files, and folders that a rule itself names (`ls-files --directory` would also fold those that merely hold ignored files). */
async function readStatus({ git }: Repository): Promise<{ ignored: BytePath[]; uncommitted: BytePath[] }> {
  const args = [
    'status',
    '--porcelain',
    '-z',
    '--ignored=matching',
    '--untracked-files=all',
    '--no-renames',
    '--ignore-submodules=all',
  ];
  const records = splitNul((await git.run(args)).stdout);
  const pathOf = (record: BytePath): BytePath => fromBytes(record.slice(3));
  return {
    ignored: records.filter((record) => record.startsWith('!! ')).map(pathOf),
    uncommitted: records.filter((record) => !record.startsWith('!! ')).map(pathOf),
  };
}

/** Files that git tracks although a rule ignores them. */
async function trackedThoughIgnored({ git }: Repository): Promise<BytePath[]> {
  // The agent may have left no readable index; then nothing is known to be tracked.
  const args = ['ls-files', '-z', '--cached', '--ignored', '--exclude-standard'];
  const { code, stdout } = await git.run(args, { accept: [128] });
  return code === 0 ? splitNul(stdout) : [];
}

/** Among untracked files: the outermost dependency folders in which git tracks nothing. */
async function findDependencyFolders(repository: Repository, untracked: readonly BytePath[]): Promise<BytePath[]> {
  const folders = new Set<BytePath>();
  for (const path of untracked) {
    const folder = dependencyFolderOf(path, (sibling) => existsSync(join(repository.root, displayPath(sibling))));
    if (folder !== undefined) folders.add(folder);
  }
  if (folders.size === 0) return [];
  const args = ['ls-tree', '-r', '-z', '--name-only', 'HEAD', '--', ...[...folders].map(displayPath)];
  const tracked = splitNul((await repository.git.run(args)).stdout);
  return [...folders].filter((folder) => !tracked.some((path) => isWithin(path, folder)));
}
