import { nothing } from './timers.ts';
import type { Timers } from './timers.ts';

/** How long silence may last now, and what it is called when it lasts longer. */
export interface Silence {
  readonly ms: number;
  readonly why: 'idle' | 'silent-after-result';
}

export interface IdleClock {
  /** A byte came. */
  touch(): void;
  stop(): void;
}

/** The clock is looked at this often at least, so that a jump in the middle of a silence is seen. */
const TICK_MS = 5_000;
/** A tick that comes this much later than planned: the machine was asleep, not the child. */
const JUMP_MS = 5_000;
/** Output that came while ralph itself was held up is read before silence is believed. */
const CONFIRM_MS = 50;

/**
 * Calls `onSilence` once when no byte came for as long as `allowed` says (undefined: for ever); it is asked anew at every
 * touch. When the clock jumps (a suspended laptop, a corrected time), the silence counts from then: a healthy child must
 * not be stopped for what the machine did.
 */
export function createIdleClock(
  timers: Timers,
  allowed: () => Silence | undefined,
  onSilence: (why: Silence['why']) => void,
): IdleClock {
  let last = timers.now();
  let silence = allowed();
  let lift = nothing;

  const plan = (ms: number, confirming: boolean): void => {
    const at = timers.now();
    lift = timers.after(ms, () => look(timers.now() - at - ms, confirming));
  };
  const look = (lateness: number, confirming: boolean): void => {
    if (silence === undefined) return;
    // A little early is the clock's rounding; a lot is one that was put back.
    if (lateness > JUMP_MS || lateness < -JUMP_MS) last = timers.now();
    const rest = last + silence.ms - timers.now();
    if (rest > 0) plan(Math.min(rest, TICK_MS), false);
    else if (!confirming) plan(CONFIRM_MS, true);
    else onSilence(silence.why);
  };
  const touch = (): void => {
    last = timers.now();
    const now = allowed();
    if (now?.ms === silence?.ms && now?.why === silence?.why) return;
    silence = now;
    lift();
    look(0, false);
  };
  look(0, false);
  return { touch, stop: () => lift() };
}
