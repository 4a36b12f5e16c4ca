import { chmodSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { UsageError } from '../../../src/errors.ts';
import { createConvertWorld, withConvert } from './convert-world.ts';
import type { ConvertWorld } from './convert-world.ts';
import { createWorld } from './world.ts';

let w: ConvertWorld;
beforeEach(() => {
  w = createConvertWorld();
});
afterEach(() => w.dispose());

describe('with an agent', () => {
  const good = {
    branchName: 'ralph/idea',
    userStories: [
      { id: 'US-001', title: 'Print 1', acceptanceCriteria: ['Prints 1', 'Typecheck passes'], passes: false },
    ],
  };
  const vague = {
    ...good,
    userStories: [{ ...good.userStories[0], acceptanceCriteria: ['Works correctly', 'Typecheck passes'] }],
  };

  /** An agent that writes the answers one after the other, keeps its prompts, and ends with a word. */
  function setAgent(answers: readonly (object | string | undefined)[], at = 'match[1]'): void {
    w.write(
      'answers.json',
      JSON.stringify(
        answers.map((answer) =>
          answer === undefined ? null : typeof answer === 'string' ? answer : JSON.stringify(answer),
        ),
      ),
    );
    w.write(
      'bin/agent.cjs',
      `#!${process.execPath}
const fs = require('node:fs');
const prompt = fs.readFileSync(0, 'utf8');
const count = fs.readdirSync('bin').filter((name) => name.startsWith('prompt-')).length;
fs.writeFileSync('bin/prompt-' + count, prompt);
const answer = JSON.parse(fs.readFileSync('answers.json', 'utf8'))[count];
const match = /to no other: (.*)/.exec(prompt);
if (answer) fs.writeFileSync(${at}, answer);
console.log('done');
`,
    );
    chmodSync(path.join(w.root, 'bin/agent.cjs'), 0o755);
    w.write(
      'ralph.config.json',
      JSON.stringify({ tool: 'mine', agents: { mine: { command: path.join(w.root, 'bin/agent.cjs') } } }),
    );
    w.write('idea.md', '# Idea\n\nPrint one. Ünïcode $& stays.\n');
  }
  const prompts = (): string[] =>
    readdirSync(path.join(w.root, 'bin'))
      .filter((name) => name.startsWith('prompt-'))
      .sort()
      .map((name) => w.read(`bin/${name}`));

  it('problems go back to a fresh one until nothing is wrong', async () => {
    setAgent(['{"userStories":[{"id":"US-001"}]}', vague, good]);
    expect(await w.run('idea.md')).toBe(0);
    expect(w.prd()).toEqual(good);
    const [first = '', second = '', third = ''] = prompts();
    expect(first).toContain('Print one. Ünïcode $& stays.');
    expect(first).toContain('# From a PRD to prd.json');
    expect(second).toContain('userStories[0].title');
    expect(third).toContain('[vague-criterion]');
    expect(third).toContain('Works correctly');
    expect(w.errors()).toMatch(/no user story was found in idea\.md: mine converts it/);
    expect(w.out()).toMatch(/converted by the agent/);
  });

  it('also a document of the known shape, where that is asked for', async () => {
    setAgent([good]);
    await w.run('tasks/prd-due.md', { withAgent: true });
    expect([prompts().length, w.prd().branchName]).toEqual([1, 'ralph/idea']);
  });

  it('warnings that are left after three rounds don’t stop it; errors do', async () => {
    setAgent([vague, vague, vague, good]);
    expect(await w.run('idea.md')).toBe(0);
    expect(prompts()).toHaveLength(3);
    expect(w.out()).toMatch(/1 remark on it: ralph check/);
    w.dispose();
    w = withConvert(createWorld());
    setAgent(['{', undefined, '[]', good]);
    const error: unknown = await w.run('idea.md').catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ reason: 'usage', message: expect.stringMatching(/three rounds/) });
    const cure = error instanceof UsageError ? (error.cures[0] ?? '') : '';
    const [, kept = ''] = /^mend what it made last: (.+), then: ralph convert \1$/.exec(cure) ?? [];
    expect(readFileSync(kept, 'utf8')).toBe('[]');
    rmSync(path.dirname(kept), { recursive: true });
    expect(w.exists('prd.json')).toBe(false);
  });

  it('what it writes into the place of prd.json is put back, and taken as its answer', async () => {
    setAgent([good], '"prd.json"');
    const old = JSON.stringify({ branchName: 'ralph/old', userStories: [{ id: 'A', title: 'x', passes: false }] });
    w.write('prd.json', old);
    await w.run('idea.md');
    expect(w.prd()).toEqual(good);
    const [name = ''] = readdirSync(path.join(w.root, 'archive'));
    expect(w.read(`archive/${name}/prd.json`)).toBe(old);
  });

  it('is not started by --dry-run, unless it is asked for', async () => {
    setAgent([good]);
    await expect(w.run('idea.md', { dryRun: true })).rejects.toThrow(/no user story/);
    expect(prompts()).toEqual([]);
    await w.run('idea.md', { dryRun: true, withAgent: true });
    expect(JSON.parse(w.out())).toEqual(good);
    expect(w.exists('prd.json')).toBe(false);
  });
});
