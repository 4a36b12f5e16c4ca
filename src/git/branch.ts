import { copyFileSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../errors.ts';
import { displayPath, fromBytes, joinNul, splitNul } from './byte-path.ts';
import type { BytePath } from './byte-path.ts';
import type { Repository } from './repository.ts';
import { diffTrees, indexInfo, zeroIdOf } from './tree-diff.ts';
import type { TreeEntry } from './tree-diff.ts';

export interface BranchRequest {
  readonly name: string;
  /** Where a missing branch starts; undefined: the current HEAD. */
  readonly base: string | undefined;
  /** The branch that is checked out now. */
  readonly current: string;
  readonly state: readonly BytePath[];
}

/**
 * Checks the PRD's branch out, creating it if it is missing, and returns a sentence about what was done (undefined: it was
 * checked out already). Throws UsageError, with everything as it was, where the user's own changes are in the way.
 */
export async function switchBranch(repository: Repository, request: BranchRequest): Promise<string | undefined> {
  if (request.name === request.current) return undefined;
  const existing = await resolve(repository, `refs/heads/${request.name}`);
  if (existing !== undefined) {
    await verifyFree(repository, request.name);
    await checkOut(repository, request, existing, ['switch', request.name]);
    return `Switched to the branch ${request.name}`;
  }
  const start = await startOf(repository, request);
  await verifyNameFits(repository, request.name);
  await checkOut(repository, request, start, ['switch', '--no-track', '-c', request.name, start]);
  const from = request.base ?? request.current;
  const ahead = await countAhead(repository, start);
  return `Created the branch ${request.name} from ${from}${ahead}`;
}

async function resolve({ git }: Repository, name: string): Promise<string | undefined> {
  const result = await git.run(['rev-parse', '--verify', '--quiet', `${name}^{commit}`], { accept: [1, 128] });
  return result.code === 0 ? result.stdout.toString('latin1').trim() : undefined;
}

async function startOf(repository: Repository, { base }: BranchRequest): Promise<string> {
  const name = base ?? 'HEAD';
  const commit =
    (base === undefined ? undefined : await resolve(repository, `refs/heads/${base}`)) ??
    (await resolve(repository, name));
  if (commit !== undefined) return commit;
  throw new UsageError(`baseBranch: there is no branch ${name} to start from`, {
    cures: [`git branch ${name}`, 'or name another baseBranch in ralph.config.json'],
  });
}

async function verifyFree({ git }: Repository, name: string): Promise<void> {
  const { stdout } = await git.run(['for-each-ref', '--format=%(worktreepath)', `refs/heads/${name}`]);
  const elsewhere = stdout.toString('utf8').trim();
  if (elsewhere === '') return;
  throw new UsageError(`the branch ${name} is checked out in another working tree: ${elsewhere}`, {
    cures: [`ralph -C ${elsewhere} run`, `git worktree remove ${elsewhere}`],
  });
}

/** A branch `a` stands in the way of `a/b`, and the other way round. */
async function verifyNameFits({ git }: Repository, name: string): Promise<void> {
  const parts = name.split('/');
  const parents = parts.slice(1).map((_, at) => `refs/heads/${parts.slice(0, at + 1).join('/')}`);
  const { stdout } = await git.run(['for-each-ref', '--format=%(refname:short)', ...parents, `refs/heads/${name}/`]);
  const inTheWay = stdout
    .toString('utf8')
    .split('\n')
    .find((line) => line !== '' && (name.startsWith(`${line}/`) || line.startsWith(`${name}/`)));
  if (inTheWay === undefined) return;
  throw new UsageError(`branchName: git can't have a branch ${name} beside the branch ${inTheWay}`, {
    cures: [
      `git branch -m ${inTheWay} ${inTheWay.replaceAll('/', '-')}-old`,
      'or choose another branchName in prd.json',
    ],
  });
}

/**
 * State files that differ from HEAD are carried over: while git switches, the index says of them what the target says,
 * which makes git leave the files alone.
 */
async function checkOut(
  repository: Repository,
  request: BranchRequest,
  target: string,
  args: readonly string[],
): Promise<void> {
  const { git, gitDir } = repository;
  const index = join(gitDir, 'index');
  const copy = join(gitDir, 'ralph', 'index-switch');
  const carried = await findCarried(repository, request.state);
  if (existsSync(index)) copyFileSync(index, copy);
  try {
    const staged = await pointIndexAt(repository, target, carried);
    const result = await git.run(args, { accept: [1, 128] });
    if (result.code !== 0) {
      if (existsSync(copy)) copyFileSync(copy, index);
      throw refused(request.name, result.stderr);
    }
    await writeIndex(repository, staged);
  } finally {
    rmSync(copy, { force: true });
  }
}

/** State files that the user (or ralph) has changed, or that HEAD does not have. */
async function findCarried({ git }: Repository, state: readonly BytePath[]): Promise<BytePath[]> {
  if (state.length === 0) return [];
  const args = [
    'status',
    '--porcelain',
    '-z',
    '--no-renames',
    '--untracked-files=all',
    '--ignored=matching',
    '--',
    ...state.map(displayPath),
  ];
  return splitNul((await git.run(args)).stdout).map((record) => fromBytes(record.slice(3)));
}

/** Returns what the user had staged for these paths, to be staged again afterwards. */
async function pointIndexAt(
  repository: Repository,
  target: string,
  carried: readonly BytePath[],
): Promise<ReadonlyMap<BytePath, TreeEntry | undefined>> {
  const staged = new Map<BytePath, TreeEntry | undefined>();
  if (carried.length === 0) return staged;
  const { git } = repository;
  const wanted = new Map<BytePath, TreeEntry | undefined>();
  const inIndex = await diffTrees(git, 'HEAD', (await git.run(['write-tree'])).stdout.toString('latin1').trim());
  const toTarget = await diffTrees(git, 'HEAD', target);
  for (const path of carried) {
    if (toTarget.has(path)) wanted.set(path, toTarget.get(path)?.after);
    if (inIndex.has(path)) staged.set(path, inIndex.get(path)?.after);
  }
  // A path that is staged and does not differ between HEAD and the target stays staged by itself.
  for (const path of staged.keys()) if (!wanted.has(path)) staged.delete(path);
  await writeIndex(repository, wanted);
  return staged;
}

async function writeIndex(
  repository: Repository,
  entries: ReadonlyMap<BytePath, TreeEntry | undefined>,
): Promise<void> {
  if (entries.size === 0) return;
  const input = joinNul(indexInfo(entries, zeroIdOf(repository.objectFormat)));
  await repository.git.run(['update-index', '-z', '--index-info'], { input });
}

function refused(name: string, words: string): UsageError {
  const files = words.split('\n').filter((line) => line.startsWith('\t'));
  if (files.length === 0) {
    return new UsageError(`git can't switch to the branch ${name}`, {
      problems: words.trim().split('\n'),
      cures: [`git switch ${name}`],
    });
  }
  return new UsageError(`changes of yours are in the way of the branch ${name}`, {
    problems: files.map((line) => line.trim()),
    cures: ['commit them, or put them aside: git stash push --include-untracked', `git switch ${name}`],
  });
}

async function countAhead(repository: Repository, start: string): Promise<string> {
  const base = await defaultBranchOf(repository);
  if (base === undefined) return '';
  const count = await repository.git.text('rev-list', '--count', `${base}..${start}`);
  return ` (${count === '1' ? '1 commit' : `${count} commits`} ahead of ${base})`;
}

/** The remote's default branch, else the configured name for new repositories, else main or master, where it exists. */
export async function defaultBranchOf(repository: Repository): Promise<string | undefined> {
  const { git } = repository;
  const remote = await git.run(['symbolic-ref', '--quiet', '--short', 'refs/remotes/origin/HEAD'], {
    accept: [1, 128],
  });
  const configured = await git.run(['config', '--get', 'init.defaultBranch'], { accept: [1] });
  const names = [
    remote.stdout
      .toString('utf8')
      .trim()
      .replace(/^origin\//, ''),
    configured.stdout.toString('utf8').trim(),
    'main',
    'master',
  ];
  for (const name of names.filter((candidate) => candidate !== '')) {
    if ((await resolve(repository, `refs/heads/${name}`)) !== undefined) return name;
  }
  return undefined;
}
