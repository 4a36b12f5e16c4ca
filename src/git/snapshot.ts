import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { displayPath, finderAmong, isWithin, splitNul } from './byte-path.ts';
import type { BytePath } from './byte-path.ts';
import { statAt } from './file-at.ts';
import { GitError } from './git.ts';
import { hold, releaseHold, releaseOwnHold } from './hold.ts';
import { readInnerRepositories } from './inner-repositories.ts';
import type { InnerRepository } from './inner-repositories.ts';
import { keepFiles, keptIndexOf, releaseFiles } from './kept-files.ts';
import { findLockFiles } from './lock-files.ts';
import { readStatus } from './read-status.ts';
import { sizeOfReflog } from './reflog.ts';
import { readRefs } from './refs.ts';
import type { RefState } from './refs.ts';
import type { Repository } from './repository.ts';
import { wrapTree } from './rescue.ts';
import type { Shadow } from './shadow.ts';
import { readStash } from './stash.ts';
import type { StashEntry } from './stash.ts';
import { parseRawDiff } from './tree-diff.ts';
import type { TreeEntry } from './tree-diff.ts';
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
  /** What the user had deleted and git still tracks: where it comes back, that is the agent's doing, ignored or not. */
  readonly deleted: readonly BytePath[];
  /** What the user's index says otherwise than HEAD does; null: that there is no such file. */
  readonly staged: readonly { readonly path: BytePath; readonly entry: TreeEntry | null }[];
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

const keys =
  `iteration refs branch head tree commit ignored dependencies uncommitted deleted staged stash locks inner reflog`.split(
    ' ',
  );

export async function takeSnapshot(
  repository: Repository,
  shadow: Shadow,
  scope: { iteration: number; try: number },
): Promise<SnapshotData> {
  const { git } = repository;
  shadow.followRules();
  keepFiles(repository);
  const [refs, status, listed = [], entries, untracked] = await Promise.all([
    readRefs(git),
    readStatus(repository),
    trackedThoughIgnored(repository),
    shadow.ignoredEntries(),
    shadow.untracked(),
  ]);
  const stash = refs.refs['refs/stash'] === undefined ? [] : await readStash(git);
  const { branch, head } = refs;
  if (branch === undefined || head === undefined) {
    throw new GitError(['symbolic-ref', 'HEAD'], 'no branch with a commit is checked out');
  }
  // What is staged as removed and still there comes back as HEAD has it, over the user's, when an agent resets: ignored or not.
  const tracked = [...listed, ...status.removed.filter((path) => isFileAt(repository, path))];
  // An untracked file of an earlier snapshot that is ignored by now is none of ours any more.
  await shadow.forget(entries.filter(isNotAmong(tracked)));
  await shadow.addIgnored(tracked.filter(isNotAmong(entries)).filter((path) => isFileAt(repository, path)));
  const dependencies = await findDependencyFolders(repository, untracked, head);
  const tree = await shadow.writeTree(dependencies);
  const [commit, inner] = await Promise.all([
    wrapTree(git, tree, [head], `Snapshot before iteration ${scope.iteration}\n`),
    readInnerRepositories(repository, { tree, untracked }),
  ]);
  const index = status.isStaged ? keptIndexOf(repository) : undefined;
  await hold(repository, { commit, tree, refs, stash, index, isIntended: status.isIntended });
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
    deleted: status.deleted,
    staged: status.isStaged ? await readStaged(repository, head) : [],
    stash,
    locks: findLockFiles(repository),
    inner,
    reflog: sizeOfReflog(repository),
  };
}

/** A folder in the place of a tracked file is hidden as the rules say. */
function isFileAt({ root }: Repository, path: BytePath): boolean {
  return statAt(root, path)?.isDirectory() === false;
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

/** What the working tree holds now, by the ignore rules of the snapshot; inner repositories are looked into on demand. */
export async function takeTree(
  repository: Repository,
  shadow: Shadow,
  since: SnapshotData,
  { inner = true }: { inner?: boolean } = {},
): Promise<TakenTree> {
  await shadow.mend(since.tree);
  shadow.followRules();
  const [untracked, listed] = await Promise.all([shadow.untracked(), trackedThoughIgnored(repository)]);
  // An index that an agent has damaged would stop git everywhere; the user's comes back when the turn is settled.
  if (listed === undefined) rmSync(join(repository.gitDir, 'index'), { recursive: true, force: true });
  const tracked = [...(listed ?? []), ...since.deleted];
  const findOld = finderAmong([...since.ignored, ...since.dependencies]);
  const isNew = (path: BytePath): boolean => findOld(path) === undefined;
  const fresh = untracked.filter(isNew);
  const dependencies = await findDependencyFolders(repository, fresh, since.head);
  await shadow.addIgnored(tracked.filter((path) => isNew(path) && isFileAt(repository, path)));
  // What is ignored still needs no exception: a few are cheap for git, thousands are not.
  const old = new Set(untracked.flatMap((path) => findOld(path) ?? []));
  const tree = await shadow.writeTree([...old, ...dependencies]);
  return {
    tree,
    dependencies,
    inner: inner ? await readInnerRepositories(repository, { tree, untracked: fresh }) : [],
  };
}

/** Lets the snapshot of this run go. */
export async function releaseSnapshot(repository: Repository): Promise<void> {
  await releaseOwnHold(repository.git);
  releaseFiles(repository);
}

/** Lets the snapshot of a killed run go. */
export async function releaseDeadSnapshot(repository: Repository): Promise<void> {
  await releaseHold(repository.git);
  releaseFiles(repository);
}

async function readStaged({ git }: Repository, head: string): Promise<SnapshotData['staged']> {
  const { stdout } = await git.run(['diff-index', '--cached', '-z', '--no-renames', '--ignore-submodules=none', head]);
  return [...parseRawDiff(stdout).values()].map(({ path, after }) => ({ path, entry: after ?? null }));
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
