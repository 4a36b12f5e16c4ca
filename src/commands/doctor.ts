import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { verifyAgent } from '../agent/preflight.ts';
import { listAgents } from '../agent/registry.ts';
import type { AgentSpec } from '../agent/types.ts';
import { readConfig } from '../config/read.ts';
import { resolveSettings } from '../config/resolve.ts';
import type { Resolved } from '../config/settings.ts';
import { messageOf, RalphError, UsageError } from '../errors.ts';
import { exitCodeOf } from '../exit.ts';
import { cureOfFolder } from '../folder-cure.ts';
import { verifySwitch } from '../git/check-switch.ts';
import { verifyReady } from '../git/repository.ts';
import { findStatePaths } from '../git/state-paths.ts';
import { runTool } from '../process/run-tool.ts';
import { lookAtScreen } from '../reporters/create-reporter.ts';
import { renderDoctor } from '../reporters/doctor-text.ts';
import type { AgentReport, DoctorFacts } from '../reporters/doctor-text.ts';
import { createPalette } from '../reporters/palette.ts';
import { readLock } from '../run-folder/lock.ts';
import { findOldFeature } from '../run/old-feature.ts';
import { prepareRun } from '../run/prepare.ts';
import type { PreparedRun } from '../run/prepare.ts';
import { chooseGates } from '../project/choose-gates.ts';
import { findPrdFile, requirePrdFile } from '../project/find-prd-file.ts';
import { findPlace, loadSettings } from '../project/place.ts';
import type { Place } from '../project/place.ts';
import { listSettings } from './setting-values.ts';
import type { CommandIo, DoctorOptions } from './types.ts';

/** Collects what would stop a run, instead of stopping at the first. */
class Causes {
  readonly found: RalphError[] = [];

  /** The step's result, or undefined where it was refused. What is no refusal is thrown on. */
  async try<T>(step: () => Promise<T>): Promise<T | undefined> {
    try {
      return await step();
    } catch (error) {
      if (!(error instanceof RalphError)) throw error;
      this.add(error);
      return undefined;
    }
  }

  add(error: RalphError): void {
    const isKnown = this.found.some((other) => other.message === error.message);
    if (!isKnown) this.found.push(error);
  }
}

/**
 * Looks at git, agents, config and PRD, and shows every effective setting with its source. Gives the exit code of a run
 * that is started now, as far as that shows without running a gate, a check or the agent: 0, 2 or 4. Writes nothing.
 */
export async function doctor(options: DoctorOptions, io: CommandIo): Promise<number> {
  const causes = new Causes();
  const call = { dryRun: true, nested: false, json: false, quiet: false, agentArgs: [] };
  const prepared = await causes.try(async () => prepareRun({ ...options, ...call }, io));
  const place = await causes.try(async () => findPlace(options.cwd, io));
  const resolved = await resolveAll(options, io, place, causes);
  if (prepared === undefined && place !== undefined) await examine(place, resolved, causes);
  if (prepared !== undefined) await examineStart(prepared, causes);
  const gates = place === undefined ? [] : ((await quietly(async () => chooseGates(place, resolved.settings))) ?? []);
  const agents = await examineAgents(place?.start ?? io.cwd, resolved, prepared?.spec, io, causes);
  const code = codeOf(causes.found);
  const facts: DoctorFacts = {
    facts: await listFacts(place, prepared),
    agents,
    gates,
    settings: listSettings(resolved, { tool: prepared?.spec.name, prd: prepared?.prd?.path, gates }),
    warnings: (prepared?.warnings ?? resolved.warnings).map(({ text, place: at }) =>
      at === null ? text : `${at}: ${text}`,
    ),
    causes: causes.found.map(({ message, problems, cures }) => ({ headline: message, problems, cures })),
    code,
  };
  const { color } = lookAtScreen(io.screen, io.env, options.noColor);
  io.writer.out(renderDoctor(facts, createPalette(color)));
  return code;
}

/** Bad input is cured first, so it wins. */
function codeOf(causes: readonly RalphError[]): number {
  if (causes.length === 0) return 0;
  return exitCodeOf(causes.every(({ reason }) => reason === 'agent-unavailable') ? 'agent-unavailable' : 'usage');
}

/** All settings; without the layer that is broken where there is one, which is then among the causes. */
async function resolveAll(
  { given }: DoctorOptions,
  io: CommandIo,
  place: Place | undefined,
  causes: Causes,
): Promise<Resolved> {
  const whole = place === undefined ? undefined : await quietly(async () => loadSettings(place, given, io.env));
  if (whole !== undefined) return whole;
  const file = place === undefined ? undefined : await causes.try(async () => readConfig(place.repository.root));
  const layers = [
    { given, env: io.env },
    { given, env: {} },
    { given: {}, env: io.env },
  ];
  for (const layer of layers) {
    const resolved = await causes.try(async () => Promise.resolve(resolveSettings({ ...layer, file })));
    if (resolved !== undefined) return resolved;
  }
  return resolveSettings({ given: {}, env: {}, file });
}

