import type { LoopOptions } from './options.ts';
import type { Obstacle } from './ports.ts';
import type { RunState } from './run-state.ts';
import type { Stop } from './stop.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
/** The longest pause after an overloaded provider. */
const LONGEST_RETRY = 5 * MINUTE;
/** A usage limit whose reset can't be read is looked at again after these times, the last one again and again. */
const BLIND_WAITS = [15 * MINUTE, 30 * MINUTE, 60 * MINUTE];

/** What to do about an obstacle: wait so long and try again, or end the run. */
export type Pause = { kind: 'wait'; waitMs: number; resetAt: number | undefined } | { kind: 'stop'; stop: Stop };

/** Plans the pause before the next try and counts it. A limit is no failure; an overloaded provider is one. */
export function planPause(
  options: LoopOptions,
  state: RunState,
  obstacle: Obstacle,
  clock: { now: number; random: number },
): Pause {
  switch (obstacle.kind) {
    case 'account':
      return { kind: 'stop', stop: { reason: 'limit', text: obstacle.text } };
    case 'limit':
      return planLimit(options, state, obstacle, clock);
    case 'rate':
    case 'overloaded':
      return planRetry(options, state, obstacle, clock);
  }
}

function planLimit(
  options: LoopOptions,
  state: RunState,
  obstacle: Obstacle & { kind: 'limit' },
  { now, random }: { now: number; random: number },
): Pause {
  const stop: Stop = { reason: 'limit', text: obstacle.text };
  if (options.onLimit === 'stop') return { kind: 'stop', stop };
  const blind = BLIND_WAITS[Math.min(state.blindWaits, BLIND_WAITS.length - 1)] ?? LONGEST_RETRY;
  // A second to ten later than said, so that many waiting loops don't come back in the same moment.
  const known =
    obstacle.resetAt === undefined ? undefined : Math.max(0, obstacle.resetAt - now) + SECOND + random * 9 * SECOND;
  const waitMs = Math.round(known ?? blind);
  if (obstacle.resetAt === undefined) state.blindWaits += 1;
  else state.blindWaits = 0;
  if (options.deadline !== undefined && now + waitMs > options.deadline) return { kind: 'stop', stop };
  return { kind: 'wait', waitMs, resetAt: obstacle.resetAt };
}

function planRetry(
  options: LoopOptions,
  state: RunState,
  obstacle: Obstacle & { kind: 'rate' | 'overloaded' },
  { random }: { now: number; random: number },
): Pause {
  state.failures += 1;
  if (state.failures >= options.maxFailures) return { kind: 'stop', stop: { reason: 'stalled', text: obstacle.text } };
  const grown = Math.min(options.retryDelayMs * 3 ** state.overloads, LONGEST_RETRY);
  state.overloads += 1;
  const base = obstacle.kind === 'rate' ? Math.max(grown, MINUTE) : grown;
  return { kind: 'wait', waitMs: Math.round(base * (1 + random * 0.2)), resetAt: undefined };
}
