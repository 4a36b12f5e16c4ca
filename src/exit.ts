/** Why a run ended, and the exit code for it. The one table of exit codes (contract, "Exit codes"). */
export type StopReason =
  | 'complete'
  | 'iterations'
  | 'usage'
  | 'blocked'
  | 'agent-unavailable'
  | 'budget'
  | 'stalled'
  | 'locked'
  | 'limit'
  | 'stopped'
  | 'environment'
  | 'internal'
  | 'interrupted';

export type InterruptSignal = 'SIGHUP' | 'SIGINT' | 'SIGTERM';

const codes = {
  complete: 0,
  iterations: 1,
  usage: 2,
  blocked: 3,
  'agent-unavailable': 4,
  budget: 5,
  stalled: 6,
  locked: 7,
  limit: 8,
  stopped: 9,
  environment: 10,
  internal: 70,
} as const satisfies Record<Exclude<StopReason, 'interrupted'>, number>;

const signalCodes: Record<InterruptSignal, number> = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 };

/** The process exit code of a stop reason; an interrupted run has the code of its first signal. */
export function exitCodeOf(reason: StopReason, signal: InterruptSignal = 'SIGINT'): number {
  return reason === 'interrupted' ? signalCodes[signal] : codes[reason];
}
