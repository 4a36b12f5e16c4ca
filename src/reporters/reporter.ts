/** What shows a run to people or programs while it happens. */
import type { RalphEvent } from '../loop/events.ts';

export interface Reporter {
  /** Shows one event at once. Never throws for what an event holds, never waits. */
  readonly handle: (event: RalphEvent) => void;
  /** Leaves the screen as it was: no line half written, no timer. May be called more than once, at any moment. */
  readonly close: () => void;
}

/** The time, and a timer that does not keep the process alive. */
export interface ReporterClock {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Calls `tick` every `ms` milliseconds until the function it returns is called. */
  readonly every: (ms: number, tick: () => void) => () => void;
}

export const systemClock: ReporterClock = {
  now: Date.now,
  every: (ms, tick) => {
    const timer = setInterval(tick, ms).unref();
    return () => clearInterval(timer);
  },
};
