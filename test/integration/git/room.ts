/** The git room of the program, opened over a repository as it is at the start of a run. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { runCheck } from '../../../src/gates/run-gates.ts';
import { createBlobs } from '../../../src/git/blobs.ts';
import { bytePath } from '../../../src/git/byte-path.ts';
import type { Desk } from '../../../src/git/desk.ts';
import type { StatePaths } from '../../../src/git/state-paths.ts';
import type { Git } from '../../../src/git/git.ts';
import { readIdentity } from '../../../src/git/identity.ts';
import { pushBranch } from '../../../src/git/push.ts';
import { openRepository } from '../../../src/git/repository.ts';
import { openShadow } from '../../../src/git/shadow.ts';
import type { SnapshotData } from '../../../src/git/snapshot.ts';
import { createWorkspace } from '../../../src/git/workspace.ts';
import type { CheckResult, CheckScope, CommitResult, Outcome, Workspace } from '../../../src/loop/ports.ts';
import { createChildRegistry } from '../../../src/process/registry.ts';
import type { Ground } from './ground.ts';

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
      writing: () => {},
      committing: () => {},
      indexed: () => {},
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
