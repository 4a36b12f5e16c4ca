import type { InterruptSignal } from '../exit.ts';
import type { Cut } from '../loop/ports.ts';
import { agentLadder } from './group.ts';
import type { ChildRegistry } from './registry.ts';
import { signalCarriers, watchHelpers } from './sweep.ts';
import { systemTimers } from './timers.ts';
import type { Timers } from './timers.ts';

const signals: readonly InterruptSignal[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** Where signals come from: `process`, or a test's emitter. */
export interface SignalSource {
  on(signal: InterruptSignal, listener: (signal: InterruptSignal) => void): unknown;
  off(signal: InterruptSignal, listener: (signal: InterruptSignal) => void): unknown;
}

export interface InterruptOptions {
  /** The run's: aborted with a `Cut` at the first signal, if nothing else has aborted it before. */
  readonly controller: AbortController;
  readonly registry: ChildRegistry;
  /** The id of the run, as soon as there is one. */
  readonly run: () => string | undefined;
  readonly source?: SignalSource;
  readonly timers?: Timers;
  /** Signals the carriers of the run's id outside of these groups. */
  readonly carriers?: (run: string, signal: NodeJS.Signals, served: ReadonlySet<number>) => void;
  /** Looks at the run's helpers; what it returns KILLs those of them that are still there. */
  readonly helpers?: (run: string) => () => void;
}

/** A call of git that still runs so long after everything was killed hangs; a shorter one puts the iteration in order. */
const HELPER_GRACE_MS = 1_000;

export interface Interrupt {
  /** The first signal, and when it came in milliseconds since the epoch. */
  first(): { readonly signal: InterruptSignal; readonly at: number } | undefined;
  /** Takes listeners and timers away. */
  uninstall(): void;
}

/**
 * Listens for INT, TERM and HUP. The first one cuts the run and starts one clock for everything that runs, agent, gate or
 * hook: INT at 0 s to every registered group and every process that carries the run's id, TERM at 5 s, KILL at 8 s to what
 * is left. Any further signal: KILL at once. ralph's own git is not among them, since with it the iteration is settled; one
 * that hangs is killed a second later.
 */
export function installInterrupt(options: InterruptOptions): Interrupt {
  const { controller, registry, source = process, timers = systemTimers } = options;
  const { carriers = signalCarriers, helpers = watchHelpers } = options;
  let first: { signal: InterruptSignal; at: number } | undefined;
  let pending: (() => void)[] = [];
  let liftHelpers: (() => void) | undefined;
  const cancel = (): void => {
    for (const lift of pending) lift();
    pending = [];
  };
  const toCarriers = (signal: NodeJS.Signals): void => {
    const run = options.run();
    if (run !== undefined) carriers(run, signal, new Set(registry.list().map((child) => child.group)));
  };
  const ask = (signal: InterruptSignal): void => {
    first = { signal, at: timers.now() };
    for (const child of registry.list()) child.begin(agentLadder);
    for (const rung of agentLadder) {
      if (rung.afterMs === 0) toCarriers(rung.signal);
      else
        pending.push(timers.after(rung.afterMs, () => (rung.signal === 'SIGKILL' ? force() : toCarriers(rung.signal))));
    }
    controller.abort({ kind: 'signal', signal } satisfies Cut);
  };
  const force = (): void => {
    cancel();
    for (const child of registry.list()) child.kill();
    toCarriers('SIGKILL');
    const run = options.run();
    // Once: whoever presses the keys again and again does not put it off.
    if (run !== undefined) liftHelpers ??= timers.after(HELPER_GRACE_MS, helpers(run));
  };
  const onSignal = (signal: InterruptSignal): void => (first === undefined ? ask(signal) : force());
  for (const signal of signals) source.on(signal, onSignal);
  return {
    first: () => first,
    uninstall: () => {
      for (const signal of signals) source.off(signal, onSignal);
      cancel();
      liftHelpers?.();
    },
  };
}
