import { splitNul } from './byte-path.ts';
import type { BytePath } from './byte-path.ts';
import type { Git } from './git.ts';
import type { RefState } from './refs.ts';

export async function isAncestor(git: Git, older: string, newer: string): Promise<boolean> {
  if (older === newer) return true;
  return (await git.run(['merge-base', '--is-ancestor', older, newer], { accept: [1, 128] })).code === 0;
}

/** Commits that lead to `tip` and that no ref held before, oldest first. */
export async function listNewCommits(git: Git, tip: string, before: RefState): Promise<string[]> {
  if (tip === before.head) return [];
  const known = [before.head, ...Object.values(before.refs), ...Object.values(before.elsewhere), ...before.remotes];
  const input = idLines([tip, ...known.flatMap((id) => (id === undefined ? [] : [`^${id}`]))]);
  const { stdout } = await git.run(['rev-list', '--reverse', '--topo-order', '--ignore-missing', '--stdin'], { input });
  return linesOf(stdout);
}

const idLines = (lines: readonly string[]): Buffer => Buffer.from(lines.map((line) => `${line}\n`).join(''));

function linesOf(output: Buffer): string[] {
  return output
    .toString('latin1')
    .split('\n')
    .filter((line) => line !== '');
}

export interface Addition {
  readonly path: BytePath;
  readonly isNew: boolean;
  readonly bytes: number;
}

/** What these commits wrote, over all of them: what was removed again later is still in the history. */
export async function listWritten(git: Git, commits: readonly string[]): Promise<Addition[]> {
  if (commits.length === 0) return [];
  const args = ['diff-tree', '--stdin', '-r', '-z', '--root', '--no-commit-id', '--raw', '--no-renames', '--no-abbrev'];
  const { stdout } = await git.run([...args, '--diff-filter=AM'], { input: idLines(commits) });
  const written = splitNul(stdout).flatMap((_, at, fields) =>
    at % 2 === 0 ? [[fields[at], fields[at + 1]] as const] : [],
  );
  const changes = written.flatMap(([facts, path]) => {
    const [, mode = '', , id = '', status = ''] = facts?.split(' ') ?? [];
    return path === undefined || mode === '160000' ? [] : [{ path, id, isNew: status === 'A' }];
  });
  const sizes = await readSizes(
    git,
    changes.map(({ id }) => id),
  );
  return changes.map(({ path, id, isNew }) => ({ path, isNew, bytes: sizes.get(id) ?? 0 }));
}

async function readSizes(git: Git, ids: readonly string[]): Promise<Map<string, number>> {
  const args = ['cat-file', '--batch-check=%(objectname) %(objectsize)'];
  const { stdout } = await git.run(args, { input: idLines([...new Set(ids)]) });
  return new Map(linesOf(stdout).map((line) => [line.split(' ')[0] ?? '', Number(line.split(' ')[1])]));
}

/** The tree that holds nothing. */
export async function writeEmptyTree(git: Git): Promise<string> {
  return (await git.run(['mktree'])).stdout.toString('latin1').trim();
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
  return start ?? writeEmptyTree(git);
}
