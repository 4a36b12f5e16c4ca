import type { Blobs } from './blobs.ts';
import { finderAmong, splitNul } from './byte-path.ts';
import type { BytePath } from './byte-path.ts';
import { editTree } from './edit-tree.ts';
import type { Git } from './git.ts';
import { takeAgentLines } from './story-tree.ts';
import type { Repository } from './repository.ts';
import type { SnapshotData } from './snapshot.ts';
import { diffTrees, isSameEntry } from './tree-diff.ts';
import type { TreeChanges, TreeEntry } from './tree-diff.ts';

export interface SweptCommits {
  /** The tip to go on from. */
  readonly head: string;
  /** Files of the user's that were taken out of the agent's commits. */
  readonly files: readonly BytePath[];
}

/** What is the user's and in no commit. */
export interface UsersFiles {
  /** HEAD at the snapshot. */
  readonly head: string;
  /** From there to the user's tree. */
  readonly uncommitted: TreeChanges;
  /** What the user had staged, which a plain `git commit` of an agent takes along; null: a removal. */
  readonly staged: SnapshotData['staged'];
  /** What the rules hid at the snapshot: files, and folders with a final `/`. */
  readonly ignored: readonly BytePath[];
}

/**
 * Makes those of the agent's commits again that swept in files or lines of the user's, without them; all others stay as
 * they are. Commits that a remote has already are left alone.
 */
export async function remakeSweptCommits(
  repository: Repository,
  blobs: Blobs,
  work: { readonly commits: readonly string[]; readonly head: string },
  users: UsersFiles,
): Promise<SweptCommits> {
  const { git } = repository;
  const isUsers = isOneOf(users);
  const files = new Set<BytePath>();
  if (!(await listTouched(git, work.commits)).some(isUsers)) return { head: work.head, files: [] };
  const remade = new Map<string, string>();
  for (const commit of work.commits) {
    const { stdout } = await git.run(['rev-list', '--parents', '--max-count=1', commit]);
    const parents = stdout.toString('latin1').trim().split(' ').slice(1);
    const swept = await findSwept(repository, blobs, commit, users);
    for (const path of swept.keys()) files.add(path);
    if (swept.size === 0 && !parents.some((id) => remade.has(id))) continue;
    const tree = swept.size === 0 ? undefined : await editTree(repository, `${commit}^{tree}`, swept);
    const over = parents.map((id) => remade.get(id) ?? id);
    remade.set(commit, await remakeCommit(git, commit, tree, over));
  }
  return { head: remade.get(work.head) ?? work.head, files: [...files] };
}

function isOneOf({ uncommitted, staged, ignored }: UsersFiles): (path: BytePath) => boolean {
  const findIgnored = finderAmong(ignored);
  const isStaged = new Set(staged.map(({ path }) => path));
  return (path) => uncommitted.has(path) || isStaged.has(path) || findIgnored(path) !== undefined;
}

async function listTouched(git: Git, commits: readonly string[]): Promise<BytePath[]> {
  if (commits.length === 0) return [];
  const input = Buffer.from(commits.map((id) => `${id}\n`).join(''));
  const args = ['diff-tree', '--stdin', '-r', '-m', '-z', '--root', '--no-commit-id', '--name-only', '--no-renames'];
  return splitNul((await git.run(args, { input })).stdout);
}

async function findSwept(
  repository: Repository,
  blobs: Blobs,
  commit: string,
  users: UsersFiles,
): Promise<Map<BytePath, TreeEntry | undefined>> {
  const swept = new Map<BytePath, TreeEntry | undefined>();
  const isUsers = isOneOf(users);
  const staged = new Map(users.staged.map(({ path, entry }) => [path, entry ?? undefined]));
  const changes = await diffTrees(repository.git, users.head, commit);
  const touched = [...changes.values()].filter(({ path }) => isUsers(path));
  await blobs.learn(touched.map(({ path }) => path));
  for (const { path, before: committed, after: agent } of touched) {
    const uncommitted = users.uncommitted.get(path);
    const versions: (TreeEntry | undefined)[] = [];
    if (uncommitted !== undefined) versions.push(await blobs.clean(path, uncommitted.after));
    if (staged.has(path)) versions.push(staged.get(path));
    // What is ignored has no version that is known: none of it gets in.
    if (versions.length === 0 && agent !== undefined) swept.set(path, committed);
    const result = await withoutUsers(blobs, committed, agent, versions);
    if (!isSameEntry(result, agent)) swept.set(path, result);
  }
  return swept;
}

/** What the agent's version is without what the user had in the working tree or staged. */
async function withoutUsers(
  blobs: Blobs,
  committed: TreeEntry | undefined,
  agent: TreeEntry | undefined,
  versions: readonly (TreeEntry | undefined)[],
): Promise<TreeEntry | undefined> {
  const own = versions.filter((version) => !isSameEntry(version, committed));
  if (own.some((version) => isSameEntry(version, agent))) return committed;
  for (const user of own) {
    const result = await takeAgentLines(blobs, { committed, user, agent });
    if (result !== 'mixed' && !isSameEntry(result, agent)) return result;
  }
  return agent;
}

/** The same commit over another tree (undefined: its own) and other parents: message, author and dates stay, byte for byte; a signature can't. */
async function remakeCommit(
  git: Git,
  commit: string,
  tree: string | undefined,
  parents: readonly string[],
): Promise<string> {
  const { stdout } = await git.run(['cat-file', 'commit', commit]);
  const text = stdout.toString('latin1');
  const end = text.indexOf('\n\n');
  const header = text.slice(0, end).split(/\n(?! )/);
  const kept = header.filter((line) => !/^(tree|parent|gpgsig|gpgsig-sha256|mergetag) /.test(line));
  const own = header.find((line) => line.startsWith('tree ')) ?? '';
  const lines = [tree === undefined ? own : `tree ${tree}`, ...parents.map((id) => `parent ${id}`), ...kept];
  const input = Buffer.from(`${lines.join('\n')}${text.slice(end)}`, 'latin1');
  return (await git.run(['hash-object', '-t', 'commit', '-w', '--stdin'], { input })).stdout.toString('latin1').trim();
}
