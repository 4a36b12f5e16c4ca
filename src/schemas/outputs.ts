/** The other JSON that ralph writes for programs: `run.json` and `ralph status --json`. */
import { z } from 'zod';
import type { StatusReport } from '../reporters/status-text.ts';
import { stopReason, time, totals } from './events.ts';

const whole = z.int().nonnegative();

/** `.ralph/runs/<run>/run.json`. What is known only at the end is absent or null until then. */
export const runSchema = z.object({
  v: z.literal(1),
  id: z.string(),
  pid: whole,
  status: z.enum(['running', 'finished']).describe('a run whose process is gone while this says running was cut off'),
  startedAt: time,
  tool: z.string(),
  branch: z.string(),
  prd: z.string().nullable().describe('path from the root of the working tree; null in prompt mode'),
  finishedAt: time.nullish(),
  reason: stopReason.nullish(),
  code: whole.nullish(),
  totals: totals.nullish(),
});

/** `ralph status --json`. */
export const statusSchema = z.object({
  v: z.literal(1),
  project: z.string().nullable(),
  branch: z.string().nullable(),
  stories: z
    .array(
      z
        .object({
          id: z.string(),
          title: z.string(),
          passes: z.boolean(),
          attempts: whole,
          blocked: z.string().nullable().describe('why a person is needed'),
        })
        .readonly(),
    )
    .readonly(),
  next: z.string().nullable().describe('id of the story that a run would take now'),
  run: z
    .object({
      id: z.string(),
      status: z.enum(['running', 'finished', 'crashed']),
      reason: stopReason.nullable(),
      code: whole.nullable(),
      iteration: whole.nullable(),
      story: z.string().nullable(),
    })
    .nullable(),
});

type Expect<T extends true> = T;
type IsAssignable<From, To> = [From] extends [To] ? true : false;

/** Does not compile where the schema and the type it describes differ. */
export type StatusIsDescribed = [
  Expect<IsAssignable<z.infer<typeof statusSchema>, StatusReport>>,
  Expect<IsAssignable<StatusReport, z.infer<typeof statusSchema>>>,
];
