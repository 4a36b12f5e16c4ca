/** A real repository in a temp folder, and the git room of the program opened over it. */
import { execFileSync, spawnSync } from 'node:child_process';
import { lstatSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { runCheck } from '../../../src/gates/run-gates.ts';
import { createBlobs } from '../../../src/git/blobs.ts';
import { bytePath } from '../../../src/git/byte-path.ts';
import type { Desk, StatePaths } from '../../../src/git/desk.ts';
import type { Git } from '../../../src/git/git.ts';
import { readIdentity } from '../../../src/git/identity.ts';
import { pushBranch } from '../../../src/git/push.ts';
import { openRepository } from '../../../src/git/repository.ts';
import { openShadow } from '../../../src/git/shadow.ts';
import type { SnapshotData } from '../../../src/git/snapshot.ts';
import { createWorkspace } from '../../../src/git/workspace.ts';
import type { CheckResult, CheckScope, CommitResult, Outcome, Workspace } from '../../../src/loop/ports.ts';
import { createChildRegistry } from '../../../src/process/registry.ts';

/** A file, by its exact bytes. */
export type Content = string | Uint8Array;

export interface Ground {
  /** Above the repository: a place for bare remotes and other worktrees. */
  readonly outside: string;
  readonly root: string;
  readonly env: NodeJS.ProcessEnv;
  /** git in the root, as the user or the agent calls it; throws where it fails. Trimmed standard output. */
  git(...args: readonly string[]): string;
  /** The same without a care for its exit code, which is returned. */
  tryGit(...args: readonly string[]): number;
  /** A shell script in the root, which ends at the first command that fails, and must not fail. */
  sh(script: string): void;
  write(file: string, content: Content): void;
  read(file: string): string;
  bytes(file: string): Buffer;
  remove(file: string): void;
  exists(file: string): boolean;
  commit(message: string): string;
  /** The trees of a commit or tree: names. */
  names(commit: string): string[];
  dispose(): void;
}

export interface Room extends Ground {
  readonly desk: Desk;
  readonly workspace: Workspace;
  /** What was written down at the start of the turn under way. */
  recorded(): SnapshotData;
  readonly warnings: string[];
  begin(iteration?: number): Promise<void>;
  compare(): Promise<Outcome>;
  /** Judged well: commits and ends the turn. */
  accept(subject?: string, signal?: AbortSignal): Promise<CommitResult>;
  /** Judged badly: rolls back and ends the turn. Returns the rescue ref. */
  reject(): Promise<string | undefined>;
  keep(): Promise<void>;
  /** The folder to which left-over files of an iteration are moved. */
  left(iteration?: number): string;
}

export const RUN = '20250101T000000000Z-test';

export function breakGround(objectFormat?: string): Ground {
  const outside = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'ralph-git-')));
  const root = path.join(outside, 'repo');
  const env: NodeJS.ProcessEnv = {
    PATH: process.env['PATH'],
    HOME: outside,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: path.join(outside, '.gitconfig'),
    GIT_CEILING_DIRECTORIES: outside,
    GIT_AUTHOR_DATE: '2025-01-01T00:00:00Z',
    GIT_COMMITTER_DATE: '2025-01-01T00:00:00Z',
    GIT_EDITOR: 'true',
  };
  mkdirSync(root);
  writeFileSync(
    path.join(outside, '.gitconfig'),
    '[user]\n\tname = User\n\temail = user@localhost\n[protocol "file"]\n\tallow = always\n[gc]\n\tauto = 0\n[advice]\n\tdetachedHead = false\n',
  );
  const at = (file: string): string => path.join(root, file);
  const ground: Ground = {
    outside,
    root,
    env,
    git: (...args) =>
      execFileSync('git', args, { cwd: root, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim(),
    tryGit: (...args) => spawnSync('git', args, { cwd: root, env, stdio: 'ignore' }).status ?? -1,
    sh: (script) => execFileSync('sh', ['-ec', script], { cwd: root, env, stdio: ['ignore', 'ignore', 'pipe'] }),
    write: (file, content) => {
      mkdirSync(path.dirname(at(file)), { recursive: true });
      writeFileSync(at(file), content);
    },
    read: (file) => readFileSync(at(file), 'utf8'),
    bytes: (file) => readFileSync(at(file)),
    remove: (file) => rmSync(at(file), { recursive: true, force: true }),
    exists: (file) => lstatSync(at(file), { throwIfNoEntry: false }) !== undefined,
    commit: (message) => {
      ground.git('add', '-A');
      ground.git('commit', '--quiet', '--allow-empty', '-m', message);
      return ground.git('rev-parse', 'HEAD');
    },
    names: (commit) =>
      ground
        .git('ls-tree', '-r', '-z', '--name-only', commit)
        .split('\0')
        .filter((name) => name !== ''),
    dispose: () => rmSync(outside, { recursive: true, force: true }),
  };
  const format = objectFormat === undefined ? [] : [`--object-format=${objectFormat}`];
  ground.git('init', '--quiet', '--initial-branch=main', ...format);
  return ground;
}

export interface RoomOptions {
  /** Where the program is opened; the root by default. */
  readonly folder?: string;
  readonly state?: Partial<Record<'prd' | 'progress' | 'archive', string>> & { committed?: readonly string[] };
  readonly hookTimeoutMs?: number;
  readonly branch?: string;
  readonly repairs?: boolean;
  /** Puts something around each call of git. */
  readonly wrapGit?: (git: Git) => Git;
}

/** Where the run folder of the tests keeps what was left over in an iteration. */
const leftOf =
  (root: string) =>
  (iteration = 1): string =>
    path.join(root, '.ralph', 'runs', RUN, String(iteration).padStart(3, '0'), 'left');

/** The run folder hides itself, also after an agent has removed it. */
function makeRunFolder(root: string): void {
  const folder = path.join(root, '.ralph', 'runs', RUN);
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, '.gitignore'), '*\n');
}

