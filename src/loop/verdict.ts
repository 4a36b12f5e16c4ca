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
  return broke(agent) || (agent === 'empty' && !changed);
}

const broke = (agent: AgentClass): boolean => ['crash', 'killed', 'idle', 'timeout'].includes(agent);
/** Cut off by its provider or account, or never started: says nothing about story or agent. */
const cutOff = (agent: AgentClass): boolean => ['auth', 'refused', 'usage', 'limit', 'overloaded'].includes(agent);

/** Does the iteration count as an attempt at the selected story? (A rejected claim counts for the story that was claimed.) */
export function isAttempt(verdict: Verdict, facts: IterationFacts, keepsWork: boolean): boolean {
  if (cutOff(facts.agent)) return false;
  if (verdict === 'failed') return facts.agent !== 'empty';
  return verdict === 'unfinished' && facts.changed && !keepsWork;
}

/** The guards after an iteration: how many failures and stalls in a row. */
export function countGuards(
  before: { failures: number; stalls: number },
  verdict: Verdict,
  facts: IterationFacts,
): { failures: number; stalls: number } {
  if (cutOff(facts.agent) && verdict !== 'passed') return before;
  const failures = verdict === 'failed' ? before.failures + 1 : 0;
  if (verdict === 'passed' || facts.changed || facts.ticked) return { failures, stalls: 0 };
  const isStall = (verdict === 'unfinished' || verdict === 'failed') && ['ok', 'empty', 'budget'].includes(facts.agent);
  return { failures, stalls: before.stalls + (isStall ? 1 : 0) };
}
