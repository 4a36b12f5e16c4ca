import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AgentSpec, Conversation } from '../agent/types.ts';
import { RalphError, UsageError } from '../errors.ts';
import { terminalEnvironment } from '../process/child-environment.ts';
import { runInTerminal } from '../process/run-in-terminal.ts';
import type { TerminalEnd } from '../process/run-in-terminal.ts';
import type { TerminalSpec } from '../process/types.ts';

export interface TerminalRequest {
  readonly spec: AgentSpec;
  readonly model: string | undefined;
  readonly extraArgs: readonly string[];
  readonly prompt: string;
  readonly cwd: string;
  readonly env: Readonly<NodeJS.ProcessEnv>;
  /** Told what the person has to type themselves, before the agent takes the screen. */
  readonly say: (text: string) => void;
}

/** Throws UsageError for an agent with which nobody can talk. */
export function verifyConversation(spec: AgentSpec): Conversation {
  if (spec.conversation !== undefined) return spec.conversation;
  throw new UsageError(`${spec.name} takes its prompt from standard input, so that nobody can talk with it`, {
    cures: [
      'ralph prd --yes "<idea>" lets it decide by itself, ralph prd --answers "1B 2A" "<idea>" by your answers',
      `or describe one in ralph.config.json whose command line opens a conversation, with "prompt": "argument"`,
    ],
  });
}

/**
 * Lets a person talk with an agent in this terminal until one of them ends it. Throws UsageError where the agent knows no
 * conversation, RalphError(agent-unavailable) where it can't be started.
 */
export async function askInTerminal(
  request: TerminalRequest,
  run: (spec: TerminalSpec) => Promise<TerminalEnd> = runInTerminal,
): Promise<TerminalEnd> {
  const conversation = verifyConversation(request.spec);
  const folder = await mkdtemp(join(tmpdir(), 'ralph-prd-'));
  const file = join(folder, 'prd-prompt.md');
  await writeFile(file, request.prompt);
  try {
    const end = await run(commandOf(request, conversation, file));
    verifyStarted(request.spec, end);
    return end;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function commandOf({ spec, say, ...request }: TerminalRequest, conversation: Conversation, file: string): TerminalSpec {
  if (conversation.kind === 'typed') say(`Type this into ${spec.name}: Follow the instructions in ${file}\n`);
  const prompt = spec.promptBy === 'file' ? file : request.prompt;
  return {
    command: spec.command,
    args: conversation.args({ ...request, maxCostUsd: undefined, prompt }),
    cwd: request.cwd,
    env: terminalEnvironment(request.env),
  };
}

function verifyStarted({ name, command }: AgentSpec, { exit }: TerminalEnd): void {
  const isShellRefusal = exit.kind === 'exited' && (exit.code === 126 || exit.code === 127);
  if (exit.kind !== 'failed' && !isShellRefusal) return;
  const why = exit.kind === 'failed' ? exit.message : `exit ${exit.code}`;
  throw new RalphError('agent-unavailable', `the agent ${name} can't be started: ${why}`, {
    cures: [`see what it says to: ${command} --version`, 'or choose another with --tool'],
  });
}
