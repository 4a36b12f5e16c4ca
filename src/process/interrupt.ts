import type { InterruptSignal } from '../exit.ts';
import type { Cut } from '../loop/ports.ts';
import { agentLadder } from './group.ts';
import type { ChildRegistry } from './registry.ts';
import { signalCarriers } from './sweep.ts';
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
}

export interface Interrupt {
  /** The first signal, and when it came in milliseconds since the epoch. */
  first(): { readonly signal: InterruptSignal; readonly at: number } | undefined;
  /** Takes listeners and timers away. */
  uninstall(): void;
}

/**
 * Listens for INT, TERM and HUP. The first one cuts the run and starts one clock for everything that runs, agent, gate or
 * hook: INT at 0 s to every registered group and every process that carries the run's id, TERM at 5 s, KILL at 8 s to what
 * is left. Any further signal: KILL at once.
 */
export function installInterrupt(options: InterruptOptions): Interrupt {
  const { controller, registry, source = process, timers = systemTimers, carriers = signalCarriers } = options;
  let first: { signal: InterruptSignal; at: number } | undefined;
  let pending: (() => void)[] = [];
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
  };
  const onSignal = (signal: InterruptSignal): void => (first === undefined ? ask(signal) : force());
  for (const signal of signals) source.on(signal, onSignal);
  return {
    first: () => first,
    uninstall: () => {
      for (const signal of signals) source.off(signal, onSignal);
      cancel();
    },
  };
}
