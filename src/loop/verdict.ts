import type { AgentClass, Verdict } from './events.ts';

/** What an iteration came to, apart from what judging found. */
export interface IterationFacts {
  readonly agent: AgentClass;
  /** Files or commits differ from the snapshot, apart from the state files. */
  readonly changed: boolean;
  /** Some story was ticked. */
  readonly ticked: boolean;
  readonly interrupted: boolean;
  readonly passed: boolean;
  readonly rejected: boolean;
  readonly blocked: boolean;
}

/** The verdict on a whole iteration; what passed outweighs all else. */
export function decideVerdict(facts: IterationFacts): Verdict {
  if (facts.passed) return 'passed';
  if (facts.interrupted) return 'interrupted';
  if (facts.rejected) return 'rejected';
  if (facts.blocked) return 'blocked';
  return isFailure(facts) ? 'failed' : 'unfinished';
}

/** No claim, and the agent crashed, was killed or stopped by a timeout, or said nothing and changed nothing. */
function isFailure({ agent, changed }: IterationFacts): boolean {
  switch (agent) {
    case 'crash':
    case 'killed':
    case 'idle':
    case 'timeout':
      return true;
    case 'empty':
      return !changed;
    case 'ok':
    case 'auth':
    case 'refused':
    case 'usage':
    case 'limit':
    case 'overloaded':
    case 'budget':
    case 'interrupted':
      return false;
  }
}

/** Did the agent never start to work? The same would come of every further try. */
export function isUnavailable(agent: AgentClass): boolean {
  return agent === 'auth' || agent === 'refused' || agent === 'usage';
}

/** Its provider, its account or its own setup ended it: that says nothing about the story. */
function isNoAttempt(agent: AgentClass): boolean {
  return isUnavailable(agent) || agent === 'limit' || agent === 'overloaded';
}

/** Does a claim that was rejected count as an attempt at the story that was claimed? */
export function isRejectedAttempt(agent: AgentClass): boolean {
  return !isNoAttempt(agent);
}

/** Does the iteration count as an attempt at the selected story, if that was not claimed? `verdict` is the one on that story. */
export function isAttempt(verdict: Verdict, { agent, changed }: IterationFacts, keepsWork: boolean): boolean {
  if (isNoAttempt(agent)) return false;
  if (verdict === 'failed') return agent !== 'empty';
  return verdict === 'unfinished' && changed && !keepsWork;
}

export interface Guards {
  /** Failed iterations in a row. */
  readonly failures: number;
  /** Iterations in a row that changed and ticked nothing. */
  readonly stalls: number;
}

/** The guards after an iteration that came to an end. */
export function countGuards(before: Guards, verdict: Verdict, facts: IterationFacts): Guards {
  const failures = verdict === 'failed' ? before.failures + 1 : 0;
  if (verdict === 'passed' || facts.changed || facts.ticked) return { failures, stalls: 0 };
  const endedWell = ['ok', 'empty', 'budget'].includes(facts.agent);
  const isStall = endedWell && (verdict === 'unfinished' || verdict === 'failed');
  return { failures, stalls: before.stalls + (isStall ? 1 : 0) };
}
