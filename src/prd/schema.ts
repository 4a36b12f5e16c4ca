import { z } from 'zod';

/** Says what is wrong with a value in the words of the file's user: `what` names what belongs there. */
function wanted(what: string): { error: (issue: { input?: unknown }) => string } {
  return {
    error: ({ input }) =>
      input === undefined ? `is missing: ${what} belongs here` : `must be ${what}, not ${nameOf(input)}`,
  };
}

/** A JSON value as one word or two. */
export function nameOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'string') return value.trim() === '' ? 'an empty text' : 'a text';
  if (typeof value === 'number') return `the number ${value}`;
  return typeof value === 'boolean' ? String(value) : 'an object';
}

const noNul = (text: string): boolean => !text.includes('\0');
const NUL = { error: 'must not hold the character U+0000: no program can be handed it' };

/** A text that says something. */
function words(what: string) {
  return z
    .string(wanted(what))
    .refine((text) => text.trim() !== '', { error: `must be ${what}, not an empty one` })
    .refine(noNul, NUL);
}

const storyId = z
  .string({
    error: ({ input }) =>
      typeof input === 'number'
        ? `must be a text, not the number ${input}: put it in quotes, "${input}"`
        : wanted('a text').error({ input }),
  })
  .refine((id) => id.trim() !== '', { error: 'must not be empty' })
  .refine(noNul, NUL);

const listOf = <Item extends z.ZodType>(item: Item, what: string) =>
  z.array(item, {
    error: ({ input }) =>
      typeof input === 'string'
        ? `must be a list of ${what}, not a text: put it in brackets, ["…"]`
        : wanted(`a list of ${what}`).error({ input }),
  });

const verifiedSchema = z.looseObject(
  { at: z.string(wanted('a text')), run: z.string(wanted('a text')) },
  wanted('an object'),
);

const recordSchema = z
  .looseObject(
    {
      attempts: z
        .number(wanted('a number'))
        .int({ error: 'must be a whole number' })
        .min(0, { error: 'must not be below 0' })
        .optional(),
      blocked: z.string(wanted('a text')).optional(),
      verified: verifiedSchema.optional(),
      of: z.string(wanted('a text')).optional(),
    },
    wanted('an object'),
  )
  .describe('Written by ralph.');

const storySchema = z.looseObject(
  {
    id: storyId.describe('Unique in the file.'),
    title: words('a text'),
    description: z.string(wanted('a text')).optional(),
    acceptanceCriteria: listOf(z.string(wanted('a text')), 'texts').optional(),
    priority: z.number(wanted('a number')).optional().describe('Lower runs first; a story without one runs last.'),
    passes: z.boolean(wanted('true or false')).optional().describe('Missing: false.'),
    notes: z.string(wanted('a text')).optional(),
    dependsOn: listOf(storyId, 'story ids').optional().describe('Stories that must have passed before.'),
    checks: listOf(words('a shell command'), 'shell commands').optional().describe('Commands that must exit 0.'),
    ralph: recordSchema.optional(),
  },
  wanted('an object (a story)'),
);

/** The format of prd.json. Unknown keys are fine everywhere. What lies between stories is checked beside it. */
export const prdSchema = z.looseObject(
  {
    project: z.string(wanted('a text')).optional(),
    description: z.string(wanted('a text')).optional(),
    branchName: z.string(wanted('a text')).optional().describe('Missing: the current branch.'),
    userStories: z
      .array(storySchema, wanted('a list of stories'))
      .min(1, { error: 'is empty: at least one story belongs here' }),
  },
  wanted('an object with "userStories"'),
);

export type PrdDocument = z.infer<typeof prdSchema>;
export type StoryDocument = PrdDocument['userStories'][number];
