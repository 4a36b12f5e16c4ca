import { copyFileSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../errors.ts';
import { quoteWord } from '../shell-words.ts';
import { displayPath, splitNul } from './byte-path.ts';
import type { BytePath } from './byte-path.ts';
import { planCarry, withAside, writeIndex } from './carry-state.ts';
import type { Repository } from './repository.ts';

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
  const { exists, commit: start } = await findStart(repository, request);
  if (exists) {
    await verifyFree(repository, request.name);
    const remark = await checkOut(repository, request, start, [request.name]);
    return `Switched to the branch ${request.name}${remark}`;
  }
  await verifyNameFits(repository, request.name);
  const remark = await checkOut(repository, request, start, ['--no-track', '-c', request.name, start]);
  const from = request.base ?? request.current;
  const ahead = await countAhead(repository, start);
  return `Created the branch ${request.name} from ${from}${ahead}${remark}`;
}

/** The tip of the branch, or where it is to be created. Throws UsageError where its base does not exist. */
export async function findStart(
  repository: Repository,
  request: BranchRequest,
): Promise<{ exists: boolean; commit: string }> {
  const existing = await resolve(repository, `refs/heads/${request.name}`);
  if (existing !== undefined) return { exists: true, commit: existing };
  return { exists: false, commit: await startOf(repository, request) };
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
    cures: [`make it here: git branch ${quoteWord(name)}`, 'or name another baseBranch in ralph.config.json'],
  });
}

/** Throws UsageError where another working tree has the branch checked out. */
export async function verifyFree({ git }: Repository, name: string): Promise<void> {
  const { stdout } = await git.run(['for-each-ref', '--format=%(worktreepath)', `refs/heads/${name}`]);
  const elsewhere = stdout.toString('utf8').trim();
  if (elsewhere === '') return;
  throw new UsageError(`the branch ${name} is checked out in another working tree: ${elsewhere}`, {
    cures: existsSync(elsewhere)
      ? [
          `work there: ralph -C ${quoteWord(elsewhere)} run`,
          `or take it away: git worktree remove ${quoteWord(elsewhere)}`,
        ]
      : ['that folder is gone, and git may forget it: git worktree prune'],
  });
}

/** A branch `a` stands in the way of `a/b`, and the other way round: UsageError. */
export async function verifyNameFits({ git }: Repository, name: string): Promise<void> {
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
      `rename that one: git branch -m ${quoteWord(inTheWay)} ${quoteWord(`${inTheWay.replaceAll('/', '-')}-old`)}`,
      'or choose another branchName in prd.json',
    ],
  });
}

/**
 * Switches with the state files that are carried over. Returns a remark where git switched and then complained (a hook that
 * failed). What is ignored is not overwritten either.
 */
async function checkOut(
  repository: Repository,
  request: BranchRequest,
  target: string,
  args: readonly string[],
): Promise<string> {
  const { git, gitDir } = repository;
  await verifyNoConflicts(repository);
  const index = join(gitDir, 'index');
  const copy = join(gitDir, 'ralph', 'index-switch');
  if (existsSync(index)) copyFileSync(index, copy);
  try {
    const { during, after, aside } = await planCarry(repository, request.state, target);
    await writeIndex(repository, during);
    const flags = ['--quiet', '--no-overwrite-ignore'];
    const result = await withAside(repository, aside, () => git.run(['switch', ...flags, ...args], { accept: 'any' }));
    const isThere = result.code === 0 || (await isOn(repository, request.name));
    if (!isThere) {
      if (existsSync(copy)) copyFileSync(copy, index);
      throw refused(request.name, result.stderr);
    }
    await writeIndex(repository, after);
    return result.code === 0 ? '' : `; its post-checkout hook failed: ${result.stderr.trim()}`;
  } finally {
    rmSync(copy, { force: true });
  }
}

async function isOn({ git }: Repository, name: string): Promise<boolean> {
  const { stdout } = await git.run(['symbolic-ref', '--quiet', 'HEAD'], { accept: [1] });
  return stdout.toString('utf8').trim() === `refs/heads/${name}`;
}

/** A stash popped with conflicts leaves some without a merge under way. */
async function verifyNoConflicts({ git }: Repository): Promise<void> {
  const { stdout } = await git.run(['diff', '--name-only', '--diff-filter=U', '-z']);
  const paths = splitNul(stdout);
  if (paths.length === 0) return;
  throw new UsageError('files hold conflicts that are not solved: git switches to no other branch', {
    problems: paths.map(displayPath),
    cures: [`solve them, then: git add -- ${wordsOf(paths.map(displayPath))}`],
  });
}

function refused(name: string, words: string): UsageError {
  const [, lock] = /'(.+\.lock)': File exists/.exec(words) ?? [];
  if (lock !== undefined) return lockInTheWay(name, lock);
  const files = words.split('\n').filter((line) => line.startsWith('\t'));
  if (files.length === 0) {
    return new UsageError(`git can't switch to the branch ${name}`, {
      problems: words.trim().split('\n'),
      cures: [`see what git says to: git switch ${quoteWord(name)}`],
    });
  }
  return changesInTheWay(
    name,
    files.map((line) => line.trim()),
  );
}

export function changesInTheWay(name: string, files: readonly string[]): UsageError {
  return new UsageError(`changes of yours are in the way of the branch ${name}`, {
    problems: files,
    // With their names: an untracked prd.json must not go along.
    cures: [`commit them, or put them aside: git stash push --include-untracked -- ${wordsOf(files)}`],
  });
}

function lockInTheWay(name: string, lock: string): UsageError {
  return new UsageError(`git can't switch to the branch ${name}: a lock file of git is in the way`, {
    problems: [
      `${lock} is there: another git command works in this repository (a commit whose editor is open, say, or an IDE), or one was killed and has left it`,
    ],
    cures: ['let that command end, then again: ralph run', `or, where none runs any more: rm ${quoteWord(lock)}`],
  });
}

/** Names from the root of the working tree, as they may be pasted into a shell anywhere in it. */
function wordsOf(files: readonly string[]): string {
  return files.map((file) => quoteWord(`:/${file}`)).join(' ');
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
  const [remote, configured] = await Promise.all([
    git.run(['symbolic-ref', '--quiet', '--short', 'refs/remotes/origin/HEAD'], { accept: [1, 128] }),
    git.run(['config', '--get', 'init.defaultBranch'], { accept: [1] }),
  ]);
  const textOf = ({ stdout }: { stdout: Buffer }): string => stdout.toString('utf8').trim();
  const names = [textOf(remote).replace(/^origin\//, ''), textOf(configured), 'main', 'master'];
  const refs = names.filter((name) => name !== '').map((name) => `refs/heads/${name}`);
  const there = textOf(await git.run(['for-each-ref', '--format=%(refname)', ...refs])).split('\n');
  return refs.find((ref) => there.includes(ref))?.slice('refs/heads/'.length);
}
