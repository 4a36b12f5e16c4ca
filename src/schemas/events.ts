/**
 * The shape of every event as a zod schema, so that a JSON Schema for other programs can be made of it. This room describes
 * outputs and is the only place besides the readers of input (`config`, `prd`) that knows zod; nothing imports it at run
 * time. The types in `loop/events.ts` stay the truth: the last lines make the compiler compare them with these schemas.
 */
import { z } from 'zod';
import type { EventBody, EventType, RalphEvent } from '../loop/events.ts';

const text = z.string();
const milliseconds = z.number().nonnegative();
const usd = z.number().nonnegative();
const whole = z.int().nonnegative();
export const time = z.iso.datetime().describe('ISO 8601 in UTC');

export const stopReason = z.enum([
  'complete',
  'iterations',
  'usage',
  'blocked',
  'agent-unavailable',
  'budget',
  'stalled',
  'locked',
  'limit',
  'stopped',
  'environment',
  'internal',
  'interrupted',
]);
const verdict = z.enum(['passed', 'rejected', 'unfinished', 'blocked', 'failed', 'interrupted']);
const agentClass = z.enum([
  'ok',
  'empty',
  'crash',
  'killed',
  'idle',
  'timeout',
  'auth',
  'refused',
  'usage',
  'limit',
  'overloaded',
  'budget',
  'interrupted',
]);
const checkKind = z.enum(['gate', 'check', 'hook']);
const tokens = z.object({ input: whole, output: whole, cacheRead: whole, cacheCreation: whole });
export const totals = z.object({
  iterations: whole,
  passed: whole,
  rejected: whole,
  failed: whole,
  costUsd: usd,
  tokens,
  durationMs: milliseconds,
});
const setback = { reason: text, attempts: whole };

/** The fields of each event besides those that all have. */
export const eventFields = {
  'run.started': {
    tool: text,
    branch: text,
    prd: text.nullable(),
    maxIterations: whole.nullable(),
    maxAttempts: whole.exactOptional(),
    stories: whole,
    passed: whole,
  },
  'run.recovered': { fromRun: text, files: z.array(text), ref: text.nullable() },
  'warning.raised': { text, place: text.nullable(), level: z.literal('note').exactOptional() },
  'archive.created': { folder: text },
  'iteration.started': { title: text.nullable() },
  'agent.started': { tool: text, pid: whole.nullable() },
  'agent.text': { text },
  'agent.tool': { name: text, summary: text },
  'agent.denied': { tools: z.array(text) },
  'agent.finished': {
    exit: z.int().nullable(),
    signal: text.nullable(),
    class: agentClass,
    durationMs: milliseconds,
    costUsd: usd.nullable(),
    tokens: tokens.nullable(),
    session: text.nullable(),
    text: text.nullable(),
  },
  'agent.limit': { resetAt: time.nullable(), waitMs: milliseconds, text },
  'agent.retry': { class: agentClass, text, waitMs: milliseconds },
  'state.restored': { file: text, kept: text.nullable(), reason: text },
  'claim.made': { stories: z.array(text) },
  'claim.premature': { open: z.array(text) },
  'claim.withdrawn': { by: z.enum(['agent', 'check']), reason: text },
  'gate.started': { name: text, kind: checkKind, command: text },
  'gate.finished': {
    name: text,
    kind: checkKind,
    exit: z.int().nullable(),
    durationMs: milliseconds,
    timedOut: z.boolean(),
  },
  'story.passed': { commit: text.nullable(), verified: z.boolean(), attempts: whole },
  'story.rejected': setback,
  'story.unfinished': setback,
  'story.blocked': { reason: text },
  'story.failed': setback,
  'rescue.saved': { ref: text },
  'process.killed': { pid: whole, command: text },
  'iteration.finished': { verdict, durationMs: milliseconds, costUsd: usd },
  'run.finished': {
    reason: stopReason,
    code: whole,
    signal: z.enum(['SIGHUP', 'SIGINT', 'SIGTERM']).nullable(),
    text: text.nullable(),
    verified: z.boolean(),
    open: z
      .array(z.object({ id: text, title: text, blocked: text.nullable(), waitsFor: z.array(text) }))
      .exactOptional(),
    totals,
  },
} as const satisfies { [T in EventType]: { [Field in FieldsOf<T>]: z.ZodType } };

type FieldsOf<T extends EventType> = Exclude<keyof Extract<EventBody, { type: T }>, 'type'>;

/** What every event has, and what it has where it belongs to an iteration. */
export const commonFields = {
  v: z.literal(1),
  at: time,
  run: text,
  iteration: whole.exactOptional(),
  story: text.exactOptional(),
  try: whole.exactOptional(),
};

type Described<T extends EventType> = { type: T } & z.infer<z.ZodObject<typeof commonFields>> &
  z.infer<z.ZodObject<(typeof eventFields)[T]>>;
type DescribedEvent = { [T in EventType]: Described<T> }[EventType];

type Expect<T extends true> = T;
type IsAssignable<From, To> = [From] extends [To] ? true : false;

/** Does not compile where a schema and the type it describes differ. `v` is any number there: a schema is for one version. */
export type EventsAreDescribed = [
  Expect<IsAssignable<DescribedEvent, RalphEvent>>,
  Expect<IsAssignable<RalphEvent & { v: 1 }, DescribedEvent>>,
];
