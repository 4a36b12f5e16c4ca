import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { displayPath, finderAmong, fromBytes, isWithin, splitNul } from './byte-path.ts';
import type { BytePath } from './byte-path.ts';
import { statAt } from './file-at.ts';
import { GitError } from './git.ts';
import { hold, releaseHold } from './hold.ts';
import { readInnerRepositories } from './inner-repositories.ts';
import type { InnerRepository } from './inner-repositories.ts';
import { keepFiles, keptIndexOf, releaseFiles } from './kept-files.ts';
import { findLockFiles } from './lock-files.ts';
import { sizeOfReflog } from './reflog.ts';
import { readRefs } from './refs.ts';
import type { RefState } from './refs.ts';
import type { Repository } from './repository.ts';
import { wrapTree } from './rescue.ts';
import type { Shadow } from './shadow.ts';
import { readStash } from './stash.ts';
import type { StashEntry } from './stash.ts';
import { dependencyFolderOf } from './unwanted.ts';

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
  readonly stash: readonly StashEntry[];
  readonly locks: readonly string[];
  /** Submodules and other repositories inside the working tree. */
  readonly inner: readonly InnerRepository[];
  /** Bytes of HEAD's reflog: what comes behind them is the agent's. */
  readonly reflog: number;
}

/** Is this the snapshot of a run that was written down as JSON? It was written by ralph; the version of the file is checked. */
export function isSnapshotData(value: unknown): value is SnapshotData {
  if (typeof value !== 'object' || value === null) return false;
  return keys.every((key) => key in value);
}

const keys = [
  ...['iteration', 'refs', 'branch', 'head', 'tree', 'commit', 'ignored', 'dependencies', 'uncommitted'],
  ...['stash', 'locks', 'inner', 'reflog'],
];

export async function takeSnapshot(
  repository: Repository,
  shadow: Shadow,
  scope: { iteration: number; try: number },
): Promise<SnapshotData> {
  const { git } = repository;
  shadow.followRules();
  keepFiles(repository);
  const [refs, status, tracked = [], entries, untracked, stash] = await Promise.all([
    readRefs(git),
    readStatus(repository),
    trackedThoughIgnored(repository),
    shadow.ignoredEntries(),
    shadow.untracked(),
    readStash(git),
  ]);
  const { branch, head } = refs;
  if (branch === undefined || head === undefined) {
    throw new GitError(['symbolic-ref', 'HEAD'], 'no branch with a commit is checked out');
  }
  // An untracked file of an earlier snapshot that is ignored by now is none of ours any more.
  await shadow.forget(entries.filter(isNotAmong(tracked)));
  await shadow.addIgnored(
    tracked.filter(isNotAmong(entries)).filter((path) => statAt(repository.root, path) !== undefined),
  );
  const dependencies = await findDependencyFolders(repository, untracked, head);
  const tree = await shadow.writeTree(dependencies);
  const [commit, inner] = await Promise.all([
    wrapTree(git, tree, [head], `Snapshot before iteration ${scope.iteration}\n`),
    readInnerRepositories(repository, shadow, untracked),
  ]);
  await hold(repository, { commit, tree, refs, stash, index: keptIndexOf(repository) });
  return {
    ...scope,
    refs,
    branch,
    head,
    tree,
    commit,
    ignored: status.ignored,
    dependencies,
    uncommitted: status.uncommitted,
    stash,
    locks: findLockFiles(repository),
    inner,
    reflog: sizeOfReflog(repository),
  };
}

function isNotAmong(paths: readonly BytePath[]): (path: BytePath) => boolean {
  const known = new Set(paths);
  return (path) => !known.has(path);
}

export interface TakenTree {
  readonly tree: string;
  /** Dependency folders that are new since the snapshot: left out of the tree. */
  readonly dependencies: readonly BytePath[];
  readonly inner: readonly InnerRepository[];
}

/** What the working tree holds now, by the ignore rules of the snapshot. */
export async function takeTree(repository: Repository, shadow: Shadow, since: SnapshotData): Promise<TakenTree> {
  await shadow.mend(since.tree);
  shadow.followRules();
  const [untracked, listed] = await Promise.all([shadow.untracked(), trackedThoughIgnored(repository)]);
  // An index that an agent has damaged would stop git everywhere; the user's comes back when the turn is settled.
  if (listed === undefined) rmSync(join(repository.gitDir, 'index'), { recursive: true, force: true });
  const tracked = listed ?? [];
  const findOld = finderAmong([...since.ignored, ...since.dependencies]);
  const isNew = (path: BytePath): boolean => findOld(path) === undefined;
  const fresh = untracked.filter(isNew);
  const dependencies = await findDependencyFolders(repository, fresh, since.head);
  await shadow.addIgnored(tracked.filter((path) => isNew(path) && statAt(repository.root, path) !== undefined));
  // What is ignored still needs no exception: a few are cheap for git, thousands are not.
  const old = new Set(untracked.flatMap((path) => findOld(path) ?? []));
  const tree = await shadow.writeTree([...old, ...dependencies]);
  return { tree, dependencies, inner: await readInnerRepositories(repository, shadow, fresh) };
}

/** Lets the snapshot go. */
export async function releaseSnapshot(repository: Repository): Promise<void> {
  await releaseHold(repository.git);
  releaseFiles(repository);
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

/** Files that git tracks although a rule ignores them; undefined where the index can't be read. */
async function trackedThoughIgnored({ git }: Repository): Promise<BytePath[] | undefined> {
  const args = ['ls-files', '-z', '--cached', '--ignored', '--exclude-standard'];
  const { code, stdout } = await git.run(args, { accept: [128] });
  return code === 0 ? splitNul(stdout) : undefined;
}

/** Among untracked files: the outermost dependency folders in which git tracks nothing. */
async function findDependencyFolders(
  repository: Repository,
  untracked: readonly BytePath[],
  head: string,
): Promise<BytePath[]> {
  const folders = new Set<BytePath>();
  for (const path of untracked) {
    const folder = dependencyFolderOf(path, (sibling) => statAt(repository.root, sibling) !== undefined);
    if (folder !== undefined) folders.add(folder);
  }
  if (folders.size === 0) return [];
  const args = ['ls-tree', '-r', '-z', '--name-only', head, '--', ...[...folders].map(displayPath)];
  const tracked = splitNul((await repository.git.run(args)).stdout);
  return [...folders].filter((folder) => !tracked.some((path) => isWithin(path, folder)));
}
