import { cpSync, existsSync, lstatSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { RalphError } from './errors.ts';
import { createAgent } from './agent/run-agent.ts';
import type { AgentSpec } from './agent/types.ts';
import { here } from './agent/zoned-time.ts';
import { systemClock } from './clock.ts';
import type { Settings } from './config/settings.ts';
import { createGates, runCheck } from './gates/run-gates.ts';
import { createBlobs } from './git/blobs.ts';
import type { Desk } from './git/desk.ts';
import type { StatePaths } from './git/state-paths.ts';
import { readIdentity } from './git/identity.ts';
import { pushBranch } from './git/push.ts';
import type { Repository } from './git/repository.ts';
import { openShadow } from './git/shadow.ts';
import type { SnapshotData } from './git/snapshot.ts';
import { createWorkspace } from './git/workspace.ts';
import type { TurnRecord } from './git/workspace.ts';
import type { Ports, PrdFile, StateTexts, Workspace } from './loop/ports.ts';
import { childEnvironment } from './process/child-environment.ts';
import type { ChildRegistry } from './process/registry.ts';
import { runWatched } from './process/run-watched.ts';
import { encodeLog } from './progress/log-bytes.ts';
import type { ProgressFile } from './progress/progress-log.ts';
import type { PromptPort } from './loop/ports.ts';
import type { OpenRunFolder } from './run-folder/run-folder.ts';
import { linkIn, moveAsideForeign, putLinkBack, readShape } from './run-folder/state-shape.ts';
import type { StateShape } from './run-folder/state-shape.ts';
import type { StateBytes } from './run-folder/turn-file.ts';
import { markCommitting, markIndexed, markWriting, removeTurn, writeTurn } from './run-folder/turn-file.ts';

/** What a run is made of, once it is known that it can start. */
export interface Parts {
  readonly repository: Repository;
  readonly start: string;
  readonly settings: Settings;
  readonly env: NodeJS.ProcessEnv;
  readonly spec: AgentSpec;
  readonly agentArgs: readonly string[];
  readonly prompt: PromptPort;
  readonly prd: PrdFile | undefined;
  readonly log: ProgressFile | undefined;
  readonly state: StatePaths | undefined;
  readonly folder: OpenRunFolder;
  readonly registry: ChildRegistry;
  readonly cut: AbortSignal;
}

/** The desk of one run: `run` is another one's while that one is recovered. */
export async function openDesk(
  parts: Omit<Parts, 'prompt' | 'spec' | 'agentArgs' | 'cut'>,
  run: string,
): Promise<Desk> {
  const { repository, env, folder, registry, settings } = parts;
  return {
    repository,
    shadow: await openShadow(repository),
    blobs: createBlobs(repository),
    run,
    state: parts.state,
    leftFolder: (iteration) => join(folder.folderOf(iteration), 'left'),
    identity: await readIdentity(repository),
    hooks: settings.hooks,
    runHook: ({ name, args, env: more }, scope) =>
      runCheck(
        { name, kind: 'hook', command: `git hook run ${name}`, timeoutMs: settings.gateTimeout },
        scope,
        {
          command: 'git',
          args: ['hook', 'run', '--ignore-missing', name, '--', ...args],
          cwd: repository.root,
          env: {
            ...childEnvironment(env, { run: folder.run, iteration: scope.iteration, story: scope.story }),
            ...more,
          },
        },
        { run: folder.run, openLog: folder.openLog, emit: folder.emit, registry },
      ),
  };
}

/** Builds the real ports of a run. */
export function composePorts(parts: Parts, desk: Desk, branch: string): Ports {
  const { repository, start, env, folder, registry, settings, spec, cut } = parts;
  const { root } = repository;
  const shared = { env, run: folder.run, emit: folder.emit, openLog: folder.openLog, registry };
  return {
    clock: systemClock,
    cut,
    random: Math.random,
    prd: parts.prd,
    log: parts.log,
    prompt: parts.prompt,
    folder,
    gates: createGates({ ...shared, cwd: start }),
    agent: createAgent({
      ...shared,
      spec,
      settings,
      extraArgs: parts.agentArgs,
      root,
      cwd: start,
      keepPrompt: ({ iteration, prompt }) => folder.keep(iteration, 'prompt-file.md', prompt),
      runWatched,
      here,
    }),
    workspace: guardShapes(
      parts,
      createWorkspace(desk, branch, {
        repairs: parts.prd !== undefined,
        record: createTurnRecord(parts),
        keepChanged: async (paths, iteration) =>
          copyAside(root, paths, join(folder.folderOf(iteration), 'changed-by-gates')),
        warn: (text) => folder.emit({ type: 'warning.raised', text, place: null }),
        pushBranch: async (name) => pushBranch(repository, name, cut),
      }),
    ),
  };
}

/** What an agent put in the place of a state file goes before anybody looks into it. */
function guardShapes({ repository, folder, prd, log }: Parts, workspace: Workspace): Workspace {
  const files = [prd, log].flatMap((file) => (file === undefined ? [] : [join(repository.root, file.path)]));
  let scope = { iteration: 0 };
  let shapes: StateShape[] = [];
  return {
    ...workspace,
    async snapshot(now) {
      scope = now;
      shapes = files.map(readShape);
      return workspace.snapshot(now);
    },
    async compare(snapshot) {
      for (const [at, file] of files.entries()) {
        const before = shapes[at] ?? { kind: 'plain' };
        moveAsideForeign(file, before, join(folder.folderOf(scope.iteration), 'left'));
        putLinkBack(file, before);
      }
      return workspace.compare(snapshot);
    },
  };
}

function createTurnRecord({ repository, folder, prd, log }: Parts): TurnRecord {
  const { gitDir, root } = repository;
  const readIfAny = (file: { path: string } | undefined): Buffer | undefined => {
    const at = file === undefined ? undefined : join(root, file.path);
    return at !== undefined && existsSync(at) ? readFileSync(at) : undefined;
  };
  return {
    begun: async (snapshot: SnapshotData) => {
      const problem = folder.problem();
      // An agent whose output can't be kept is not even started.
      if (problem !== undefined)
        throw new RalphError('environment', `the folder of this run can't be written: ${problem.message}`);
      const progress = log === undefined ? undefined : await log.raw();
      const names = { prd: prd?.path ?? null, progress: log?.path ?? null };
      const links = { prd: linkIn(root, names.prd), progress: linkIn(root, names.progress) };
      const turn = {
        v: 1,
        run: folder.run,
        phase: 'working',
        repairs: prd !== undefined,
        ...names,
        links,
        snapshot,
      } as const;
      writeTurn(gitDir, turn, { prd: await prd?.raw(), progress });
    },
    writing: ({ phase, without, written }) =>
      markWriting(gitDir, { phase, without: bytesOf(without), written: bytesOf(written) }),
    committing: (commit, index) =>
      markCommitting(gitDir, { commit, index }, { prd: readIfAny(prd), progress: readIfAny(log) }),
    indexed: () => markIndexed(gitDir),
    settled: () => removeTurn(gitDir),
  };
}

function bytesOf({ prd, log }: StateTexts): StateBytes {
  return { prd: Buffer.from(prd), progress: encodeLog(log) };
}

/** Copies files of the working tree into the run folder; what is no file or link any more is left out. */
function copyAside(root: string, paths: readonly string[], folder: string): void {
  for (const path of paths) {
    const from = join(root, path);
    if (lstatSync(from, { throwIfNoEntry: false }) === undefined) continue;
    const to = join(folder, relative(root, from));
    mkdirSync(dirname(to), { recursive: true });
    cpSync(from, to, { recursive: true, verbatimSymlinks: true });
  }
}
