/**
 * The events of a run (contract, section 10): past facts, one JSON object per line in `events.jsonl` and with `--json`.
 * A source of events fills in a body; the journal stamps `v`, `at` and `run`.
 */
import type { InterruptSignal, StopReason } from '../exit.ts';

/** Version of the event format. It rises when a field changes its meaning or goes away. */
export const EVENT_VERSION = 1;

export type Verdict = 'passed' | 'rejected' | 'unfinished' | 'blocked' | 'failed' | 'interrupted';

/** How an agent process ended (contract, "When an agent fails"). */
export type AgentClass =
  | 'ok'
  | 'empty'
  | 'crash'
  | 'killed'
  | 'idle'
  | 'timeout'
  | 'auth'
  | 'refused'
  | 'usage'
  | 'limit'
  | 'overloaded'
  | 'budget'
  | 'interrupted';

export interface Tokens {
  input: number;
  output: number;
  cacheRead: number;
  cacheCreation: number;
}

export interface Totals {
  iterations: number;
  passed: number;
  rejected: number;
  failed: number;
  costUsd: number;
  tokens: Tokens;
  durationMs: number;
}

/** A story that is not done, and what keeps it from being worked on. */
export interface OpenStory {
  id: string;
  title: string;
  /** Why a person is needed, or null. */
  blocked: string | null;
  /** Ids of the open stories that it depends on. */
  waitsFor: string[];
}

/** Where an event belongs; absent where it does not apply. */
export interface EventScope {
  iteration?: number;
  story?: string;
  try?: number;
}

export type EventBody =
  | {
      type: 'run.started';
      tool: string;
      branch: string;
      prd: string | null;
      maxIterations: number | null;
      /** After so many a story is blocked. */
      maxAttempts?: number;
      stories: number;
      passed: number;
    }
  | { type: 'run.recovered'; fromRun: string; files: string[]; ref: string | null }
  | {
      type: 'warning.raised';
      text: string;
      place: string | null;
      /** Something to know, and nothing to mend. */ level?: 'note';
    }
  | { type: 'archive.created'; folder: string }
  | { type: 'iteration.started'; title: string | null }
  | { type: 'agent.started'; tool: string; pid: number | null }
  | { type: 'agent.text'; text: string }
  | { type: 'agent.tool'; name: string; summary: string }
  | { type: 'agent.denied'; tools: string[] }
  | {
      type: 'agent.finished';
      exit: number | null;
      signal: string | null;
      class: AgentClass;
      durationMs: number;
      costUsd: number | null;
      tokens: Tokens | null;
      session: string | null;
      /** The agent's own last line, where it failed. */
      text: string | null;
    }
  | { type: 'agent.limit'; resetAt: string | null; waitMs: number; text: string }
  | { type: 'agent.retry'; class: AgentClass; text: string; waitMs: number }
  | { type: 'state.restored'; file: string; kept: string | null; reason: string }
  | { type: 'claim.made'; stories: string[] }
  | { type: 'claim.premature'; open: string[] }
  | { type: 'claim.withdrawn'; by: 'agent' | 'check'; reason: string }
  | { type: 'gate.started'; name: string; kind: CheckKind; command: string }
  | { type: 'gate.finished'; name: string; kind: CheckKind; exit: number | null; durationMs: number; timedOut: boolean }
  | { type: 'story.passed'; commit: string | null; verified: boolean; attempts: number }
  | { type: 'story.rejected'; reason: string; attempts: number }
  | { type: 'story.unfinished'; reason: string; attempts: number }
  | { type: 'story.blocked'; reason: string }
  | { type: 'story.failed'; reason: string; attempts: number }
  | { type: 'rescue.saved'; ref: string }
  | { type: 'process.killed'; pid: number; command: string }
  | { type: 'iteration.finished'; verdict: Verdict; durationMs: number; costUsd: number }
  | {
      type: 'run.finished';
      reason: StopReason;
      code: number;
      signal: InterruptSignal | null;
      text: string | null;
      verified: boolean;
      /** The stories that are open at the end, in file order; absent in prompt mode. */
      open?: OpenStory[];
      totals: Totals;
    };

export type CheckKind = 'gate' | 'check' | 'hook';

export type RalphEvent = { v: number; at: string; run: string } & EventScope & EventBody;
export type EventType = EventBody['type'];

/** Takes an event body and where it belongs. Never throws. */
export type Emit = (body: EventBody, scope?: EventScope) => void;
