import type { Tokens, Totals } from './events.ts';
import type { AgentEnd, Feedback, Obstacle } from './facts.ts';

/** An agent that was cut off, and by what. */
export type CutOff = Pick<AgentEnd, 'class'> & { readonly obstacle: Obstacle };

/** What a run remembers between its iterations. Nothing of it outlives the run: a guard is never sticky. */
export interface RunState {
  readonly startedAt: number;
  iteration: number;
  stalls: number;
  failures: number;
  passed: number;
  rejected: number;
  failed: number;
  costUsd: number;
  tokens: Tokens;
  /** What was wrong last time, by story id; the empty string is the run itself in prompt mode. */
  readonly feedback: Map<string, Omit<Feedback, 'remarks'>>;
  /** Facts for the next agent whatever its story: what was put back, a sentinel given too early. Told once. */
  remarks: readonly string[];
  /** What the newest agent was told of them: told again if its try comes to nothing. */
  told: readonly string[];
  /** Gates that were red at the start (`--allow-red`) and have not been green since. */
  readonly unboundGates: Set<string>;
  /** Stories that were accepted without any gate or check. */
  unverified: number;
  /** Stories accepted in this run that a gate or check stands behind. */
  verified: number;
  /** Tries in a row that the provider cut off: the pause grows with them. */
  overloads: number;
  /** Limits in a row whose reset could not be read. */
  blindWaits: number;
  /** Met in an iteration that came to an end all the same: waited for before the next one. */
  cutOff: CutOff | undefined;
  /** The agent's own last line, for an end that it caused. */
  lastLine: string;
}

export function createRunState(now: number): RunState {
  return {
    startedAt: now,
    iteration: 0,
    stalls: 0,
    failures: 0,
    passed: 0,
    rejected: 0,
    failed: 0,
    costUsd: 0,
    tokens: { input: 0, output: 0, cacheRead: 0, cacheCreation: 0 },
    feedback: new Map(),
    remarks: [],
    told: [],
    unboundGates: new Set(),
    unverified: 0,
    verified: 0,
    overloads: 0,
    blindWaits: 0,
    cutOff: undefined,
    lastLine: '',
  };
}

/** Counts what a try has cost, whatever came of it. */
export function addUsage(state: RunState, { costUsd, tokens }: Pick<AgentEnd, 'costUsd' | 'tokens'>): void {
  state.costUsd = roundUsd(state.costUsd + costUsd);
  if (tokens === undefined) return;
  state.tokens = {
    input: state.tokens.input + tokens.input,
    output: state.tokens.output + tokens.output,
    cacheRead: state.tokens.cacheRead + tokens.cacheRead,
    cacheCreation: state.tokens.cacheCreation + tokens.cacheCreation,
  };
}

/** Sums of prices are noisy in binary fractions; a micro-dollar is finer than any price. */
export function roundUsd(costUsd: number): number {
  return Math.round(costUsd * 1e6) / 1e6;
}

/** What is known at an agent's end about the cause that cut it off, if one did. */
export function cutOffOf({ class: name, obstacle }: AgentEnd): CutOff | undefined {
  return obstacle === undefined ? undefined : { class: name, obstacle };
}

export function totalsOf(state: RunState, now: number): Totals {
  return {
    iterations: state.iteration,
    passed: state.passed,
    rejected: state.rejected,
    failed: state.failed,
    costUsd: state.costUsd,
    tokens: state.tokens,
    durationMs: now - state.startedAt,
  };
}
