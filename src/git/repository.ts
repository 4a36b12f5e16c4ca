import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf, systemCodeOf, UsageError } from '../errors.ts';
import { quoteWord } from '../shell-words.ts';
import { runTool } from '../process/run-tool.ts';
import { createGit, GitError } from './git.ts';
import type { Git } from './git.ts';
import { peekHead } from './peek-head.ts';

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
    // The root of the repository, which git names, and not the folder in it that ralph was started in.
    const [, root = folder] = /repository at '(.*)'/.exec(words) ?? [];
    return new UsageError(`git does not trust the repository of ${folder}: it belongs to another user`, {
      cures: [`if you do: git config --global --add safe.directory ${quoteWord(root)}`],
    });
  }
  if (/work tree/.test(words)) {
    const [, above] = /^(.*)\/\.git(?:\/|$)/.exec(folder) ?? [];
    return new UsageError(`${folder} is in a bare repository or in a git folder: there is no working tree to work in`, {
      cures: [
        above === undefined ? 'git worktree add ../work && ralph -C ../work run' : `ralph -C ${quoteWord(above)} run`,
      ],
    });
  }
  return new UsageError(`${folder} is not in a git repository`, { cures: [`git init && ${FIRST_COMMIT}`] });
}

/** Made also where there is no file yet. */
export const FIRST_COMMIT = 'git add -A && git commit --allow-empty -m "Start"';

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
  { marks: ['MERGE_HEAD'], name: 'a merge', cures: endOf('merge') },
  { marks: ['rebase-merge'], name: 'a rebase', cures: endOf('rebase') },
  { marks: ['rebase-apply', 'rebase-apply/applying'], name: 'git am', cures: endOf('am') },
  { marks: ['rebase-apply'], name: 'a rebase', cures: endOf('rebase') },
  { marks: ['CHERRY_PICK_HEAD'], name: 'a cherry-pick', cures: endOf('cherry-pick') },
  { marks: ['REVERT_HEAD'], name: 'a revert', cures: endOf('revert') },
  // Between two commits of a series this folder is all there is of it.
  { marks: ['sequencer'], name: 'a series of cherry-picks or reverts', cures: endOf('cherry-pick') },
  { marks: ['BISECT_LOG'], name: 'a bisect', cures: ['git bisect reset'] },
];

function endOf(command: string): string[] {
  return [`solve what is open, then: git ${command} --continue`, `or give it up: git ${command} --abort`];
}

function findOperationUnderWay({ gitDir }: Repository): (typeof underWay)[number] | undefined {
  return underWay.find(({ marks }) => marks.every((mark) => existsSync(join(gitDir, mark))));
}

/** Is that branch checked out, and nothing half done, as far as that shows without git? Then there is nothing to verify. */
export function isReadyOn(repository: Repository, branch: string): boolean {
  return peekHead(repository)?.branch === branch && findOperationUnderWay(repository) === undefined;
}

/** Throws UsageError unless there is a commit, a branch is checked out and nothing is half done. Returns that branch. */
export async function verifyReady(repository: Repository): Promise<string> {
  const { git } = repository;
  const head = await git.run(['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'], { accept: [1, 128] });
  if (head.code !== 0) {
    throw new UsageError('the repository has no commit yet: ralph needs one to come back to', {
      cures: [FIRST_COMMIT],
    });
  }
  // Looked at before HEAD: a rebase detaches it, and its own cure is the one that helps.
  const operation = findOperationUnderWay(repository);
  if (operation !== undefined) {
    throw new UsageError(`${operation.name} is under way in ${repository.root}`, { cures: operation.cures });
  }
  const branch = await git.run(['symbolic-ref', '--quiet', '--short', 'HEAD'], { accept: [1] });
  if (branch.code === 0) return branch.stdout.toString('utf8').trim();
  const last = await lastBranch(repository);
  throw new UsageError('no branch is checked out (HEAD is detached)', {
    cures: [
      ...(last === undefined ? [] : [`back to the branch of before: git switch ${quoteWord(last)}`]),
      `or make one here: git switch -c ${await freeName(repository)}`,
    ],
  });
}

/** The branch that was checked out before, where it is still there. */
async function lastBranch({ git }: Repository): Promise<string | undefined> {
  const asked = await git.run(['rev-parse', '--verify', '--quiet', '--symbolic-full-name', '@{-1}'], {
    accept: [1, 128],
  });
  const [, name] = /^refs\/heads\/(.+)$/m.exec(asked.stdout.toString('utf8')) ?? [];
  return name;
}

async function freeName({ git }: Repository): Promise<string> {
  const { stdout } = await git.run(['for-each-ref', '--format=%(refname:lstrip=2)', 'refs/heads/']);
  const taken = new Set(stdout.toString('utf8').split('\n'));
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? 'work' : `work-${number}`;
    if (!taken.has(name)) return name;
  }
}
