import type { AgentSetting } from '../config/settings.ts';
import { RalphError, messageOf } from '../errors.ts';
import type { runTool } from '../process/run-tool.ts';
import type { ToolResult } from '../process/types.ts';
import { shorten, shownLines } from './display-text.ts';
import { parseEvent } from './fields.ts';
import { findProgram } from './find-program.ts';
import { builtIns, findAgent, listAgents } from './registry.ts';
import type { AgentSpec, PreflightSpec } from './types.ts';

export interface PreflightDeps {
  readonly cwd: string;
  /** The environment the agent will have. */
  readonly env: Readonly<NodeJS.ProcessEnv>;
  /** The user id of this process; undefined where the system has none. */
  readonly uid: number | undefined;
  readonly runTool: typeof runTool;
}

/** What a preflight learnt. */
export interface AgentFacts {
  /** The file that will be started. */
  readonly path: string;
  /** What `--version` printed; undefined for an agent that isn't asked. */
  readonly version: string | undefined;
  /** Undefined: it doesn't say. */
  readonly loggedIn: boolean | undefined;
}

const ANSWER_MS = 10_000;
const install: Readonly<Record<string, string>> = {
  claude: 'npm install -g @anthropic-ai/claude-code',
  amp: 'npm install -g @sourcegraph/amp',
};

/**
 * The agent to use: the one that was chosen, else the first of claude and amp on PATH. Throws UsageError for an unknown name,
 * RalphError(agent-unavailable) where none was chosen and neither is there, unless it is only to be shown.
 */
export function chooseAgent(
  tool: string | undefined,
  agents: Readonly<Record<string, AgentSetting>>,
  suggest: (word: string, known: readonly string[]) => string | undefined,
  { cwd, env, isShown = false }: Pick<PreflightDeps, 'cwd' | 'env'> & { isShown?: boolean },
): AgentSpec {
  if (tool !== undefined) return findAgent(tool, agents, suggest);
  const known = listAgents(agents).map((spec) => spec.name);
  const found = builtIns.find((spec) => findProgram(spec.command, cwd, env) !== undefined);
  if (found !== undefined) return found;
  const [first] = builtIns;
  if (isShown && first !== undefined) return first;
  throw new RalphError('agent-unavailable', 'no coding agent was chosen, and neither claude nor amp is on PATH', {
    problems: [`known agents: ${known.join(', ')}`],
    cures: [
      ...Object.entries(install).map(([name, command]) => `install ${name}: ${command}`),
      'or choose another with --tool, and describe it under "agents" in ralph.config.json if it is your own',
    ],
  });
}

/**
 * Asks once per run whether the agent can be started: is it on PATH, does it answer `--version`, is somebody logged in. At
 * most 10 s for each answer. Agents that are not built in are only looked up. Throws RalphError(agent-unavailable).
 */
export async function verifyAgent(spec: AgentSpec, deps: PreflightDeps): Promise<AgentFacts> {
  const file = findProgram(spec.command, deps.cwd, deps.env);
  if (file === undefined) throw notFound(spec);
  if (spec.preflight === undefined) return { path: file, version: undefined, loggedIn: undefined };
  verifyUser(spec, spec.preflight, deps);
  const version = await askVersion(spec, spec.preflight, deps);
  const loggedIn = await askLogin(spec, spec.preflight, deps);
  if (loggedIn === false) {
    throw new RalphError('agent-unavailable', `${spec.name} says that nobody is logged in`, {
      cures: spec.preflight.loginCures,
    });
  }
  return { path: file, version, loggedIn };
}

function notFound(spec: AgentSpec): RalphError {
  const command = install[spec.name];
  const where = spec.command.includes('/')
    ? 'there is no program that may be executed at'
    : 'not on PATH, or not executable:';
  return new RalphError('agent-unavailable', `the agent ${spec.name} can't be started: ${where} ${spec.command}`, {
    cures: [
      ...(command === undefined ? [] : [`install it: ${command}`]),
      'or choose another with --tool, or describe one under "agents" in ralph.config.json',
    ],
  });
}

/** Ralph never sets that mark by itself: it says that a mistake of the agent can do no harm outside, which only the user knows. */
function verifyUser(spec: AgentSpec, { refusesRootUnless }: PreflightSpec, { env, uid }: PreflightDeps): void {
  if (uid !== 0 || refusesRootUnless === undefined || refusesRootUnless.some((name) => env[name] === '1')) return;
  throw new RalphError('agent-unavailable', `${spec.name} refuses to skip its permission questions as root`, {
    problems: ['--dangerously-skip-permissions cannot be used with root/sudo privileges for security reasons'],
    cures: [
      'run ralph as another user',
      `or, in a container or sandbox where nothing outside can be harmed: export ${refusesRootUnless[0] ?? ''}=1`,
    ],
  });
}

async function askVersion(spec: AgentSpec, { versionArgs }: PreflightSpec, deps: PreflightDeps): Promise<string> {
  const result = await ask(spec, versionArgs, deps);
  const command = `${spec.command} ${versionArgs.join(' ')}`;
  if (typeof result === 'string') throw unable(spec, `${command}: ${result}`);
  const lines = shownLines(`${result.stdout.toString('utf8')}\n${result.stderr}`);
  if (result.code === 0) return shorten(lines[0] ?? '', 200);
  throw unable(
    spec,
    `${command} ended with ${result.code}${lines.length === 0 ? '' : `: ${shorten(lines.at(-1) ?? '', 500)}`}`,
  );
}

function unable(spec: AgentSpec, problem: string): RalphError {
  const command = install[spec.name];
  return new RalphError('agent-unavailable', `the agent ${spec.name} is installed but does not work`, {
    problems: [problem],
    cures: command === undefined ? [] : [`install it anew: ${command}`],
  });
}

/** Only a clear no counts: older versions don't know the question, and a hanging answer is none. */
async function askLogin(
  spec: AgentSpec,
  { loginArgs }: PreflightSpec,
  deps: PreflightDeps,
): Promise<boolean | undefined> {
  if (loginArgs === undefined) return undefined;
  const result = await ask(spec, loginArgs, deps);
  if (typeof result === 'string') return undefined;
  const text = result.stdout.toString('utf8');
  const answer = parseEvent(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1));
  return typeof answer?.['loggedIn'] === 'boolean' ? answer['loggedIn'] : undefined;
}

/** The answer, or why there is none. */
async function ask(spec: AgentSpec, args: readonly string[], deps: PreflightDeps): Promise<ToolResult | string> {
  const env = { ...spec.env, ...deps.env };
  try {
    return await deps.runTool(spec.command, args, { cwd: deps.cwd, env, timeoutMs: ANSWER_MS });
  } catch (error) {
    return messageOf(error);
  }
}
