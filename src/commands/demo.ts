import { mkdir, mkdtemp, readdir, readFile, realpath, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { messageOf, RalphError, systemCodeOf, UsageError } from '../errors.ts';
import { createGit, GitError } from '../git/git.ts';
import type { Git } from '../git/git.ts';
import { packageFile } from '../package-files.ts';
import { quoteWord } from '../shell-words.ts';

/** How the demo starts the loop: `ralph run` without options in this folder, with this environment and no other. */
export interface DemoCall {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

export interface DemoWorld {
  /** Writes text to standard output as it is. */
  readonly out: (text: string) => void;
  /** The real loop; gives the exit code of the run. */
  readonly runLoop: (call: DemoCall) => Promise<number>;
  readonly env: NodeJS.ProcessEnv;
  /** Where scratch folders are made: `os.tmpdir()`. */
  readonly tempFolder: string;
}

export interface DemoProject extends DemoCall {
  readonly git: Git;
}

const demoFiles = packageFile('templates/demo');

/**
 * A complete run in a scratch repository with a scripted agent: no account, no network, no identity. The repository stays.
 * Returns the exit code of the run. Throws RalphError where no scratch repository can be made.
 */
export async function runDemo(world: DemoWorld): Promise<number> {
  const project = await prepareDemo(world);
  world.out(openingText(project.cwd));
  const code = await world.runLoop({ cwd: project.cwd, env: project.env });
  world.out(await closingText(project, code));
  return code;
}

/** Makes the scratch repository with its PRD, its config and one commit, and the environment in which it is to be used. */
export async function prepareDemo({ env, tempFolder }: Pick<DemoWorld, 'env' | 'tempFolder'>): Promise<DemoProject> {
  const scratch = await makeScratch(tempFolder);
  const cwd = path.join(scratch, 'project');
  for (const folder of ['home', 'bin']) await mkdir(path.join(scratch, folder));
  await symlink(process.execPath, path.join(scratch, 'bin', 'node'));
  await copyText(path.join(demoFiles, 'project'), cwd);
  await writeFile(path.join(cwd, 'ralph.config.json'), `${JSON.stringify(demoConfig(), null, 2)}\n`);
  const clean = isolateEnv(env, scratch);
  const git = createGit(cwd, clean);
  await startRepository(git);
  return { cwd, env: clean, git };
}

async function startRepository(git: Git): Promise<void> {
  const identity = ['-c', 'user.name=Ralph', '-c', 'user.email=ralph@localhost'];
  try {
    await git.run(['init', '--quiet', '--template=', '--initial-branch=main']);
    await git.run(['add', '--all']);
    await git.run([...identity, 'commit', '--quiet', '--message=An empty project with its acceptance checks']);
  } catch (error) {
    if (!(error instanceof GitError) || systemCodeOf(error.cause) !== 'ENOENT') throw error;
    throw new UsageError('git is not on PATH', { cures: ['install git 2.36 or newer'], cause: error });
  }
}

/**
 * The user's environment without what could lead the demo astray: settings of ralph and of a loop around it, git's
 * repository and config, options and test context of a Node around it, and the home with its dot files. `node` is the one
 * that runs ralph, since a version manager's stand-in on PATH finds nothing in an empty home.
 */
export function isolateEnv(env: NodeJS.ProcessEnv, scratch: string): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(
    ([name, value]) => value !== undefined && !/^(?:RALPH|GIT|NODE|XDG)_/.test(name),
  );
  return {
    ...Object.fromEntries(kept),
    PATH: [path.join(scratch, 'bin'), ...(env['PATH'] === undefined ? [] : [env['PATH']])].join(path.delimiter),
    HOME: path.join(scratch, 'home'),
    XDG_CONFIG_HOME: path.join(scratch, 'home', '.config'),
    GIT_CONFIG_GLOBAL: os.devNull,
    GIT_CONFIG_NOSYSTEM: '1',
  };
}

async function makeScratch(tempFolder: string): Promise<string> {
  try {
    return await realpath(await mkdtemp(path.join(tempFolder, 'ralph-demo-')));
  } catch (error) {
    throw new RalphError('environment', `No scratch folder can be made in ${tempFolder}: ${messageOf(error)}`, {
      cures: ['name another temp folder with TMPDIR=<folder>'],
      cause: error,
    });
  }
}

/** Copies a folder of text files by their content alone: where ralph is installed read-only, the copy is not. */
async function copyText(from: string, to: string): Promise<void> {
  await mkdir(to);
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [path.join(from, entry.name), path.join(to, entry.name)];
    if (entry.isDirectory()) await copyText(source, target);
    else await writeFile(target, await readFile(source));
  }
}

function demoConfig(): object {
  const agent = {
    command: process.execPath,
    args: [path.join(demoFiles, 'agent.mjs')],
    prompt: 'stdin',
    output: 'claude-stream-json',
    memoryFile: 'AGENTS.md',
  };
  return {
    tool: 'demo',
    agents: { demo: agent },
    gates: [{ name: 'test', run: 'node --test' }],
    maxIterations: 8,
    delay: '100ms',
  };
}

function openingText(folder: string): string {
  return [
    `A scratch repository: ${folder}`,
    'Three stories, each with checks, and a scripted agent in the place of a real one. It will forget a half of the second',
    'story and say that it is done. Watch what becomes of that.',
    '',
    '',
  ].join('\n');
}

async function closingText({ cwd, git }: DemoProject, code: number): Promise<string> {
  const commits = await linesOf(git, ['log', '--format=%h %s']);
  const refs = await linesOf(git, ['for-each-ref', '--format=%(refname)', 'refs/ralph']);
  return [
    '',
    code === 0
      ? 'What was accepted, newest first (git log):'
      : `The run ended with exit code ${code}. What was accepted until then, newest first (git log):`,
    ...commits.map((line) => `  ${line}`),
    ...refs.flatMap((ref) => ['', 'What was rejected is not lost (a rescue ref):', `  git diff ${ref}^1 ${ref}`]),
    '',
    'Look around; nobody but you deletes it:',
    `  cd ${quoteWord(cwd)}`,
    '  cat prd.json                # the stories, and what ralph wrote into them',
    '  cat progress.txt            # what agent and ralph noted, the rejection included',
    '  ls .ralph/runs/*/           # prompt, output and check logs of each iteration',
    '',
  ].join('\n');
}

async function linesOf(git: Git, args: readonly string[]): Promise<string[]> {
  const { stdout } = await git.run(args);
  return stdout.toString('utf8').split('\n').filter(Boolean);
}
