import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { check } from '../../../src/commands/check.ts';
import { prepareRun } from '../../../src/run/prepare.ts';
import { checkSchema } from '../../../src/schemas/outputs.ts';
import { createWorld, plain } from './world.ts';
import type { World } from './world.ts';

let w: World;
beforeEach(() => {
  w = createWorld();
  w.write('package.json', JSON.stringify({ scripts: { test: 'x', typecheck: 'y' } }));
});
afterEach(() => w.dispose());

const options = { ...plain, given: {}, file: undefined, json: false, strict: false };
const example = readFileSync(new URL('../../../prd.json.example', import.meta.url), 'utf8');
const prd = (...stories: object[]): string =>
  JSON.stringify({
    branchName: 'ralph/x',
    userStories: stories.map((story, index) => ({
      id: `US-${index + 1}`,
      title: `Print ${index + 1}`,
      acceptanceCriteria: ['Prints 1', 'Typecheck passes'],
      passes: false,
      ...story,
    })),
  });

/** What `--json` prints, which its schema describes to the last key. */
async function report(code: number, more: { file?: string } = {}): Promise<z.infer<typeof checkSchema>> {
  const before = w.out().length;
  expect(await check({ ...options, json: true, ...more }, w.io)).toBe(code);
  const value: unknown = JSON.parse(w.out().slice(before));
  const remark = checkSchema.shape.errors.unwrap().element.unwrap().strict();
  const strict = checkSchema.extend({ errors: remark.array(), warnings: remark.array() }).strict();
  return strict.parse(value);
}

describe('check', () => {
  it('the example passes --strict', async () => {
    w.write('prd.json', example);
    expect(await check({ ...options, strict: true }, w.io)).toBe(0);
    expect(w.out()).toMatch(/nothing to mend/);
    expect(await report(0)).toEqual({ v: 1, file: 'prd.json', errors: [], warnings: [] });
  });

  it('warnings are 0, and 2 with --strict; each has rule, place, reason and cure', async () => {
    w.write('prd.json', prd({}, { acceptanceCriteria: ['Prints 1', 'Works correctly', 'Typecheck passes'] }));
    expect(await check(options, w.io)).toBe(0);
    expect(await check({ ...options, strict: true }, w.io)).toBe(2);
    expect(w.out()).toMatch(
      /userStories\[1\]\.acceptanceCriteria\[1\] .*\[vague-criterion\]\n {2}Why: .+\n {2}Mend: .+/,
    );
    expect(w.out()).toMatch(/prd\.json: 0 errors, 1 warning/);
  });

  it('errors are 2, all at once, also as JSON', async () => {
    w.write('prd.json', prd({ title: '' }, { dependsOn: ['US-9'] }, { passes: 'no' }));
    expect(await report(2)).toMatchObject({
      v: 1,
      file: 'prd.json',
      errors: [
        { rule: 'schema', place: 'userStories[0].title', why: expect.any(String), mend: expect.any(String) },
        { rule: 'dependencies', place: 'userStories[1].dependsOn[0]' },
        { rule: 'schema', place: 'userStories[2].passes' },
      ],
    });
  });

  it('a syntax error and another tool’s shape are errors', async () => {
    w.write('prd.json', '{\n  "userStories": [,]\n}');
    expect((await report(2)).errors.map(({ place }) => place)).toEqual(['prd.json:2:19']);
    w.write('other.json', '{"tasks":[{"id":"1","name":"x"}]}');
    expect((await report(2, { file: 'other.json' })).errors[0]).toMatchObject({ rule: 'shape', place: 'tasks' });
  });

  it('warnings of the format are warnings here', async () => {
    w.write('prd.json', prd({ passes: undefined }));
    expect(await check({ ...options, strict: true }, w.io)).toBe(2);
    expect(w.out()).toMatch(/userStories\[0\]\.passes .*\[format\]/);
  });

  it('rules are switched off in the config; an unknown one is an error with the known ones', async () => {
    w.write('prd.json', prd({ title: 'Add authentication' }));
    w.write('ralph.config.json', '{"check":{"off":["too-big"]}}');
    expect(await check({ ...options, strict: true }, w.io)).toBe(0);
    w.write('ralph.config.json', '{"check":{"off":["to-big"]}}');
    await expect(check(options, w.io)).rejects.toMatchObject({
      reason: 'usage',
      problems: ['check.off[0]: there is no rule "to-big" (did you mean too-big?)'],
      cures: [expect.stringContaining('vague-criterion')],
    });
  });

  it('knows gates, scripts and the document of the feature', async () => {
    w.write('package.json', '{"scripts":{}}');
    w.write('prd.json', prd({ acceptanceCriteria: ['`npm run smoke` exits 0', 'Typecheck passes'] }));
    w.write('tasks/prd-x.md', '# PRD: X\n## Goals\n');
    const { warnings } = await report(0);
    expect(warnings.map(({ rule }) => rule).sort()).toEqual(['no-gates', 'no-non-goals', 'unknown-command']);
  });

  it('takes a file, --prd, and the file of a subfolder; a missing one is an error', async () => {
    w.write('sub/prd.json', prd({}));
    expect(await check({ ...options, file: 'sub/prd.json' }, w.io)).toBe(0);
    expect(await check(options, w.from('sub'))).toBe(0);
    await expect(check({ ...options, file: 'no.json' }, w.io)).rejects.toMatchObject({ reason: 'usage' });
    await expect(check(options, w.io)).rejects.toMatchObject({ reason: 'usage' });
    expect(w.git('status', '--porcelain').includes('.ralph')).toBe(false);
  });
});

describe('run', () => {
  const runOptions = { ...plain, given: {}, dryRun: false, nested: false, json: false, quiet: false, agentArgs: [] };

  it('counts the remarks and goes on', async () => {
    w.write('prd.json', prd({ title: 'Add authentication' }, { acceptanceCriteria: ['It works', 'Typecheck passes'] }));
    w.write('ralph.config.json', '{"tool":"mine","agents":{"mine":{"command":"true"}}}');
    w.git('add', '-A');
    w.git('commit', '--quiet', '-m', 'base');
    expect(await prepareRun(runOptions, w.io)).toMatchObject({ remarks: 2 });
    w.write('ralph.config.json', '{"tool":"mine","agents":{"mine":{"command":"true"}},"check":{"off":["too-big"]}}');
    expect(await prepareRun(runOptions, w.io)).toMatchObject({ remarks: 1 });
  });
});
