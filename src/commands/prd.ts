import { relative } from 'node:path';
import { isatty } from 'node:tty';
import { chooseAgent, verifyAgent } from '../agent/preflight.ts';
import { verifyModel } from '../agent/registry.ts';
import { runOnce } from '../agent/run-once.ts';
import type { OnceEnd } from '../agent/run-once.ts';
import type { AgentSpec } from '../agent/types.ts';
import { systemClock } from '../clock.ts';
import { suggest } from '../config/suggest.ts';
import type { Settings } from '../config/settings.ts';
import { UsageError } from '../errors.ts';
import { exitCodeOf } from '../exit.ts';
import { comparePaths, readChangedPaths } from '../git/changed-paths.ts';
import { runInTerminal } from '../process/run-in-terminal.ts';
import type { TerminalEnd } from '../process/run-in-terminal.ts';
import type { TerminalSpec } from '../process/types.ts';
import { runTool } from '../process/run-tool.ts';
import { cleanText } from '../reporters/clean-text.ts';
import { lookAtScreen } from '../reporters/create-reporter.ts';
import { createPalette } from '../reporters/palette.ts';
import { createPlainReporter } from '../reporters/plain.ts';
import { createRunId } from '../run-folder/run-id.ts';
import { askHeadless } from '../skills/ask-headless.ts';
import { askInTerminal, verifyConversation } from '../skills/ask-in-terminal.ts';
import { chooseSkill } from '../skills/choose-skill.ts';
import { judgeHeadless, renderPrdEnd } from '../skills/prd-end.ts';
import type { PrdEnd } from '../skills/prd-end.ts';
import { compareDocuments, readDocuments } from '../skills/prd-documents.ts';
import type { WrittenDocument } from '../skills/prd-documents.ts';
import { createPrdPrompt } from '../skills/prd-prompt.ts';
import { readOwnSkills, readSkills } from '../skills/skill-files.ts';
import { findPlace, loadSettings } from '../project/place.ts';
import type { Place } from '../project/place.ts';
import type { CommandIo, PrdOptions } from './types.ts';

/** The person's terminal: a test brings its own. */
export interface Terminal {
  readonly isThere: boolean;
  readonly run: (spec: TerminalSpec) => Promise<TerminalEnd>;
}

const ownTerminal = (): Terminal => ({ isThere: isatty(0) && isatty(1), run: runInTerminal });

/** What is known before the agent is started. */
interface Prepared {
  readonly options: PrdOptions;
  readonly io: CommandIo;
  readonly place: Place;
  readonly settings: Settings;
  readonly spec: AgentSpec;
  readonly idea: string;
  readonly skill: string;
  /** What of the documents is new or changed by now. */
  readonly written: () => Promise<WrittenDocument[]>;
}

/**
 * From an idea to a PRD document: a person talks with the agent in the terminal, or, with `--answers` or `--yes`, the agent
 * runs headless. Gives 0 if a document was written, else 1 or the code for what kept the agent from it. Throws UsageError
 * for a call that makes no sense, RalphError(agent-unavailable) for an agent that can't be used.
 */
export async function prd(options: PrdOptions, io: CommandIo, terminal = ownTerminal()): Promise<number> {
  const prepared = await prepare(options, io, terminal);
  const { repository } = prepared.place;
  const before = await readChangedPaths(repository.git);
  const end = isHeadless(options) ? await runHeadless(prepared) : await talk(prepared, terminal);
  const after = await readChangedPaths(repository.git);
  const written = await prepared.written();
  const documents = new Set(written.map(({ path }) => relative(repository.root, path)));
  const text = renderPrdEnd({
    end,
    tool: prepared.spec.name,
    documents: written.map(({ path, isNew }) => ({ path: relative(prepared.place.start, path), isNew })),
    others: comparePaths(before, after).filter((path) => !documents.has(path)),
    hasCommitted: before.head !== after.head,
    cwd: options.cwd,
  });
  io.writer.out(cleanText(text.out));
  io.writer.err(cleanText(text.err));
  return text.code;
}

