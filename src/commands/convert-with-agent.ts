import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chooseAgent, verifyAgent } from '../agent/preflight.ts';
import { verifyModel } from '../agent/registry.ts';
import { runOnce } from '../agent/run-once.ts';
import type { AgentSpec } from '../agent/types.ts';
import { systemClock } from '../clock.ts';
import { suggest } from '../config/suggest.ts';
import type { Resolved } from '../config/settings.ts';
import { convertWithAgent } from '../convert/with-agent.ts';
import type { RoundEnd } from '../convert/with-agent.ts';
import { RalphError, UsageError } from '../errors.ts';
import { comparePaths, readChangedPaths } from '../git/changed-paths.ts';
import { writeFileAtomically } from '../json/write-file.ts';
import { inspectPrd } from '../prd/lint/inspect-prd.ts';
import { lintPrd } from '../prd/lint/lint-prd.ts';
import type { Remark } from '../prd/lint/types.ts';
import { runTool } from '../process/run-tool.ts';
import { lookAtScreen } from '../reporters/create-reporter.ts';
import { createPalette } from '../reporters/palette.ts';
import { createPlainReporter } from '../reporters/plain.ts';
import { createRunId } from '../run-folder/run-id.ts';
import { judgeHeadless } from '../skills/prd-end.ts';
import { chooseSkill } from '../skills/choose-skill.ts';
import { readOwnSkills, readSkills } from '../skills/skill-files.ts';
import { chooseGates } from '../project/choose-gates.ts';
import type { Place } from '../project/place.ts';
import { gatherLintFacts } from '../project/lint-facts.ts';
import type { StatePlace } from './state-place.ts';
import type { CommandIo, ConvertOptions } from './types.ts';

export interface AgentTask {
  readonly options: ConvertOptions;
  readonly io: CommandIo;
  readonly place: Place;
  readonly resolved: Resolved;
  readonly state: StatePlace;
  readonly document: string;
  /** The document's file, as it was typed. */
  readonly name: string;
  /** Why an agent is needed, where nobody asked for one. */
  readonly because: UsageError | undefined;
}

export type AgentMade =
  | { readonly kind: 'made'; readonly text: string; readonly remarks: readonly string[] }
  | { readonly kind: 'cut'; readonly code: number; readonly problem: string };

/**
 * Has the agent convert a document, headless, one fresh process a round. Throws UsageError where what it made is no PRD after
 * the last round (that is kept in the temp folder, and named), or where nobody asked for an agent and none can be used; RalphError(agent-unavailable) else.
 */
export async function askAgent(task: AgentTask): Promise<AgentMade> {
  const { io, place, name, because } = task;
  const spec = await findUsableAgent(task);
  if (because !== undefined) io.writer.err(`${because.message}: ${spec.name} converts it.\n`);
  const folder = await mkdtemp(join(tmpdir(), 'ralph-convert-'));
  let isKept = false;
  try {
    const target = join(folder, 'prd.json');
    const before = await readChangedPaths(place.repository.git);
    const { root } = place.repository;
    const result = await convertWithAgent({
      document: task.document,
      file: name,
      skill: chooseSkill('ralph', spec.name, await readSkills(root), await readOwnSkills()),
      target,
      ask: async (prompt) => runRound(task, spec, prompt, target),
      inspect: async (text) => inspect(task, text),
      onRound: (round, problems) =>
        io.writer.err(
          `Round ${round}: ${problems} ${problems === 1 ? 'problem goes' : 'problems go'} back to ${spec.name}.\n`,
        ),
    });
    const changed = comparePaths(before, await readChangedPaths(place.repository.git));
    if (result.kind === 'cut') return result;
    if (result.kind === 'invalid') {
      // Three rounds of work: a person may need a minute to mend it.
      isKept = result.text !== undefined;
      if (result.text !== undefined) await writeFile(target, result.text);
      throw invalid(spec, result.errors, isKept ? target : undefined);
    }
    const note =
      changed.length === 0 ? [] : [`the agent changed other files meanwhile: ${changed.slice(0, 10).join(', ')}`];
    return { kind: 'made', text: result.text, remarks: note };
  } finally {
    if (!isKept) await rm(folder, { recursive: true, force: true });
  }
}