/** What all steps of a run work with, as the program makes it. */
export async function openDesk(ground: Pick<Ground, 'root' | 'env'>, options: RoomOptions = {}): Promise<Desk> {
  const found = await openRepository(options.folder ?? ground.root, ground.env);
  const repository = options.wrapGit === undefined ? found : { ...found, git: options.wrapGit(found.git) };
  mkdirSync(path.join(repository.gitDir, 'ralph'), { recursive: true });
  makeRunFolder(repository.root);
  return {
    repository,
    shadow: await openShadow(repository),
    blobs: createBlobs(repository),
    run: RUN,
    state: stateOf(options.state),
    leftFolder: (iteration) => {
      makeRunFolder(repository.root);
      return leftOf(repository.root)(iteration);
    },
    identity: await readIdentity(repository),
    hooks: true,
    runHook: (hook, scope) => runHook(ground, repository.root, hook, scope, options.hookTimeoutMs ?? 20_000),
  };
}

/** Opens the git room as the program does at the start of a run. */
export async function openRoom(ground: Ground, options: RoomOptions = {}): Promise<Room> {
  const desk = await openDesk(ground, options);
  const { repository } = desk;
  const branch = options.branch ?? ground.git('-C', repository.root, 'symbolic-ref', '--short', 'HEAD');
  const warnings: string[] = [];
  let recorded: SnapshotData | undefined;
  const workspace = createWorkspace(desk, branch, {
    repairs: options.repairs ?? true,
    record: {
      begun: async (snapshot) => {
        recorded = structuredClone(snapshot);
        return Promise.resolve();
      },
      committing: () => {},
      settled: () => {},
    },
    keepChanged: async () => Promise.resolve(),
    warn: (text) => warnings.push(text),
    pushBranch: async (name) => pushBranch(repository, name, new AbortController().signal),
  });
  const left = leftOf(repository.root);
  return { ...ground, ...turnsOf(workspace, () => recorded), desk, workspace, warnings, left };
}

function turnsOf(
  workspace: Workspace,
  recorded: () => SnapshotData | undefined,
): Pick<Room, 'begin' | 'compare' | 'accept' | 'reject' | 'keep' | 'recorded'> {
  let iteration = 1;
  const known = (): SnapshotData => {
    const snapshot = recorded();
    if (snapshot === undefined) throw new Error('no turn has begun');
    return snapshot;
  };
  return {
    recorded: known,
    async begin(number = 1) {
      iteration = number;
      await workspace.snapshot({ iteration, try: 1 });
    },
    compare: () => workspace.compare(known()),
    async accept(subject = 'feat: [US-001] - Story', signal = new AbortController().signal) {
      const trailers = [['Ralph-Story', 'US-001']] as const;
      const result = await workspace.commit({ subject, trailers, scope: { iteration, story: 'US-001', signal } });
      if (result.kind === 'committed') await workspace.release();
      return result;
    },
    async reject() {
      const ref = await workspace.rollBack();
      await workspace.release();
      return ref;
    },
    async keep() {
      await workspace.keep();
      await workspace.release();
    },
  };
}

function stateOf(state: RoomOptions['state']): StatePaths | undefined {
  if (state === undefined) return undefined;
  const paths = {
    prd: bytePath(state.prd ?? 'prd.json'),
    progress: bytePath(state.progress ?? 'progress.txt'),
    archive: bytePath(state.archive ?? 'archive'),
  };
  return { ...paths, committed: (state.committed ?? []).map(bytePath) };
}

async function runHook(
  ground: Pick<Ground, 'env'>,
  root: string,
  hook: Parameters<Desk['runHook']>[0],
  scope: CheckScope,
  timeoutMs: number,
): Promise<CheckResult> {
  const { name, args, env } = hook;
  return runCheck(
    { name, kind: 'hook', command: `git hook run ${name}`, timeoutMs },
    scope,
    {
      command: 'git',
      args: ['hook', 'run', '--ignore-missing', name, '--', ...args],
      cwd: root,
      env: { ...ground.env, ...env },
    },
    {
      run: RUN,
      emit: () => {},
      registry: createChildRegistry(() => {}),
      openLog: () => ({ path: `${name}.log`, write: () => {}, close: () => {} }),
    },
  );
}
