import type { Blobs } from './blobs.ts';
import type { BytePath } from './byte-path.ts';
import { splitNul } from './byte-path.ts';
import { editTree } from './edit-tree.ts';
import type { Git } from './git.ts';
import type { RefState } from './refs.ts';
import type { Repository } from './repository.ts';
import { takeAgentLines } from './story-tree.ts';
import { diffTrees, isSameEntry } from './tree-diff.ts';
import type { TreeChanges, TreeEntry } from './tree-diff.ts';

export async function isAncestor(git: Git, older: string, newer: string): Promise<boolean> {
  if (older === newer) return true;
  return (await git.run(['merge-base', '--is-ancestor', older, newer], { accept: [1, 128] })).code === 0;
}

/** Commits that lead to `tip` and that no ref held before, oldest first. */
export async function listNewCommits(git: Git, tip: string, before: RefState): Promise<string[]> {
  if (tip === before.head) return [];
  const known = [before.head, ...Object.values(before.refs)];
  const input = Buffer.from([tip, ...known.map((id) => `^${id}`)].map((line) => `${line}\n`).join(''));
  const { stdout } = await git.run(['rev-list', '--reverse', '--topo-order', '--ignore-missing', '--stdin'], { input });
  return stdout
    .toString('latin1')
    .split('\n')
    .filter((line) => line !== '');
}

/** Paths that these commits added, over all of them: what was removed again later is still in the history. */
export async function listAddedPaths(git: Git, commits: readonly string[]): Promise<BytePath[]> {
  if (commits.length === 0) return [];
  const input = Buffer.from(commits.map((id) => `${id}\n`).join(''));
  const args = [
    'log',
    '--no-walk',
    '--stdin',
    '--format=',
    '-z',
    '--name-only',
    '--no-renames',
    '--diff-filter=A',
    '--root',
  ];
  return [...new Set(splitNul((await git.run(args, { input })).stdout))].filter((path) => path !== '');
}

/**
 * The commit that the agent's line of commits grew out of: the parent of its first commit. A tip that existed before is its
 * own start; a line without a root in common starts from nothing.
 */
export async function findStart(git: Git, tip: string, before: RefState): Promise<string> {
  const fresh = new Set(await listNewCommits(git, tip, before));
  const { stdout } = await git.run(['rev-list', '--first-parent', `--max-count=${fresh.size + 1}`, tip]);
  const line = stdout.toString('latin1').split('\n');
  const start = line.find((id) => id !== '' && !fresh.has(id));
  return start ?? (await git.run(['mktree'])).stdout.toString('latin1').trim();
}

export interface SweptCommits {
  /** The tip to go on from. */
  readonly head: string;
  /** Files of the user's that were taken out of the agent's commits. */
  readonly files: readonly BytePath[];
}

/**
 * Makes those of the agent's commits again that swept in files or lines of the user's, without them; all others stay as
 * they are. `uncommitted` is what the user had not committed at the snapshot.
 */
export async function remakeSweptCommits(
  repository: Repository,
  blobs: Blobs,
  work: { commits: readonly string[]; head: string; uncommitted: TreeChanges },
): Promise<SweptCommits> {
  if (work.uncommitted.size === 0) return { head: work.head, files: [] };
  const remade = new Map<string, string>();
  const files = new Set<BytePath>();
  for (const commit of work.commits) {
    const parents = (await repository.git.text('show', '-s', '--format=%P', commit))
      .split(' ')
      .filter((id) => id !== '');
    const swept = await findSwept(repository, blobs, parents[0], commit, work.uncommitted);
    for (const path of swept.keys()) files.add(path);
    if (swept.size === 0 && !parents.some((id) => remade.has(id))) continue;
    const tree = await editTree(repository, `${commit}^{tree}`, swept);
    remade.set(
      commit,
      await remakeCommit(
        repository.git,
        commit,
        tree,
        parents.map((id) => remade.get(id) ?? id),
      ),
    );
  }
  return { head: remade.get(work.head) ?? work.head, files: [...files] };
}

async function findSwept(
  repository: Repository,
  blobs: Blobs,
  parent: string | undefined,
  commit: string,
  uncommitted: TreeChanges,
): Promise<Map<BytePath, TreeEntry | undefined>> {
  const swept = new Map<BytePath, TreeEntry | undefined>();
  const changes = parent === undefined ? new Map() : await diffTrees(repository.git, parent, commit);
  const touched = [...uncommitted.values()].filter(({ path }) => changes.has(path));
  await blobs.learn(touched.map(({ path }) => path));
  for (const { path, before: committed, after } of touched) {
    const agent: TreeEntry | undefined = changes.get(path)?.after;
    const user = await blobs.clean(path, after);
    if (isSameEntry(user, committed)) continue;
    const result = isSameEntry(agent, user) ? committed : await takeAgentLines(blobs, { committed, user, agent });
    if (result !== 'mixed' && !isSameEntry(result, agent)) swept.set(path, result);
  }
  return swept;
}

/** The same commit over another tree and other parents: message, author and dates stay. */
async function remakeCommit(git: Git, commit: string, tree: string, parents: readonly string[]): Promise<string> {
  const format = ['%an', '%ae', '%aI', '%cn', '%ce', '%cI', '%B'].join('%x00');
  const { stdout } = await git.run(['show', '-s', `--format=${format}`, commit]);
  const [an = '', ae = '', ad = '', cn = '', ce = '', cd = '', message = ''] = stdout.toString('utf8').split('\0');
  const { stdout: id } = await git.run(
    ['commit-tree', '--no-gpg-sign', tree, ...parents.flatMap((parent) => ['-p', parent])],
    {
      env: {
        GIT_AUTHOR_NAME: an,
        GIT_AUTHOR_EMAIL: ae,
        GIT_AUTHOR_DATE: ad,
        GIT_COMMITTER_NAME: cn,
        GIT_COMMITTER_EMAIL: ce,
        GIT_COMMITTER_DATE: cd,
      },
      input: Buffer.from(`${message.trimEnd()}\n`),
    },
  );
  return id.toString('latin1').trim();
}
