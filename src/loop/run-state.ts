import type { Tokens, Totals } from './events.ts';
import type { Feedback, Obstacle } from './ports.ts';

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
  readonly feedback: Map<string, Feedback>;
  /** Facts for the next agent whatever its story: state files put back, a sentinel given too early. */
  remarks: string[];
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
  /** Met in an iteration that was accepted all the same: waited for before the next one. */
  obstacle: Obstacle | undefined;
  /** The agent's own last line, for an end that it caused. */
  lastLine: string;
  /** A push was refused and is tried again after the next story. */
  pushFailed: boolean;
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
    unboundGates: new Set(),
    unverified: 0,
    verified: 0,
    overloads: 0,
    blindWaits: 0,
    obstacle: undefined,
    lastLine: '',
    pushFailed: false,
  };
}

export function addUsage(state: RunState, costUsd: number, tokens: Tokens | undefined): void {
  // Cents of cents add up to noise in binary fractions; a micro-dollar is finer than any price.
  state.costUsd = Math.round((state.costUsd + costUsd) * 1e6) / 1e6;
  if (tokens === undefined) return;
  state.tokens = {
    input: state.tokens.input + tokens.input,
    output: state.tokens.output + tokens.output,
    cacheRead: state.tokens.cacheRead + tokens.cacheRead,
    cacheCreation: state.tokens.cacheCreation + tokens.cacheCreation,
  };
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
