import { z } from 'zod';
import { DURATION_PATTERN, readDuration } from './durations.ts';
import { nameGates } from './gate-names.ts';
import { valueRows } from './options.ts';
import type { FileKey } from './options.ts';
import type { AgentSetting, CheckSetting, VerifySetting } from './settings.ts';
import { didYouMean } from './suggest.ts';

const PLACEHOLDERS = ['storyId', 'storyTitle'];

/** `must be a whole number above 0, not "ten"`: the end of a sentence that begins with where the value stands. */
function mustBe(what: string): { error: (issue: { input?: unknown }) => string } {
  return {
    error: ({ input }) =>
      input === undefined ? `is missing; it must be ${what}` : `must be ${what}, not ${show(input)}`,
  };
}

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}

const oneLine = /^[^\p{Cc}]*\S[^\p{Cc}]*$/u;
const text = z.string(mustBe('text')).regex(/\S/, mustBe('text that is not empty'));
const line = z.string(mustBe('text')).regex(oneLine, mustBe('one line of text that is not empty'));
const flag = z.boolean(mustBe('true or false'));
const count = z.int(mustBe('a whole number above 0')).min(1, mustBe('a whole number above 0'));
const cost = z.number(mustBe('a number of US dollars above 0')).positive(mustBe('a number of US dollars above 0'));

function duration(zero: boolean): z.ZodType<number, 0 | string> {
  // A pattern would know what is wrong, but not say it; the reader says it for every wrong form.
  const problem = ({ input }: { input?: unknown }): string => {
    const reading = readDuration(input, { zero });
    return reading.ok ? `must be a duration like 90s, 15m or 8h, not ${show(input)}` : reading.problem;
  };
  return z
    .union([z.literal(0), z.string().regex(DURATION_PATTERN, { error: problem })], { error: problem })
    .transform((value, context) => {
      const reading = readDuration(value, { zero });
      if (reading.ok) return reading.ms;
      context.addIssue({ code: 'custom', message: reading.problem });
      return z.NEVER;
    });
}

const gate = z.strictObject(
  { name: line.max(80, 'must be at most 80 characters long'), run: text, timeout: duration(false).optional() },
  mustBe('an object'),
);

const gates = z
  .array(z.union([text, gate]), mustBe('a list of commands like ["npm test"], or [] for none'))
  .superRefine((list, context) => {
    const seen = new Set<string>();
    for (const [index, entry] of list.entries()) {
      if (typeof entry === 'string') continue;
      if (seen.has(entry.name)) {
        context.addIssue({ code: 'custom', path: [index, 'name'], message: `is used twice: ${show(entry.name)}` });
      }
      seen.add(entry.name);
    }
  })
  .transform(nameGates);

const args = z.array(z.string(mustBe('text')), mustBe('a list of arguments'));
const ways = ['stdin', 'file', 'argument'] as const;
const formats = ['text', 'claude-stream-json', 'codex-json'] as const;

const agentFields = {
  command: text,
  args: args.default([]),
  prompt: z.enum(ways, mustBe('stdin, file or argument')).default('stdin'),
  output: z.enum(formats, mustBe('text, claude-stream-json or codex-json')).default('text'),
  memoryFile: text.optional(),
  model: args
    .refine((list) => list.length === 0 || list.some((arg) => arg.includes('{{model}}')), {
      error: 'must contain {{model}} in one of the arguments',
    })
    .default([]),
};

const agent = z
  .strictObject(agentFields, mustBe('an object with a command'))
  .transform((setting): AgentSetting => ({ ...setting, memoryFile: setting.memoryFile }));

const agents = z.record(
  z.string().regex(/^[^-\s]\S*$/, 'must be a name without blanks'),
  agent,
  mustBe('agents by name'),
);

const verifyFields = { setup: text.optional() };

const verify = z
  .strictObject(verifyFields, mustBe('an object like { "setup": "npm ci" }'))
  .transform((setting): VerifySetting => ({ setup: setting.setup }));

const checkFields = { off: z.array(text, mustBe('a list of rules like ["too-big"]')).default([]) };

const check = z
  .strictObject(checkFields, mustBe('an object like { "off": ["too-big"] }'))
  .transform((setting): CheckSetting => setting);

const template = line.superRefine((value, context) => {
  for (const [whole, name = ''] of value.matchAll(/\{\{\s*(\w+)\s*\}\}/g)) {
    if (PLACEHOLDERS.includes(name)) continue;
    context.addIssue({
      code: 'custom',
      message: `has an unknown placeholder ${whole}${didYouMean(name, PLACEHOLDERS)}`,
    });
  }
});

/** The schema of each value, whatever its source. Durations come out in milliseconds, gates with names. */
export const valueSchemas = {
  maxIterations: count,
  unlimited: flag,
  tool: text,
  model: text,
  prd: text,
  prompt: text,
  gates,
  allowRed: flag,
  trust: flag,
  onReject: z.enum(['rollback', 'keep'], mustBe('rollback or keep')),
  regressions: z.enum(['each', 'off'], mustBe('each or off')),
  maxAttempts: count,
  maxStalls: count,
  maxFailures: count,
  maxDuration: duration(false),
  maxCost: cost,
  idleTimeout: duration(true),
  iterationTimeout: duration(false),
  gateTimeout: duration(false),
  delay: duration(true),
  retryDelay: duration(true),
  onLimit: z.enum(['wait', 'stop'], mustBe('wait or stop')),
  push: flag,
  agents,
  baseBranch: text,
  commitMessage: template,
  verify,
  check,
  hooks: flag,
} as const satisfies Record<FileKey, z.ZodType>;

/** Any part of the values, in written form. No other key may be there, and no default is filled in. */
export const valuesSchema = z.strictObject(valueSchemas, mustBe('an object')).partial();

/** Values in the form in which they are written into a file: what a source says, before defaults. */
export type Values = z.input<typeof valuesSchema>;

/** The schema of `ralph.config.json`. */
export const configSchema = z
  .strictObject({ $schema: z.string(mustBe('text')), ...valueSchemas }, mustBe('an object'))
  .partial();

/** Everything that a run needs: what has a default is there, and what has none may be missing. */
export const settingsSchema = z.object(valueSchemas).omit({ unlimited: true }).partial({
  maxIterations: true,
  tool: true,
  model: true,
  prd: true,
  prompt: true,
  gates: true,
  maxDuration: true,
  maxCost: true,
  iterationTimeout: true,
  baseBranch: true,
});

/** Keys that are known below the top level, by what they are part of. */
export const nestedKeys = {
  gates: Object.keys(gate.shape),
  agents: Object.keys(agentFields),
  verify: Object.keys(verifyFields),
  check: Object.keys(checkFields),
} as const;

export function isValues(value: unknown): value is Values {
  return valuesSchema.safeParse(value).success;
}

/** The defaults of the table. */
export const defaults = readDefaults();

function readDefaults(): Values {
  const table: unknown = Object.fromEntries(valueRows.map((row) => [row.key, row.default]));
  if (isValues(table)) return table;
  throw new Error('a default in the table of options does not fit the schema');
}
