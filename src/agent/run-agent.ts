import path from 'node:path';
import type { Settings } from '../config/settings.ts';
import type { Emit, EventScope } from '../loop/events.ts';
import type { AgentEnd, AgentPort, AgentRequest } from '../loop/ports.ts';
import { childEnvironment } from '../process/child-environment.ts';
import { agentLadder } from '../process/group.ts';
import type { ChildRegistry } from '../process/registry.ts';
import type { WatchPolicy, WatchedEnd, runWatched } from '../process/run-watched.ts';
import type { ChildExit, ChildSpec, OpenLog } from '../process/types.ts';
import { AgentTry } from './agent-try.ts';
import { classify } from './classify.ts';
import type { Classified } from './classify.ts';
import { TextOutlet } from './text-outlet.ts';
import type { AgentSpec, Report } from './types.ts';
import type { Here } from './zoned-time.ts';

export interface AgentDeps {
  readonly spec: AgentSpec;
  readonly settings: Pick<Settings, 'model' | 'idleTimeout' | 'iterationTimeout'>;
  /** What the user wrote behind `--`. */
  readonly extraArgs: readonly string[];
  /** The root of the working tree, and the folder the agent works in. */
  readonly root: string;
  readonly cwd: string;
  /** The user's environment. */
  readonly env: Readonly<NodeJS.ProcessEnv>;
  /** The id of the run. */
  readonly run: string;
  readonly emit: Emit;
  readonly openLog: OpenLog;
  /** Keeps a prompt as a file; returns its path from the root. Asked only for agents that take their prompt so. */
  readonly keepPrompt: (request: AgentRequest) => Promise<string>;
  readonly registry: ChildRegistry;
  readonly runWatched: typeof runWatched;
  readonly here: () => Here;
}

/** The agent as the loop sees it: each `run` is one fresh process, its output kept, shown, understood and classified. */
export function createAgent(deps: AgentDeps): AgentPort {
  let shown = { iteration: 0, outlet: new TextOutlet(() => {}) };
  return {
    name: deps.spec.name,
    run: async (request) => {
      const emit: Emit = (body) => deps.emit(body, scopeOf(request));
      // All tries of an iteration share its bound.
      if (request.iteration !== shown.iteration || request.try <= 1) {
        const scoped = (text: string): void => emit({ type: 'agent.text', text });
        shown = { iteration: request.iteration, outlet: new TextOutlet(scoped) };
      }
      return runTry(deps, request, emit, shown.outlet);
    },
  };
}

function scopeOf({ iteration, story, try: number }: AgentRequest): EventScope {
  return { iteration, try: number, ...(story === undefined ? {} : { story }) };
}

async function runTry(deps: AgentDeps, request: AgentRequest, emit: Emit, outlet: TextOutlet): Promise<AgentEnd> {
  const { spec } = deps;
  const attempt = new AgentTry({ spec, prompt: request.prompt, outlet, emit });
  const output = deps.openLog(request.iteration, 'output.log');
  const stderr = deps.openLog(request.iteration, 'stderr.log');
  const child: ChildSpec = {
    ...(await commandOf(deps, request)),
    onStdout: (chunk) => {
      output.write(chunk);
      attempt.stdout(chunk);
    },
    onStderr: (chunk) => {
      stderr.write(chunk);
      attempt.stderr(chunk);
    },
  };
  const end = await deps.runWatched(child, policyOf(deps, request, attempt));
  output.close();
  stderr.close();
  attempt.end();
  return settle(deps, emit, attempt, end);
}

/** The command line and the environment, and the prompt where it is to go in. */
async function commandOf(
  deps: AgentDeps,
  request: AgentRequest,
): Promise<Pick<ChildSpec, 'command' | 'args' | 'cwd' | 'env' | 'input'>> {
  const { spec, settings, extraArgs, cwd } = deps;
  const prompt = guardSlash(spec, request.prompt);
  const options = { model: settings.model, maxCostUsd: request.maxCostUsd, extraArgs };
  const scope = { run: deps.run, iteration: request.iteration, story: request.story };
  const env = childEnvironment({ ...spec.env, ...deps.env }, scope);
  const base = { command: spec.command, cwd, env };
  switch (spec.promptBy) {
    case 'stdin':
      return { ...base, args: spec.args({ ...options, prompt: undefined }), input: prompt };
    case 'file': {
      const file = path.resolve(deps.root, await deps.keepPrompt({ ...request, prompt }));
      return { ...base, args: spec.args({ ...options, prompt: file }) };
    }
    case 'argument':
      // The system ends an argument at NUL.
      return { ...base, args: spec.args({ ...options, prompt: prompt.replaceAll('\0', '') }) };
  }
}

/** A prompt that begins with a slash would be looked up as a command, and answered with success and nothing done. */
function guardSlash(spec: AgentSpec, prompt: string): string {
  return spec.slashIsCommand && prompt.trimStart().startsWith('/') ? `Task:\n\n${prompt}` : prompt;
}

function policyOf(deps: AgentDeps, request: AgentRequest, attempt: AgentTry): WatchPolicy {
  const { settings, registry, run } = deps;
  return {
    ladder: agentLadder,
    signal: request.signal,
    run,
    registry,
    idleMs: settings.idleTimeout,
    timeoutMs: settings.iterationTimeout,
    look: () => attempt.look(),
    onStart: (pid) => attempt.started(pid),
  };
}

function settle(deps: AgentDeps, emit: Emit, attempt: AgentTry, end: WatchedEnd): AgentEnd {
  const report = attempt.report();
  const found = classify({ ...attempt.facts(), stopped: end.stopped, exit: end.exit, report }, deps.here());
  if (report.denied.length > 0) emit({ type: 'agent.denied', tools: [...report.denied] });
  emit(finishedEvent(report, found, end));
  for (const { pid, command } of end.killed) emit({ type: 'process.killed', pid, command });
  return {
    class: found.class,
    exit: exitOf(end.exit),
    words: report.words,
    obstacle: found.obstacle,
    lastLine: found.line,
    costUsd: report.costUsd ?? 0,
    tokens: report.tokens,
    denied: report.denied,
  };
}

function finishedEvent(report: Report, found: Classified, end: WatchedEnd): Parameters<Emit>[0] {
  return {
    type: 'agent.finished',
    exit: exitOf(end.exit) ?? null,
    signal: end.exit.kind === 'signalled' ? end.exit.signal : null,
    class: found.class,
    durationMs: end.durationMs,
    costUsd: report.costUsd ?? null,
    tokens: report.tokens ?? null,
    session: report.session ?? null,
    text: found.class === 'ok' || found.line === '' ? null : found.line,
  };
}

function exitOf(exit: ChildExit): number | undefined {
  return exit.kind === 'exited' ? exit.code : undefined;
}
