import type { Timers } from '../../../src/process/timers.ts';

export interface FakeTimers extends Timers {
  /** Lets time pass; callbacks run in their order, at their time. */
  advance(ms: number): void;
  /** The clock jumps; callbacks that were due meanwhile run late, at the new time. */
  jump(ms: number): void;
  /** How many callbacks wait. */
  waiting(): number;
}

export function createFakeTimers(): FakeTimers {
  let now = 1_000_000;
  let planned: { at: number; callback: () => void }[] = [];
  const runUntil = (end: number, keepsTime: boolean): void => {
    for (;;) {
      const next = planned.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
      if (next === undefined) break;
      planned = planned.filter((entry) => entry !== next);
      if (keepsTime) now = Math.max(now, next.at);
      next.callback();
    }
    now = Math.max(now, end);
  };
  return {
    now: () => now,
    after: (ms, callback) => {
      const entry = { at: now + ms, callback };
      planned.push(entry);
      return () => {
        planned = planned.filter((other) => other !== entry);
      };
    },
    advance: (ms) => runUntil(now + ms, true),
    jump: (ms) => {
      const due = now + ms;
      now = due;
      runUntil(due, false);
    },
    waiting: () => planned.length,
  };
}
