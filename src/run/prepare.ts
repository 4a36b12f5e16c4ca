import { join, relative, resolve } from 'node:path';
import { chooseAgent } from '../agent/preflight.ts';
import { verifyModel } from '../agent/registry.ts';
import type { AgentSpec } from '../agent/types.ts';
import { chooseGates } from '../project/choose-gates.ts';
import { findPrdFile, requirePrdFile } from '../project/find-prd-file.ts';
import { findPlace, loadSettings } from '../project/place.ts';
import type { Place } from '../project/place.ts';
import { gatherLintFacts } from '../project/lint-facts.ts';
import { suggest } from '../config/suggest.ts';
import type { Resolved, Settings } from '../config/settings.ts';
import { UsageError } from '../errors.ts';
import { defaultBranchOf } from '../git/branch.ts';
import { verifyReady } from '../git/repository.ts';
import { isFileThere } from '../json/read-file.ts';
import type { LoopOptions } from '../loop/options.ts';
import type { Check, PrdFile, PrdReading, PromptPort } from '../loop/ports.ts';
import { warnOfDefaultBranch } from '../prd/branch-name.ts';
import { lintPrd } from '../prd/lint/lint-prd.ts';
import { createPrdFile } from '../prd/store.ts';
import type { Story } from '../prd/types.ts';
import { createProgressLog } from '../progress/progress-log.ts';
import type { ProgressFile } from '../progress/progress-log.ts';
import { createPrompt } from '../prompt/create-prompt.ts';
import { loadTemplate } from '../prompt/template.ts';
import { verifyUnlocked } from '../run-folder/lock.ts';
import { findDeadTurn } from './as-recovered.ts';
import type { DeadTurn } from './as-recovered.ts';
import { besideOf } from '../project/beside.ts';
import type { CommandIo, RunOptions } from './types.ts';

export interface Warning {
  readonly text: string;
  readonly place: string | null;
}

/** A run that is known to make sense: everything was read and validated, nothing was started or written. */
export interface PreparedRun {
  readonly place: Place;
  readonly settings: Settings;
  readonly spec: AgentSpec;
  readonly options: LoopOptions;
  readonly prompt: PromptPort;
  readonly prd: PrdFile | undefined;
  readonly log: ProgressFile | undefined;
  /** Path of the archive from the root of the working tree. */
  readonly archive: string;
  readonly reading: PrdReading | undefined;
  /** The branch that is checked out, and the one the work belongs on. */
  readonly currentBranch: string;
  readonly branch: string;
  readonly warnings: readonly Warning[];
  /** How many remarks the rules of `ralph check` have on the stories. */
  readonly remarks: number;
  /** What stood behind `--`. */
  readonly agentArgs: readonly string[];
}

/**
 * Reads and validates all that a run is made of. Throws RalphError with everything that is wrong; where no agent is there, only
 * if one is needed.
 */
export async function prepareRun(
  options: RunOptions,
  io: CommandIo,
  { needsAgent = true }: { needsAgent?: boolean } = {},
): Promise<PreparedRun> {
  verifyNotNested(options, io.env);
  const place = await findPlace(options.cwd, io);
  const dead = await findDeadTurn(place.repository);
  const resolved = await loadSettings(place, options.given, io.env, dead?.config);
  const { settings } = resolved;
  const { currentBranch, prd, reading } = await readTree(place, resolved, dead).catch((error: unknown) => {
    // The agent of a loop that works here may just have taken the PRD away, or be in the middle of a rebase.
    if (!options.dryRun) verifyUnlocked(place.repository.gitDir);
    throw error;
  });
  const spec = chooseAgent(settings.tool, settings.agents, suggest, {
    cwd: place.start,
    env: io.env,
    isShown: !needsAgent,
  });
  verifyModel(spec, settings.model);
  const { root } = place.repository;
  const beside = besideOf(prd?.path ?? '');
  const log = prd === undefined ? undefined : createProgressLog({ root, path: beside.progress });
  const fromAgent = (path: string): string => relative(place.start, join(root, path));
  const prompt = createPrompt({
    template: await loadTemplate(await findTemplate(place, settings, dead), place.start),
    prd: prd === undefined ? undefined : fromAgent(prd.path),
    progress: log === undefined ? undefined : fromAgent(log.path),
    memoryFile: spec.memoryFile,
  });
  const gates = settings.trust ? [] : await chooseGates(place, settings);
  return {
    place,
    settings,
    spec,
    options: loopOptionsOf(
      settings,
      gates.map((gate) => checkOf(gate, settings)),
      prd !== undefined,
    ),
    prompt,
    prd,
    log,
    archive: beside.archive,
    reading,
    currentBranch,
    branch: reading?.prd.branchName ?? currentBranch,
    agentArgs: options.agentArgs,
    warnings: [...resolved.warnings, ...(await warningsOf(place, reading))],
    remarks: prd === undefined || reading === undefined ? 0 : await countRemarks(place, settings, prd, reading),
  };
}