async function findUsableAgent({ resolved: { settings }, place, io, because }: AgentTask): Promise<AgentSpec> {
  try {
    const deps = { cwd: place.start, env: io.env };
    const spec = chooseAgent(settings.tool, settings.agents, suggest, deps);
    verifyModel(spec, settings.model);
    await verifyAgent(spec, { ...deps, uid: process.getuid?.(), runTool });
    return spec;
  } catch (error) {
    // The document is what is wrong then, and no agent was asked for.
    if (because !== undefined && error instanceof RalphError && error.reason === 'agent-unavailable') throw because;
    throw error;
  }
}

/** One fresh agent. It may write into the repository's prd.json all the same: that is put back, and taken as its result. */
async function runRound(task: AgentTask, spec: AgentSpec, prompt: string, target: string): Promise<RoundEnd> {
  const { options, io, place, resolved, state } = task;
  const run = createRunId(systemClock.now());
  const { color } = lookAtScreen(io.screen, io.env, options.noColor);
  // Standard output is the result's.
  const writer = { ...io.writer, out: io.writer.err };
  const reporter = createPlainReporter({ writer, palette: createPalette(color), verbose: options.verbose });
  const before = await state.prd.raw();
  await rm(target, { force: true });
  const end = await runOnce({
    spec,
    settings: resolved.settings,
    extraArgs: options.agentArgs,
    prompt,
    cwd: place.start,
    env: io.env,
    run,
    onEvent: (event) => {
      if (event.type === 'agent.finished' || event.type === 'agent.started') return;
      reporter.handle({ v: 1, at: new Date(systemClock.now()).toISOString(), run, iteration: 1, try: 1, ...event });
    },
  });
  reporter.close();
  const strayed = await putBack(state, before);
  const judged = judgeHeadless(spec.name, end);
  if (judged.kind === 'cut') return judged;
  return { kind: 'ended', text: (await readFile(target, 'utf8').catch(() => undefined)) ?? strayed };
}

/** The text that an agent left in the place of prd.json; the file is as it was afterwards. */
async function putBack({ prd, prdFile }: StatePlace, before: Uint8Array | undefined): Promise<string | undefined> {
  const after = await prd.raw();
  if (after === undefined ? before === undefined : before !== undefined && Buffer.compare(before, after) === 0)
    return undefined;
  if (before === undefined) await rm(prdFile, { force: true });
  else await writeFileAtomically(prdFile, before, prd.path);
  return after === undefined ? undefined : Buffer.from(after).toString('utf8');
}

async function inspect(
  { place, resolved, state }: AgentTask,
  text: string,
): Promise<{ errors: readonly Remark[]; warnings: readonly Remark[] }> {
  const { reading, errors, warnings } = inspectPrd(text, 'prd.json');
  if (reading === undefined) return { errors, warnings };
  const { settings } = resolved;
  const gates = await chooseGates(place, settings);
  const facts = await gatherLintFacts(place, { prd: reading.prd, path: state.prd.path, gates });
  // What only the config or the document can cure is no task for the agent.
  const remarks = lintPrd(facts, [...settings.check.off, 'no-gates', 'no-non-goals']);
  return { errors, warnings: [...warnings, ...remarks] };
}

function invalid(spec: AgentSpec, errors: readonly Remark[], kept: string | undefined): UsageError {
  return new UsageError(`${spec.name} made no valid prd.json in three rounds`, {
    problems: errors.map(({ place, text }) => (place === '' ? text : `${place}: ${text}`)),
    cures: [
      ...(kept === undefined ? [] : [`mend what it made last: ${kept}, then: ralph convert ${kept}`]),
      'make the document clearer, or bring it into the shape of the prd skill: ralph prd "<idea>"',
    ],
  });
}
