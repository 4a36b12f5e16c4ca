import type { PrdComparison, Story } from '../prd/types.ts';
import type { AgentEnd, LogReading, Outcome, PrdReading } from './facts.ts';
import type { Ports, PrdFile, ProgressLog } from './ports.ts';

/** The ports of a run over a prd.json. */
export type PrdPorts = Ports & {
  readonly prd: PrdFile;
  readonly log: ProgressLog;
  /** Checks the PRD's branch out where the user has switched since. Throws where that can't be done. */
  readonly backToBranch: () => Promise<void>;
};

/** One try of an iteration, from its snapshot to the facts it is judged by. */
export interface Try {
  readonly story: Story;
  /** prd.json as it was before the agent. */
  readonly reading: PrdReading;
  /** The log with every earlier entry in it. */
  readonly log: LogReading;
  readonly end: AgentEnd;
  readonly outcome: Outcome;
  readonly claims: PrdComparison;
  /** What was put back or in order, for the log and the next agent. */
  readonly remarks: readonly string[];
}
