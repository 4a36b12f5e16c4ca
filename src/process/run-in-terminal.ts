import type { InterruptSignal } from '../exit.ts';
import { systemCodeOf } from '../errors.ts';
import { startInTerminal } from './spawn.ts';
import { nothing } from './timers.ts';
import type { ChildExit, TerminalSpec } from './types.ts';

/** How long an agent that was told to end may take to put the terminal in order. */
const GRACE_MS = 5_000;

/** Where signals come from: `process`, or a test's emitter. */
interface SignalSource {
  on(signal: NodeJS.Signals, listener: () => void): unknown;
  off(signal: NodeJS.Signals, listener: () => void): unknown;
}

export interface TerminalEnd {
  readonly exit: ChildExit;
  /** The signal by which ralph itself was told to end; undefined for what the person did at the terminal. */
  readonly signal: InterruptSignal | undefined;
}

/**
 * Runs a program in the person's terminal to its end. Ctrl-C and Ctrl-\ are the program's own affair; TERM and HUP to ralph
 * are handed on, with KILL after 5 s.
 */
export async function runInTerminal(spec: TerminalSpec, source: SignalSource = process): Promise<TerminalEnd> {
  let first: InterruptSignal | undefined;
  let kill: NodeJS.Timeout | undefined;
  let child: ReturnType<typeof startInTerminal> | undefined;
  const stop = (signal: InterruptSignal): void => {
    first ??= signal;
    const pid = child?.pid;
    if (pid === undefined) return;
    send(pid, signal);
    kill ??= setTimeout(() => send(pid, 'SIGKILL'), GRACE_MS);
  };
  const listeners: readonly [NodeJS.Signals, () => void][] = [
    ['SIGINT', nothing],
    ['SIGQUIT', nothing],
    ['SIGTERM', () => stop('SIGTERM')],
    ['SIGHUP', () => stop('SIGHUP')],
  ];
  for (const [signal, listener] of listeners) source.on(signal, listener);
  child = startInTerminal(spec);
  const exit = await child.exit;
  clearTimeout(kill);
  for (const [signal, listener] of listeners) source.off(signal, listener);
  return { exit, signal: first };
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    // It has just ended by itself.
    if (systemCodeOf(error) !== 'ESRCH') throw error;
  }
}
