/** What goes in and out of the ports: plain facts, without a method among them. */
import type { InterruptSignal } from '../exit.ts';
import type { Prd, PrdWarning } from '../prd/types.ts';
import type { AgentClass, CheckKind, Tokens } from './events.ts';

/** Why the run is being cut short, as the `reason` of the run's AbortSignal. */
export type Cut = { kind: 'signal'; signal: InterruptSignal } | { kind: 'duration' } | { kind: 'stop' };

// ── prd.json ────────────────────────────────────────────────────────────────────────────────────────────────────────────

/** prd.json as it was read: the bytes are kept, so that writing changes only what changes. */
export interface PrdReading {
  /** The exact text, byte order mark included. */
  readonly text: string;
  readonly prd: Prd;
  readonly warnings: readonly PrdWarning[];
}

// ── progress.txt ────────────────────────────────────────────────────────────────────────────────────────────────────────

export interface LogEntry {
  readonly at: number;
  readonly iteration: number;
  /** Ids of the stories it is about. */
  readonly stories: readonly string[];
  readonly lines: readonly string[];
}

export interface LogReading {
  /** The exact text; bytes that are no UTF-8 stand in it as lone surrogates, which the log turns back when it writes. */
  readonly text: string;
  /** The body of the `## Codebase Patterns` part. */
  readonly patterns: string;
  /** The newest entries, oldest first, at most 12 KiB. */
  readonly newest: string;
}

// ── agent ───────────────────────────────────────────────────────────────────────────────────────────────────────────────

export interface AgentRequest {
  readonly prompt: string;
  readonly iteration: number;
  readonly try: number;
  readonly story: string | undefined;
  /** What is left of the run's budget, for an agent that has a cap of its own. */
  readonly maxCostUsd: number | undefined;
  readonly signal: AbortSignal;
}

/** What the agent's own final words say; nothing else counts. */
export interface FinalWords {
  /** The sentinel stands alone on some line of a final message. */
  readonly sentinel: boolean;
  /** It is the last line that is not empty. */
  readonly sentinelLast: boolean;
  /** The reason given with `<promise>BLOCKED: reason</promise>`. */
  readonly blocked: string | undefined;
}

/** A provider or account that cut the agent off. Times are milliseconds since the epoch. */
export type Obstacle =
  | { kind: 'limit'; resetAt: number | undefined; text: string }
  | { kind: 'account'; text: string }
  | { kind: 'rate'; text: string }
  | { kind: 'overloaded'; text: string };

export interface AgentEnd {
  readonly class: AgentClass;
  readonly exit: number | undefined;
  readonly words: FinalWords;
  /** What cut it off, for the classes `limit` and `overloaded`. */
  readonly obstacle: Obstacle | undefined;
  /** Its own last line: the error line of a failure, else the last line it said. */
  readonly lastLine: string;
  readonly costUsd: number;
  readonly tokens: Tokens | undefined;
  readonly denied: readonly string[];
}

// ── gates and checks ────────────────────────────────────────────────────────────────────────────────────────────────────

/** A shell command that must exit 0. */
export interface Check {
  readonly name: string;
  readonly kind: CheckKind;
  readonly command: string;
  readonly timeoutMs: number;
}

/** Whose iteration a command runs in; iteration 0 is the start of the run. */
export interface CheckScope {
  readonly iteration: number;
  readonly story: string | undefined;
  readonly signal: AbortSignal;
}

export interface CheckResult {
  readonly check: Check;
  readonly green: boolean;
  readonly exit: number | undefined;
  readonly timedOut: boolean;
  /** Stopped because the run was cut short: neither green nor red. */
  readonly interrupted: boolean;
  /** The last 8 KiB of what it printed, as text. */
  readonly tail: string;
  /** Path of its log from the root of the working tree. */
  readonly log: string;
}

// ── prompt ──────────────────────────────────────────────────────────────────────────────────────────────────────────────

/** What was wrong last time with this story (or with the run, in prompt mode). */
export interface Feedback {
  /** Undefined: nothing was concluded on this story last time, there are only remarks. */
  readonly verdict: string | undefined;
  readonly reason: string;
  /** Name and output of the gate, check or hook that was red. */
  readonly gate: { name: string; tail: string } | undefined;
  readonly ref: string | undefined;
  /** Further facts, one sentence each: state files put back, a sentinel given too early, a branch left elsewhere. */
  readonly remarks: readonly string[];
}

export interface PromptFacts {
  readonly iteration: number;
  readonly maxIterations: number | undefined;
  readonly story: { id: string; title: string; json: string; checks: readonly string[] } | undefined;
  readonly branch: string;
  readonly gates: readonly string[];
  readonly patterns: string;
  readonly newest: string;
  readonly feedback: Feedback | undefined;
}

// ── git ─────────────────────────────────────────────────────────────────────────────────────────────────────────────────

/** The state before an agent starts. Opaque to the loop. */
export interface Snapshot {
  readonly head: string;
  readonly tree: string;
}

/** What came of an agent's work, after branch, HEAD, refs and the user's own files have been put in order. */
export interface Outcome {
  /** Changed paths apart from the state files, as text for people. */
  readonly changed: readonly string[];
  /** What the next accepted commit would hold: the same, and with `--on-reject keep` what earlier iterations left. */
  readonly pending: readonly string[];
  /** The agent made commits of its own that stand on the branch now. */
  readonly commits: readonly string[];
  /** What must not get into git, each with its cure; empty when all is well. */
  readonly violations: readonly string[];
  /** What was put in order, one sentence each, for the log and the next agent. */
  readonly remarks: readonly string[];
  /** A rescue ref that was needed already while putting things in order. */
  readonly ref: string | undefined;
  /** Did the user have files of his own uncommitted, which gates and checks saw? */
  readonly userFiles: boolean;
}

export interface CommitRequest {
  readonly subject: string;
  readonly trailers: readonly (readonly [string, string])[];
  /** The state files as they are to be committed are in the working tree already. */
  readonly scope: CheckScope;
}

export type CommitResult =
  | {
      kind: 'committed';
      /** Undefined where nothing was left to commit. */ commit: string | undefined;
      remarks: readonly string[];
    }
  | { kind: 'hook'; result: CheckResult }
  | { kind: 'interrupted' };

/** Both state files as texts. */
export interface StateTexts {
  readonly prd: string;
  readonly log: string;
}

/** The state files that ralph writes at the end of an iteration, and what they are without its verdict. */
export interface StateWrite {
  /** `settled`: the verdict stands from now on, whatever happens; until then the iteration may still be undone. */
  readonly phase: 'working' | 'settled';
  readonly without: StateTexts;
  readonly written: StateTexts;
}
