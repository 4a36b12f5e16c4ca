import { constants } from 'node:os';
import { signalGroup } from './group.ts';
import { startHelper } from './spawn.ts';
import type { ChildExit, ToolResult } from './types.ts';

export interface ToolOptions {
  readonly cwd: string;
  /** The whole environment; nothing is added to it. */
  readonly env: NodeJS.ProcessEnv;
  /** Absent: an empty input. */
  readonly input?: Uint8Array | string;
  /** In milliseconds; absent: no limit. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

/** How long a helper that was told to end may take to tidy up (git removes its lock files on TERM). */
const GRACE_MS = 2_000;

/** A helper that gave no result: `code` is the system's (`ENOENT`, `E2BIG`…), `ETIMEDOUT` or `ABORT_ERR`. */
export class ToolError extends Error {
  readonly code: string;

  constructor(message: string, code: string) {
    super(message);
    this.name = 'ToolError';
    this.code = code;
  }
}

/**
 * Runs a short helper (git, ps) to its end, without a shell. Resolves for every exit code, 128+n for a death by signal n;
 * rejects with ToolError where it can't be started, takes longer than `timeoutMs` or is aborted (its group is stopped then).
 */
export async function runTool(command: string, args: readonly string[], options: ToolOptions): Promise<ToolResult> {
  if (options.signal?.aborted === true) throw new ToolError(`${command} was not started: interrupted`, 'ABORT_ERR');
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  const child = startHelper({
    command,
    args,
    cwd: options.cwd,
    env: options.env,
    ...(options.input === undefined ? {} : { input: options.input }),
    onStdout: (chunk) => stdout.push(chunk),
    onStderr: (chunk) => stderr.push(chunk),
  });
  const limit = limitOf(command, child.pid, options);
  const exit = await child.exit;
  const stopped = limit?.lift();
  if (stopped !== undefined) throw stopped;
  if (exit.kind === 'failed') throw new ToolError(`${command} can't be started: ${exit.message}`, exit.code);
  return { code: codeOf(exit), stdout: Buffer.concat(stdout), stderr: Buffer.concat(stderr).toString('utf8') };
}

function codeOf(exit: Exclude<ChildExit, { kind: 'failed' }>): number {
  return exit.kind === 'exited' ? exit.code : 128 + constants.signals[exit.signal];
}

/** Watches time and signal; `lift` ends the watch and returns why the helper was stopped, if it was. */
function limitOf(
  command: string,
  pid: number | undefined,
  options: ToolOptions,
): { lift: () => ToolError | undefined } | undefined {
  const { timeoutMs, signal } = options;
  if (pid === undefined || (timeoutMs === undefined && signal === undefined)) return undefined;
  const timers: NodeJS.Timeout[] = [];
  let stopped: ToolError | undefined;
  const stop = (error: ToolError): void => {
    if (stopped !== undefined) return;
    stopped = error;
    signalGroup(pid, 'SIGTERM');
    timers.push(setTimeout(() => signalGroup(pid, 'SIGKILL'), GRACE_MS));
  };
  const onAbort = (): void => stop(new ToolError(`${command} was interrupted`, 'ABORT_ERR'));
  signal?.addEventListener('abort', onAbort, { once: true });
  if (timeoutMs !== undefined) {
    const late = new ToolError(`${command} took longer than ${timeoutMs} ms`, 'ETIMEDOUT');
    timers.push(setTimeout(() => stop(late), timeoutMs));
  }
  return {
    lift: () => {
      for (const timer of timers) clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      return stopped;
    },
  };
}
