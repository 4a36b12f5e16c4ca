import type { InterruptSignal, StopReason } from '../exit.ts';
import type { Selection } from '../prd/select.ts';
import type { LoopOptions } from './options.ts';
import type { Cut } from './ports.ts';
import type { RunState } from './run-state.ts';

/** Why a run ends, with the signal where one ended it. */
export interface Stop {
  readonly reason: StopReason;
  readonly signal?: InterruptSignal;
  /** One sentence or the agent's own line: what caused it. */
  readonly text?: string;
}

export interface StopFacts {
  /** Undefined in prompt mode. */
  readonly selection: Selection | undefined;
  readonly now: number;
  readonly cut: Cut | undefined;
  readonly stopRequested: boolean;
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

/** Does the run end before its next iteration? The order is the contract's: what is finished is never called a failure. */
export function decideStop(options: LoopOptions, state: RunState, facts: StopFacts): Stop | undefined {
  const { selection, cut } = facts;
  if (selection?.kind === 'complete') return { reason: 'complete' };
  if (cut !== undefined) return stopOfCut(cut);
  if (facts.stopRequested) return { reason: 'stopped' };
  if (options.maxCostUsd !== undefined && state.costUsd >= options.maxCostUsd) {
    return {
      reason: 'budget',
      text: `the agents have cost $${state.costUsd.toFixed(2)} of --max-cost ${options.maxCostUsd}`,
    };
  }
  if (options.deadline !== undefined && facts.now >= options.deadline) return stopOfCut({ kind: 'duration' });
  if (state.failures >= options.maxFailures) return { reason: 'stalled', text: state.lastLine };
  if (state.stalls >= options.maxStalls) return { reason: 'stalled', text: state.lastLine };
  if (selection?.kind === 'blocked') return { reason: 'blocked' };
  if (options.maxIterations !== undefined && state.iteration >= options.maxIterations) return { reason: 'iterations' };
  return undefined;
}

/** The reason of an aborted run signal. */
export function cutOf(signal: AbortSignal): Cut | undefined {
  if (!signal.aborted) return undefined;
  const cut: Cut = signal.reason;
  return cut;
}