async function prepare(options: PrdOptions, io: CommandIo, terminal: Terminal): Promise<Prepared> {
  const idea = options.idea.join(' ').trim();
  verifyCall(options, idea, terminal);
  const place = await findPlace(options.cwd, io);
  const { settings } = await loadSettings(place, options.given, io.env);
  const spec = chooseAgent(settings.tool, settings.agents, suggest, { cwd: place.start, env: io.env });
  verifyModel(spec, settings.model);
  await verifyUsable(spec, place, options, io);
  const { root } = place.repository;
  const folders = [place.start, root];
  const before = await readDocuments(folders);
  return {
    options,
    io,
    place,
    settings,
    spec,
    idea,
    skill: chooseSkill('prd', spec.name, await readSkills(root), await readOwnSkills()),
    written: async () => compareDocuments(before, await readDocuments(folders)),
  };
}

function isHeadless({ answers, yes }: PrdOptions): boolean {
  return yes || answers !== undefined;
}

function verifyCall(options: PrdOptions, idea: string, terminal: Terminal): void {
  if (idea === '') throw new UsageError('prd needs an idea', { cures: ['ralph prd "mark tasks with a priority"'] });
  if (options.answers?.trim() === '') {
    throw new UsageError('--answers is empty', { cures: ['--answers "1B 2A 3C"', '--yes takes what is recommended'] });
  }
  if (isHeadless(options) || terminal.isThere) return;
  throw new UsageError('prd asks questions, and there is no terminal in which somebody could answer', {
    cures: ['answer beforehand: --answers "1B 2A 3C"', 'let the agent take what it recommends: --yes'],
  });
}

/** Somebody at a terminal can log in there, and is asked for permissions; nobody is there in a headless run. */
async function verifyUsable(spec: AgentSpec, place: Place, options: PrdOptions, io: CommandIo): Promise<void> {
  const deps = { cwd: place.start, env: io.env, uid: process.getuid?.(), runTool };
  if (isHeadless(options)) {
    await verifyAgent(spec, deps);
    return;
  }
  verifyConversation(spec);
  await verifyAgent({ ...spec, preflight: undefined }, deps);
}

async function talk(prepared: Prepared, terminal: Terminal): Promise<PrdEnd> {
  const { spec, settings, place, io, options } = prepared;
  const { signal } = await askInTerminal(
    {
      spec,
      model: settings.model,
      extraArgs: options.agentArgs,
      prompt: createPrdPrompt({ ...prepared, talk: { kind: 'person' } }),
      cwd: place.start,
      env: io.env,
      say: io.writer.out,
    },
    async (child) => {
      // What was said before must stand on the screen before the agent takes it.
      await io.writer.flush();
      return terminal.run(child);
    },
  );
  return signal === undefined
    ? { kind: 'ended', problem: undefined }
    : { kind: 'cut', code: exitCodeOf('interrupted', signal), problem: `stopped by ${signal}` };
}

async function runHeadless(prepared: Prepared): Promise<PrdEnd> {
  const { spec, settings, place, io, options } = prepared;
  const run = createRunId(systemClock.now());
  const { color } = lookAtScreen(io.screen, io.env, options.noColor);
  const reporter = createPlainReporter({
    writer: io.writer,
    palette: createPalette(color),
    verbose: options.verbose,
  });
  const end: OnceEnd = await askHeadless({
    spec,
    settings,
    extraArgs: options.agentArgs,
    cwd: place.start,
    env: io.env,
    run,
    facts: { ...prepared, talk: { kind: 'answers', answers: options.answers } },
    isWritten: async () => (await prepared.written()).length > 0,
    onEvent: (event) => {
      // How it ended is said at the end, and there is no run folder to point to.
      if (event.type === 'agent.finished' || event.type === 'agent.started') return;
      reporter.handle({ v: 1, at: new Date(systemClock.now()).toISOString(), run, iteration: 1, try: 1, ...event });
    },
    runOnce,
  });
  reporter.close();
  return judgeHeadless(spec.name, end);
}
