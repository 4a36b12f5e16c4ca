import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf, systemCodeOf, UsageError } from '../errors.ts';
import { runTool } from '../process/run-tool.ts';
import { createGit, GitError } from './git.ts';
import type { Git } from './git.ts';

/** The repository that a start folder belongs to. All paths are absolute. */
export interface Repository {
  readonly git: Git;
  /** Root of the working tree. */
  readonly root: string;
  /** Git folder of this working tree; a linked worktree has its own. */
  readonly gitDir: string;
  /** Git folder shared by all worktrees: objects, refs, config. */
  readonly commonDir: string;
  readonly objectFormat: string;
}

/** `git hook run`, on which hooks as gates stand, came with 2.36. */
const OLDEST = [2, 36] as const;

/**
 * Finds the repository of a folder. Throws UsageError with the command that cures it where git is missing or too old, or
 * where there is no working tree.
 */
export async function openRepository(folder: string, env: NodeJS.ProcessEnv): Promise<Repository> {
  await verifyVersion(folder, env);
  const outside = createGit(folder, env);
  const asked = [
    'rev-parse',
    '--path-format=absolute',
    '--show-toplevel',
    '--git-dir',
    '--git-common-dir',
    '--show-object-format',
  ];
  const answer = await outside.run(asked, { accept: [128] });
  if (answer.code !== 0) throw noWorkingTree(folder, answer.stderr);
  const [root, gitDir, commonDir, objectFormat] = answer.stdout.toString('utf8').split('\n');
  if (root === undefined || gitDir === undefined || commonDir === undefined || objectFormat === undefined) {
    throw noWorkingTree(folder, answer.stderr);
  }
  return { git: createGit(root, env), root, gitDir, commonDir, objectFormat };
}

function noWorkingTree(folder: string, words: string): UsageError {
  if (/dubious ownership/.test(words)) {
    return new UsageError(`git does not trust the repository of ${folder}: it belongs to another user`, {
      problems: words.trim().split('\n'),
      cures: [`git config --global --add safe.directory ${folder}`],
    });
  }
  if (/work tree/.test(words)) {
    return new UsageError(`${folder} is in a bare repository or in a git folder: there is no working tree to work in`, {
      cures: ['git worktree add ../work', 'ralph -C ../work run'],
    });
  }
  return new UsageError(`${folder} is not in a git repository`, {
    cures: ['git init && git add -A && git commit -m "Start"'],
  });
}

async function verifyVersion(folder: string, env: NodeJS.ProcessEnv): Promise<void> {
  const words = await versionOf(folder, env);
  const [, major, minor] = /(\d+)\.(\d+)/.exec(words) ?? [];
  const found = [Number(major), Number(minor)] as const;
  if (found[0] > OLDEST[0] || (found[0] === OLDEST[0] && found[1] >= OLDEST[1])) return;
  throw new UsageError(`git ${OLDEST.join('.')} or newer is needed; this is ${words}`, {
    cures: ['install a newer git'],
  });
}

async function versionOf(folder: string, env: NodeJS.ProcessEnv): Promise<string> {
  try {
    return (await runTool('git', ['--version'], { cwd: folder, env })).stdout.toString('utf8').trim();
  } catch (error) {
    if (!existsSync(folder)) throw new UsageError(`there is no folder ${folder}`, { cause: error });
    if (systemCodeOf(error) !== 'ENOENT') throw new GitError(['--version'], messageOf(error));
    throw new UsageError('git is not on PATH', { cures: ['install git 2.36 or newer'], cause: error });
  }
}

const underWay = [
  { mark: 'MERGE_HEAD', name: 'a merge', cures: ['git merge --continue', 'git merge --abort'] },
  { mark: 'rebase-merge', name: 'a rebase', cures: ['git rebase --continue', 'git rebase --abort'] },
  { mark: 'rebase-apply', name: 'a rebase or git am', cures: ['git rebase --abort', 'git am --abort'] },
  { mark: 'CHERRY_PICK_HEAD', name: 'a cherry-pick', cures: ['git cherry-pick --continue', 'git cherry-pick --abort'] },
  { mark: 'REVERT_HEAD', name: 'a revert', cures: ['git revert --continue', 'git revert --abort'] },
  { mark: 'BISECT_LOG', name: 'a bisect', cures: ['git bisect reset'] },
] as const;

/** Throws UsageError unless there is a commit, a branch is checked out and nothing is half done. Returns that branch. */
export async function verifyReady(repository: Repository): Promise<string> {
  const { git, gitDir } = repository;
  const head = await git.run(['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'], { accept: [1, 128] });
  if (head.code !== 0) {
    throw new UsageError('the repository has no commit yet: ralph needs one to come back to', {
      cures: ['git add -A && git commit -m "Start"'],
    });
  }
  // Looked at before HEAD: a rebase detaches it, and its own cure is the one that helps.
  const operation = underWay.find(({ mark }) => existsSync(join(gitDir, mark)));
  if (operation !== undefined) {
    throw new UsageError(`${operation.name} is under way in ${repository.root}`, { cures: operation.cures });
  }
  const branch = await git.run(['symbolic-ref', '--quiet', '--short', 'HEAD'], { accept: [1] });
  if (branch.code === 0) return branch.stdout.toString('utf8').trim();
  throw new UsageError('no branch is checked out (HEAD is detached)', {
    cures: ['git switch -', 'git switch -c my-branch'],
  });
}