/** What the working tree says: the branch, and the PRD. */
async function readTree(
  place: Place,
  resolved: Resolved,
  dead: DeadTurn | undefined,
): Promise<Pick<PreparedRun, 'currentBranch' | 'prd' | 'reading'>> {
  const currentBranch = dead?.branch ?? (await verifyReady(place.repository));
  const prd = await findPrdOf(place, resolved, dead);
  const reading = prd === undefined ? undefined : ((await dead?.read(prd.path)) ?? (await prd.read()));
  return { currentBranch, prd, reading };
}

/** The user's template; the packaged one stands in for a file that is not there only until a killed iteration is undone. */
async function findTemplate(
  { start }: Place,
  { prompt }: Settings,
  dead: DeadTurn | undefined,
): Promise<string | undefined> {
  if (prompt === undefined || dead === undefined || (await isFileThere(resolve(start, prompt)))) return prompt;
  return (await dead.holds(resolve(start, prompt))) ? undefined : prompt;
}

/** The PRD; undefined where there is none and a prompt makes do without. */
async function findPrdOf(place: Place, resolved: Resolved, dead: DeadTurn | undefined): Promise<PrdFile | undefined> {
  const { settings } = resolved;
  const path = await dead?.findPrd(place.start, settings.prd);
  if (path !== undefined) return createPrdFile({ root: place.repository.root, path });
  return (
    (await findPrdFile(place, resolved)) ??
    (settings.prompt === undefined ? requirePrdFile(place, resolved) : undefined)
  );
}

/** An agent that starts a loop by mistake would start agents without end. */
function verifyNotNested({ nested }: RunOptions, env: NodeJS.ProcessEnv): void {
  const outer = env['RALPH_RUN_ID'];
  if (nested || outer === undefined || outer === '') return;
  throw new UsageError(`this is inside an iteration of another run (RALPH_RUN_ID is ${outer})`, {
    cures: ['leave the loop to the outer run', 'or say that a loop inside a loop is meant: ralph run --nested'],
  });
}

/** `--no-gates` and `--trust` are a choice, and no oversight. */
async function countRemarks(place: Place, settings: Settings, { path }: PrdFile, { prd }: PrdReading): Promise<number> {
  const gates = await chooseGates(place, settings);
  const facts = await gatherLintFacts(place, { prd, path, gates });
  return lintPrd(facts, [...settings.check.off, ...(settings.gates === undefined ? [] : ['no-gates'])]).length;
}

async function warningsOf(place: Place, reading: PrdReading | undefined): Promise<Warning[]> {
  if (reading === undefined) return [];
  const onDefault = warnOfDefaultBranch(reading.prd.branchName, await defaultBranchOf(place.repository));
  return [...reading.warnings, ...(onDefault === undefined ? [] : [onDefault])];
}

function checkOf(gate: { name: string; run: string; timeout: number | undefined }, settings: Settings): Check {
  return { name: gate.name, kind: 'gate', command: gate.run, timeoutMs: gate.timeout ?? settings.gateTimeout };
}

function loopOptionsOf(settings: Settings, gates: readonly Check[], hasPrd: boolean): LoopOptions {
  return {
    mode: hasPrd ? 'prd' : 'prompt',
    maxIterations: settings.maxIterations,
    maxAttempts: settings.maxAttempts,
    maxStalls: settings.maxStalls,
    maxFailures: settings.maxFailures,
    maxCostUsd: settings.maxCost,
    deadline: settings.maxDuration === undefined ? undefined : Date.now() + settings.maxDuration,
    trust: settings.trust,
    onReject: settings.onReject,
    regressions: settings.regressions,
    onLimit: settings.onLimit,
    allowRed: settings.allowRed,
    push: settings.push,
    delayMs: settings.delay,
    retryDelayMs: settings.retryDelay,
    gates,
    checkTimeoutMs: settings.gateTimeout,
    subjectOf: (story) => subjectOf(settings.commitMessage, story),
  };
}

/** The subject of a story's commit: one line, whatever white space the title has. */
function subjectOf(template: string, story: Story): string {
  const values: Record<string, string> = { storyId: story.id, storyTitle: story.title };
  const filled = template.replace(
    /\{\{\s*(storyId|storyTitle)\s*\}\}/g,
    (whole, name: string) => values[name] ?? whole,
  );
  return filled.replace(/\s+/g, ' ').trim();
}
