import { stripVTControlCharacters } from 'node:util';
import type { Emit, EventScope } from '../loop/events.ts';
import type { Check, CheckResult, CheckScope, GatesPort } from '../loop/ports.ts';
import { childEnvironment } from '../process/child-environment.ts';
import { commandLadder } from '../process/group.ts';
import type { ChildRegistry } from '../process/registry.ts';
import { runWatched } from '../process/run-watched.ts';
import type { WatchedEnd } from '../process/run-watched.ts';
import { createTail } from '../process/tail.ts';
import type { ChildSpec, OpenLog } from '../process/types.ts';

export interface GatesOptions {
  /** The start folder, in which gates and checks run. */
  readonly cwd: string;
  /** The user's environment. */
  readonly env: Readonly<NodeJS.ProcessEnv>;
  readonly run: string;
  readonly openLog: OpenLog;
  readonly emit: Emit;
  readonly registry: ChildRegistry;
}

/** A command to run as a check: a shell's, or (for hooks) one with arguments and an environment of its own. */
export interface CheckCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

const TAIL_BYTES = 8 * 1024;

/** Gates and checks: shell commands in the start folder that must exit 0. */
export function createGates(options: GatesOptions): GatesPort {
  const { cwd, env, run } = options;
  return {
    run: (check, scope) => {
      const { iteration, story } = scope;
      const shell = shellOf(check.command);
      return runCheck(check, scope, { ...shell, cwd, env: childEnvironment(env, { run, iteration, story }) }, options);
    },
  };
}

/**
 * Runs one gate, check or hook: log `gate-<name>.log` with stdout and stderr as they came, time limit, events, and an end
 * to whatever it leaves behind, which changes nothing about its result. Never rejects for what the command does.
 */
export async function runCheck(
  check: Check,
  scope: CheckScope,
  command: CheckCommand,
  { run, openLog, emit, registry }: Pick<GatesOptions, 'run' | 'openLog' | 'emit' | 'registry'>,
): Promise<CheckResult> {
  const { name, kind } = check;
  const place = placeOf(scope);
  const log = openLog(scope.iteration, `gate-${name}.log`);
  const tail = createTail(TAIL_BYTES);
  const take = (chunk: Uint8Array): void => {
    log.write(chunk);
    tail.write(chunk);
  };
  if (scope.signal.aborted) {
    log.close();
    return { check, green: false, exit: undefined, timedOut: false, interrupted: true, tail: '', log: log.path };
  }
  emit({ type: 'gate.started', name, kind, command: check.command }, place);
  const spec: ChildSpec = { ...command, onStdout: take, onStderr: take };
  const { timeoutMs } = check;
  const end = await runWatched(spec, { ladder: commandLadder, signal: scope.signal, run, registry, timeoutMs });
  // It never ran, so nothing but the system's reason can be shown.
  if (end.exit.kind === 'failed') take(Buffer.from(`${end.exit.message}\n`));
  log.close();
  const timedOut = end.stopped === 'timeout';
  const exit = end.exit.kind === 'exited' ? end.exit.code : undefined;
  for (const { pid, command: line } of end.killed) emit({ type: 'process.killed', pid, command: line }, place);
  emit({ type: 'gate.finished', name, kind, exit: exit ?? null, durationMs: end.durationMs, timedOut }, place);
  return {
    check,
    green: isGreen(end),
    exit,
    timedOut,
    interrupted: end.stopped === 'interrupted',
    // It is quoted to the next agent, for whom colours are noise.
    tail: stripVTControlCharacters(tail.text()),
    log: log.path,
  };
}

/** Exit 0, by itself: a command that was stopped may still tidy up and say 0. */
function isGreen({ stopped, exit }: WatchedEnd): boolean {
  return stopped === 'none' && exit.kind === 'exited' && exit.code === 0;
}

function placeOf({ iteration, story }: CheckScope): EventScope {
  return story === undefined ? { iteration } : { iteration, story };
}

function shellOf(command: string): { command: string; args: string[] } {
  return process.platform === 'win32'
    ? { command: 'cmd', args: ['/d', '/s', '/c', command] }
    : { command: 'sh', args: ['-c', command] };
}
