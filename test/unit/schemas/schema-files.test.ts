import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { commonFields, eventFields } from '../../../src/schemas/events.ts';
import { statusSchema } from '../../../src/schemas/outputs.ts';
import { makeSchemaFiles } from '../../../src/schemas/schema-files.ts';
import { sampleRun } from '../reporters/recording.ts';

const root = new URL('../../../', import.meta.url);
const types = Object.entries(eventFields);

describe('the shipped JSON Schemas', () => {
  // `UPDATE_SCHEMAS=1 npx vitest run --project unit test/unit/schemas` writes them.
  it.each(makeSchemaFiles())('$name is what the code says', async ({ name, json }) => {
    const file = new URL(`schema/${name}`, root);
    if (process.env['UPDATE_SCHEMAS'] === '1') {
      await mkdir(new URL('schema/', root), { recursive: true });
      await writeFile(file, json);
    }
    expect(await readFile(file, 'utf8')).toBe(json);
  });

  it('are all named in the documentation', async () => {
    const pages = await Promise.all(
      ['docs/events.md', 'docs/configuration.md'].map(async (page) => readFile(new URL(page, root), 'utf8')),
    );
    const names = [...makeSchemaFiles().map(({ name }) => name), 'ralph.config.schema.json'];
    expect(names.filter((name) => !pages.join('\n').includes(`](../schema/${name})`))).toEqual([]);
  });

  it('leaves keys allowed that a later version adds', () => {
    for (const { json } of makeSchemaFiles()) expect(json).not.toContain('"additionalProperties": false');
  });

  it('names each event type once, with its required fields', () => {
    const events = makeSchemaFiles().find(({ name }) => name === 'events.schema.json');
    const schema = z
      .object({ anyOf: z.array(z.object({ title: z.string(), required: z.array(z.string()) })) })
      .parse(JSON.parse(events?.json ?? ''));
    expect(schema.anyOf.map(({ title }) => title)).toEqual(types.map(([type]) => type));
    expect(schema.anyOf.find(({ title }) => title === 'gate.finished')?.required).toEqual([
      'v',
      'at',
      'run',
      'type',
      'name',
      'kind',
      'exit',
      'durationMs',
      'timedOut',
    ]);
  });
});

describe('the zod schemas', () => {
  it('accept the events of a whole run and refuse a damaged one', () => {
    const schema = z.union(
      types.map(([type, fields]) => z.strictObject({ ...commonFields, type: z.literal(type), ...fields })),
    );
    for (const event of sampleRun()) expect(schema.safeParse(event).error).toBeUndefined();
    const [first] = sampleRun();
    expect(schema.safeParse({ ...first, stories: 'three' }).success).toBe(false);
    expect(schema.safeParse({ ...first, at: '9 March 2026' }).success).toBe(false);
  });

  it('accept a status without a run', () => {
    const status = { v: 1, project: null, branch: 'main', stories: [], next: null, run: null };
    expect(statusSchema.safeParse(status).success).toBe(true);
    expect(statusSchema.safeParse({ ...status, next: undefined }).success).toBe(false);
  });
});

describe('docs/events.md', () => {
  it.each(types)('has a section about %s that names each of its fields', async (type, fields) => {
    const page = await readFile(new URL('docs/events.md', root), 'utf8');
    const section = page.split(/^### /mu).find((part) => part.startsWith(`\`${type}\``));
    expect(section, `a section "### \`${type}\`"`).toBeDefined();
    for (const field of Object.keys(fields)) expect(section).toContain(`| \`${field}\` |`);
  });

  it('names the fields that all events have', async () => {
    const page = await readFile(new URL('docs/events.md', root), 'utf8');
    for (const field of Object.keys(commonFields)) expect(page).toContain(`| \`${field}\` |`);
  });
});