/** What a run looks at, each for itself. */
async function examine(place: Place, resolved: Resolved, causes: Causes): Promise<void> {
  await causes.try(async () => verifyReady(place.repository));
  const file = await causes.try(async () =>
    resolved.settings.prompt === undefined ? requirePrdFile(place, resolved) : findPrdFile(place, resolved),
  );
  if (file !== undefined) await causes.try(async () => file.read());
}

/** What the start of a run refuses after it has read everything: the switch of the branch, and the archive. */
async function examineStart(prepared: PreparedRun, causes: Causes): Promise<void> {
  const { prd, log, place, branch, currentBranch, settings, archive, reading } = prepared;
  if (prd === undefined || log === undefined) return;
  const { repository } = place;
  const state = await findStatePaths(repository, prd.path, log.path, archive);
  const request = {
    name: branch,
    base: settings.baseBranch,
    current: currentBranch,
    state: state === undefined ? [] : [state.prd, state.progress, state.archive],
  };
  await causes.try(async () => verifySwitch(repository, request));
  const named = reading?.prd.branchName;
  const old =
    named === undefined ? undefined : await findOldFeature(repository, { prd: prd.path, log: await log.raw() }, named);
  if (old !== undefined) await causes.try(async () => verifyArchive(join(repository.root, archive)));
}

async function verifyArchive(folder: string): Promise<void> {
  try {
    const target = existsSync(folder) ? folder : dirname(folder);
    if (!statSync(target).isDirectory()) throw Object.assign(new Error('it is no folder'), { code: 'ENOTDIR' });
    accessSync(target, constants.W_OK);
  } catch (error) {
    throw new UsageError(`the archive can't be written: ${folder}`, {
      problems: [messageOf(error)],
      cures: [cureOfFolder(folder, error)],
      cause: error,
    });
  }
  return Promise.resolve();
}

/** Every known agent is asked as before a run; only the one that would be used can be a cause. */
async function examineAgents(
  cwd: string,
  { settings }: Resolved,
  chosen: AgentSpec | undefined,
  io: CommandIo,
  causes: Causes,
): Promise<AgentReport[]> {
  const specs = (await causes.try(async () => Promise.resolve(listAgents(settings.agents)))) ?? listAgents({});
  const isChosen = (spec: AgentSpec): boolean => spec.name === (chosen?.name ?? settings.tool);
  const deps = { cwd, env: io.env, uid: process.getuid?.(), runTool };
  return Promise.all(
    specs.map(async (spec): Promise<AgentReport> => {
      try {
        const { path, version, loggedIn } = await verifyAgent(spec, deps);
        const login = loggedIn === undefined ? [] : ['logged in'];
        const text = [version ?? 'found (version and login are not asked)', ...login, path].join(' · ');
        return { name: spec.name, text, isUsable: true, isChosen: isChosen(spec) };
      } catch (error) {
        if (!(error instanceof RalphError)) throw error;
        if (isChosen(spec)) causes.add(error);
        return { name: spec.name, text: error.message, isUsable: false, isChosen: isChosen(spec) };
      }
    }),
  );
}

async function listFacts(place: Place | undefined, prepared: PreparedRun | undefined): Promise<DoctorFacts['facts']> {
  const node = { name: 'node', text: process.version };
  if (place === undefined) return [node];
  const { repository, start } = place;
  const version = await repository.git.text('version');
  const owner = readLock(repository.gitDir);
  return [
    { name: 'git', text: version.replace(/^git version /, '') },
    node,
    { name: 'repository', text: repository.root },
    ...(start === repository.root ? [] : [{ name: 'start folder', text: start }]),
    ...(prepared === undefined ? [] : preparedFacts(prepared)),
    ...(owner === undefined
      ? []
      : [{ name: 'lock', text: `pid ${owner.pid} works in this tree since ${owner.at}: a run would end with exit 7` }]),
  ];
}

function preparedFacts({ branch, currentBranch, prd, reading }: PreparedRun): { name: string; text: string }[] {
  const stories = reading?.prd.stories ?? [];
  const passed = stories.filter(({ passes }) => passes).length;
  return [
    { name: 'branch', text: branch === currentBranch ? branch : `${branch} (now on ${currentBranch})` },
    {
      name: 'PRD',
      text:
        prd === undefined
          ? 'none: the loop runs over the prompt alone'
          : `${prd.path} · ${passed} of ${stories.length} passed`,
    },
  ];
}

/** What is among the causes already, or is none. */
async function quietly<T>(step: () => Promise<T>): Promise<T | undefined> {
  try {
    return await step();
  } catch (error) {
    if (error instanceof RalphError) return undefined;
    throw error;
  }
}
