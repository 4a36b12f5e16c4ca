import type { Obstacle } from './facts.ts';
import type { LoopOptions } from './options.ts';
import type { RunState } from './run-state.ts';
import { stopOfObstacle } from './stop.ts';
import type { Stop } from './stop.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
/** The longest pause after an overloaded provider. */
const LONGEST_RETRY = 5 * MINUTE;
/** A usage limit whose reset can't be read is looked at again after these times, and then each hour. */
const BLIND_WAITS = [15 * MINUTE, 30 * MINUTE];
const EACH_HOUR = 60 * MINUTE;

/** What to do about an obstacle: wait so long and try again, or end the run. Times in milliseconds. */
export type Pause = { kind: 'wait'; waitMs: number; resetAt: number | undefined } | { kind: 'stop'; stop: Stop };

export interface PauseFacts {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Jitter: 0 up to but not including 1. */
  readonly random: number;
  /** The try came to nothing: an overloaded provider then counts as a failure. A limit never does. */
  readonly isFailure: boolean;
}

/** Plans the pause before the next try and counts it. */
export function planPause(options: LoopOptions, state: RunState, obstacle: Obstacle, facts: PauseFacts): Pause {
  switch (obstacle.kind) {
    case 'account':
      return { kind: 'stop', stop: { reason: 'limit', text: obstacle.text } };
    case 'limit':
      return planLimit(options, state, obstacle, facts);
    case 'rate':
    case 'overloaded':
      return planRetry(options, state, obstacle, facts);
  }
}

function planLimit(
  options: LoopOptions,
  state: RunState,
  obstacle: Obstacle & { kind: 'limit' },
  facts: PauseFacts,
): Pause {
  const stop = stopOfObstacle(options, obstacle, facts.now);
  if (stop !== undefined) return { kind: 'stop', stop };
  const { resetAt } = obstacle;
  const waitMs = resetAt === undefined ? planBlindWait(state) : planKnownWait(state, resetAt, facts);
  const isTooLate = options.deadline !== undefined && facts.now + waitMs > options.deadline;
  return isTooLate
    ? { kind: 'stop', stop: { reason: 'limit', text: obstacle.text } }
    : { kind: 'wait', waitMs, resetAt };
}

function planBlindWait(state: RunState): number {
  const waitMs = BLIND_WAITS[state.blindWaits] ?? EACH_HOUR;
  state.blindWaits += 1;
  return waitMs;
}

/** A second to ten later than said, so that many waiting loops don't come back in the same moment. */
function planKnownWait(state: RunState, resetAt: number, { now, random }: PauseFacts): number {
  state.blindWaits = 0;
  return Math.round(Math.max(0, resetAt - now) + SECOND + random * 9 * SECOND);
}

function planRetry(
  options: LoopOptions,
  state: RunState,
  obstacle: Obstacle & { kind: 'rate' | 'overloaded' },
  { random, isFailure }: PauseFacts,
): Pause {
  if (isFailure) state.failures += 1;
  if (state.failures >= options.maxFailures) return { kind: 'stop', stop: { reason: 'stalled', text: obstacle.text } };
  const grown = Math.min(options.retryDelayMs * 3 ** state.overloads, LONGEST_RETRY);
  state.overloads += 1;
  const base = obstacle.kind === 'rate' ? Math.max(grown, MINUTE) : grown;
  const later = base * (1 + random * 0.2);
  // At the bound the jitter goes the other way: none waits longer.
  const waitMs = Math.round(later <= LONGEST_RETRY ? later : LONGEST_RETRY * (1 - random * 0.2));
  return { kind: 'wait', waitMs, resetAt: undefined };
}
