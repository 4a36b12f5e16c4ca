/** The other JSON that ralph writes for programs: `run.json`, `ralph status --json` and `ralph check --json`. */
import { z } from 'zod';
import type { CheckReport } from '../reporters/check-text.ts';
import type { StatusReport } from '../reporters/status-text.ts';
import type { RunRecord } from '../run-folder/run-record.ts';
import { stopReason, time, totals } from './events.ts';

const whole = z.int().nonnegative();

/** `.ralph/runs/<run>/run.json`. What is known only at the end is absent or null until then. */
export const runSchema = z.object({
  v: z.literal(1),
  id: z.string(),
  pid: whole,
  status: z.enum(['running', 'finished']).describe('a run whose process is gone while this says running was cut off'),
  startedAt: time,
  tool: z.string().nullable(),
  branch: z.string().nullable(),
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

const remark = z.object({
  rule: z.string().describe('its name; those of warnings but format can be switched off in the config'),
  place: z
    .string()
    .describe('userStories[2].passes; file, line and column of a syntax error; empty for the whole file'),
  text: z.string().describe('what is wrong, the end of a sentence that begins with the place'),
  why: z.string().describe('why it matters'),
  mend: z.string().describe('how to mend it'),
});

/** `ralph check --json`. */
export const checkSchema = z.object({
  v: z.literal(1),
  file: z.string().describe('path from the root of the working tree'),
  errors: z.array(remark.readonly()).readonly().describe('what ralph run refuses the file for'),
  warnings: z.array(remark.readonly()).readonly().describe('what makes a story hard to finish'),
});

type Expect<T extends true> = T;
type IsAssignable<From, To> = [From] extends [To] ? true : false;

/** Do not compile where a schema and the type it describes differ. */
export type RunIsDescribed = Expect<IsAssignable<RunRecord, z.infer<typeof runSchema>>>;
export type CheckIsDescribed = [
  Expect<IsAssignable<z.infer<typeof checkSchema>, CheckReport>>,
  Expect<IsAssignable<CheckReport, z.infer<typeof checkSchema>>>,
];
export type StatusIsDescribed = [
  Expect<IsAssignable<z.infer<typeof statusSchema>, StatusReport>>,
  Expect<IsAssignable<StatusReport, z.infer<typeof statusSchema>>>,
];
