import type { InterruptSignal, StopReason } from '../exit.ts';
import type { Selection } from '../prd/select.ts';
import type { Cut, Obstacle } from './facts.ts';
import type { LoopOptions } from './options.ts';
import type { Ports } from './ports.ts';
import type { RunState } from './run-state.ts';

/** Why a run ends, with the signal where one ended it. */
export interface Stop {
  readonly reason: StopReason;
  readonly signal?: InterruptSignal;
  /** One sentence or the agent's own line: what caused it. */
  readonly text?: string;
}

/** What of the world decides whether a run goes on. */
export interface StopFacts {
  readonly now: number;
  readonly cut: Cut | undefined;
  readonly stopRequested: boolean;
}

/** Where several reasons hold at once the first of this list is the run's: what is finished is never called a failure. */
const order: readonly StopReason[] = [
  'complete',
  'interrupted',
  'stopped',
  'environment',
  'agent-unavailable',
  'budget',
  'limit',
  'stalled',
  'blocked',
  'iterations',
];

/** The weightier of two reasons to stop; of two equal ones the first. */
export function firstStop(one: Stop | undefined, other: Stop | undefined): Stop | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return order.indexOf(other.reason) < order.indexOf(one.reason) ? other : one;
}

export function readStopFacts({ clock, cut, folder }: Ports): StopFacts {
  return { now: clock.now(), cut: cutOf(cut), stopRequested: folder.stopRequested() };
}

/** What a cut ends the run as. */
export function stopOfCut(cut: Cut): Stop {
  switch (cut.kind) {
    case 'signal':
      return { reason: 'interrupted', signal: cut.signal };
    case 'stop':
      return { reason: 'stopped' };
    case 'duration':
      return { reason: 'budget', text: 'the time of --max-duration is used up' };
  }
}

/**
 * Does the run end before its next iteration? `selection` is what there is to do, undefined in prompt mode. The order is
 * that of `firstStop`.
 */
export function decideStop(
  options: LoopOptions,
  state: RunState,
  facts: StopFacts,
  selection: Selection | undefined,
): Stop | undefined {
  if (selection?.kind === 'complete') return { reason: 'complete' };
  const early = decideEarlyStop(options, state, facts);
  if (early !== undefined) return early;
  const limit = state.cutOff && stopOfObstacle(options, state.cutOff.obstacle, facts.now);
  if (limit !== undefined) return limit;
  if (state.failures >= options.maxFailures || state.stalls >= options.maxStalls)
    return { reason: 'stalled', text: state.lastLine };
  if (selection?.kind === 'blocked') return { reason: 'blocked' };
  if (options.maxIterations !== undefined && state.iteration >= options.maxIterations) return { reason: 'iterations' };
  return undefined;
}

/** What ends a run between two tries of an iteration, too. */
export function decideEarlyStop(options: LoopOptions, state: RunState, facts: StopFacts): Stop | undefined {
  const cut = facts.cut && stopOfCut(facts.cut);
  const requested: Stop | undefined = facts.stopRequested ? { reason: 'stopped' } : undefined;
  return firstStop(firstStop(cut, requested), decideBudget(options, state, facts.now));
}

function decideBudget({ maxCostUsd, deadline }: LoopOptions, state: RunState, now: number): Stop | undefined {
  if (maxCostUsd !== undefined && state.costUsd >= maxCostUsd) {
    const text = `the agents have cost $${state.costUsd.toFixed(2)} of --max-cost ${maxCostUsd}`;
    return { reason: 'budget', text };
  }
  return deadline !== undefined && now >= deadline ? stopOfCut({ kind: 'duration' }) : undefined;
}

/** An obstacle for which no waiting is any use, or none is wanted. */
export function stopOfObstacle(options: LoopOptions, obstacle: Obstacle, now: number): Stop | undefined {
  switch (obstacle.kind) {
    case 'account':
      return { reason: 'limit', text: obstacle.text };
    case 'limit': {
      const isTooLate = options.deadline !== undefined && Math.max(now, obstacle.resetAt ?? now) > options.deadline;
      return options.onLimit === 'stop' || isTooLate ? { reason: 'limit', text: obstacle.text } : undefined;
    }
    case 'rate':
    case 'overloaded':
      return undefined;
  }
}

/** The reason of an aborted run signal. */
export function cutOf(signal: AbortSignal): Cut | undefined {
  if (!signal.aborted) return undefined;
  const cut: Cut = signal.reason;
  return cut;
}
