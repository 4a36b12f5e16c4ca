/** What agents do in the fake world, and how they end. */
import type { AgentEnd, Cut } from '../../../src/loop/ports.ts';

/** An agent's hands on the fake world. What it returns is how it ended, if not well and with a word. */
export interface Hand {
  /** Which agent of the run this is, from 1. */
  readonly call: number;
  readonly story: string;
  tick(id?: string, passes?: boolean): void;
  note(id: string, notes: string): void;
  write(path: string, text?: string): void;
  /** A commit of its own. */
  commit(): void;
  /** What ordinary good work looks like: a change and a tick. */
  work(id?: string): void;
  cut(cut: Cut): void;
}

export type Agent = (hand: Hand) => Partial<AgentEnd> | undefined | void;

export const good: Agent = (hand) => hand.work();
export const blockedBy = (reason: string): Partial<AgentEnd> => ({ words: { ...noWords, blocked: reason } });
export const sentinel: Partial<AgentEnd> = { words: { sentinel: true, sentinelLast: true, blocked: undefined } };
export const earlySentinel: Partial<AgentEnd> = { words: { sentinel: true, sentinelLast: false, blocked: undefined } };
/** An agent that says nothing that counts. */
export const noWords = { sentinel: false, sentinelLast: false, blocked: undefined };

export function limitUntil(resetAt: number | undefined): Partial<AgentEnd> {
  return { class: 'limit', obstacle: { kind: 'limit', resetAt, text: 'usage limit' } };
}
export const overloaded: Partial<AgentEnd> = { class: 'overloaded', obstacle: { kind: 'overloaded', text: '529' } };
export const rateLimited: Partial<AgentEnd> = { class: 'overloaded', obstacle: { kind: 'rate', text: '429' } };
export const noCredit: Partial<AgentEnd> = { class: 'limit', obstacle: { kind: 'account', text: 'no credit' } };
