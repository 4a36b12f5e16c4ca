import { chmodSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { convert } from '../../../src/commands/convert.ts';
import { UsageError } from '../../../src/errors.ts';
import { acquireLock } from '../../../src/run-folder/lock.ts';
import { createWorld, plain } from './world.ts';
import type { World } from './world.ts';

let w: World;
let errors: string;
beforeEach(() => {
  w = createWorld();
  errors = '';
  w.write('package.json', JSON.stringify({ name: 'app', scripts: { test: 'x', typecheck: 'y' } }));
  w.write('.gitignore', 'bin/\n');
  w.write('tasks/prd-due.md', document('Due', 'Print the date'));
  w.git('add', '-A');
  w.git('commit', '--quiet', '-m', 'base');
});
afterEach(() => w.dispose());

const document = (title: string, ...stories: string[]): string =>
  `# PRD: ${title}\n\n## Introduction\n\nAbout ${title}.\n\n## User Stories\n\n${stories
    .map((story, index) => `### US-00${index + 1}: ${story}\n\n**Acceptance Criteria:**\n\n- Prints ${story}\n`)
    .join('\n')}\n## Non-Goals\n\n- More\n`;
const options = { ...plain, given: {}, output: undefined, dryRun: false, withAgent: false, agentArgs: [] };
const run = async (file: string, more: object = {}, env: NodeJS.ProcessEnv = {}): Promise<number> => {
  const io = w.from('.', env);
  const err = (text: string): void => {
    errors += text;
  };
  return convert({ ...options, file, ...more }, { ...io, writer: { ...io.writer, err } });
};
const prd = (file = 'prd.json'): { [key: string]: unknown; userStories: Record<string, unknown>[] } =>
  JSON.parse(w.read(file));

describe('a document of the known shape', () => {
  it('becomes prd.json without an agent', async () => {
    expect(await run('tasks/prd-due.md')).toBe(0);
    expect(prd()).toEqual({
      project: 'app',
      branchName: 'ralph/due',
      description: 'About Due. Not in scope: More.',
      userStories: [
        {
          id: 'US-001',
          title: 'Print the date',
          description: '',
          acceptanceCriteria: ['Prints Print the date', 'Typecheck passes'],
          priority: 1,
          passes: false,
          notes: '',
        },
      ],
    });
    expect(w.out()).toMatch(/^Wrote prd\.json: 1 story on ralph\/due/);
    expect(w.exists('.git/ralph/lock')).toBe(false);
  });

  it('--dry-run shows it and writes nothing', async () => {
    expect(await run('tasks/prd-due.md', { dryRun: true })).toBe(0);
    expect(JSON.parse(w.out())).toMatchObject({ branchName: 'ralph/due' });
    expect(errors).toMatch(/^Would write prd\.json/);
    expect(w.git('status', '--porcelain')).toBe('');
  });

  it('-o writes another file', async () => {
    w.write('sub/x', '');
    await run('tasks/prd-due.md', { output: 'sub/list.json' });
    expect([w.exists('prd.json'), prd('sub/list.json').branchName]).toEqual([false, 'ralph/due']);
    await expect(run('tasks/prd-due.md', { output: 'no/list.json' })).rejects.toThrow(/^-o: there is no folder/);
  });

  it('passages without a place are named with their lines', async () => {
    w.write('tasks/prd-due.md', `${document('Due', 'One')}\n## Rollout of ours\n\nOn Monday.\n`);
    await run('tasks/prd-due.md');
    expect(w.out()).toMatch(/Not placed.*\n {2}lines \d+-\d+: Rollout of ours/);
  });
});

describe('where a prd.json is', () => {
  it('one of the same feature is merged', async () => {
    await run('tasks/prd-due.md');
    const ticked = prd();
    ticked.userStories[0] = { ...ticked.userStories[0], passes: true, notes: 'n', ralph: { attempts: 1 } };
    w.write('prd.json', JSON.stringify(ticked));
    w.write('tasks/prd-due.md', document('Due', 'Print the date', 'Print the time'));
    await run('tasks/prd-due.md');
    expect(prd().userStories).toMatchObject([{ passes: true, notes: 'n', ralph: { attempts: 1 } }, { passes: false }]);
    expect(w.exists('archive')).toBe(false);
    const before = w.read('prd.json');
    await run('tasks/prd-due.md');
    expect([w.read('prd.json'), /prd\.json is up to date/.test(w.out())]).toEqual([before, true]);
  });

  it('what a merge would lose is kept in the archive', async () => {
    await run('tasks/prd-due.md');
    const old = w.read('prd.json').replace('"passes": false', '"passes": true');
    w.write('prd.json', old);
    w.write('tasks/prd-due.md', document('Due', 'Print the day'));
    await run('tasks/prd-due.md');
    expect(prd().userStories).toMatchObject([{ passes: false }]);
    const [name = ''] = readdirSync(path.join(w.root, 'archive'));
    expect(w.read(`archive/${name}/prd.json`)).toBe(old);
    expect(w.out()).toMatch(/Changed, so open again: US-001/);
  });

  it('one of another feature goes into the archive first, with its log', async () => {
    const old = JSON.stringify({ branchName: 'ralph/old', userStories: [{ id: 'A', title: 'x', passes: true }] });
    w.write('prd.json', old);
    w.write(
      'progress.txt',
      '# Ralph Progress Log\nBranch: ralph/old\nStarted: x\n---\n\n## Codebase Patterns\n- p\n\n---\n\n## Entry\n- e\n',
    );
    await run('tasks/prd-due.md');
    const [name = ''] = readdirSync(path.join(w.root, 'archive'));
    expect(name).toMatch(/-old$/);
    expect(w.read(`archive/${name}/prd.json`)).toBe(old);
    expect(w.read(`archive/${name}/progress.txt`)).toContain('- e');
    expect(w.read('progress.txt')).toContain('- p');
    expect(w.read('progress.txt')).not.toContain('- e');
    expect(prd().branchName).toBe('ralph/due');
  });

  it('a tracked one of another feature is replaced, so no removal is offered for a commit', async () => {
    w.write('prd.json', '{"branchName":"ralph/old","userStories":[{"id":"A","title":"x","passes":true}]}');
    w.git('add', '-A');
    w.git('commit', '--quiet', '-m', 'old');
    await run('tasks/prd-due.md');
    expect(w.out()).toMatch(/Archived: archive\/\S+-old\n/);
    expect(w.out()).not.toMatch(/removal|git commit/);
    expect(w.git('status', '--porcelain', 'prd.json')).toBe('M prd.json');
  });

  it('a broken one of the same feature is refused, and nothing changes', async () => {
    const broken = JSON.stringify({ branchName: 'ralph/due', userStories: [{ id: 'A' }] });
    w.write('prd.json', broken);
    await expect(run('tasks/prd-due.md')).rejects.toMatchObject({ reason: 'usage' });
    expect(w.read('prd.json')).toBe(broken);
  });

  it('the untouched example is no feature', async () => {
    w.write('prd.json', readFileSync(new URL('../../../prd.json.example', import.meta.url), 'utf8'));
    await run('tasks/prd-due.md');
    expect([prd().branchName, w.exists('archive')]).toEqual(['ralph/due', false]);
  });

  it('refuses while a loop runs', async () => {
    const lock = await acquireLock({ gitDir: w.git('rev-parse', '--absolute-git-dir') });
    try {
      await expect(run('tasks/prd-due.md')).rejects.toMatchObject({ reason: 'locked' });
      expect(w.exists('prd.json')).toBe(false);
      expect(await run('tasks/prd-due.md', { dryRun: true })).toBe(0);
    } finally {
      lock.release();
    }
  });
});

describe('a list of another tool', () => {
  const list = JSON.stringify({ branch: 'x/y', tasks: [{ id: 1, name: 'One', status: 'done', priority: 'high' }] });

  it('is mapped, and the mapping is shown', async () => {
    w.write('tasks.json', list);
    expect(await run('tasks.json')).toBe(0);
    expect(prd()).toMatchObject({
      branchName: 'x/y',
      userStories: [{ id: '1', title: 'One', passes: true, priority: 2 }],
    });
    expect(w.out()).toMatch(/Mapped:\n(?: {2}.*\n)* {2}status "done" → passes true/);
  });

  it('also in its own place: the old file is kept', async () => {
    w.write('prd.json', list);
    expect(await run('prd.json')).toBe(0);
    expect(prd().userStories).toHaveLength(1);
    const [name = ''] = readdirSync(path.join(w.root, 'archive'));
    expect(w.read(`archive/${name}/prd.json`)).toBe(list);
    expect(await run('prd.json')).toBe(0);
    expect(w.out()).toMatch(/is up to date/);
  });

  it('that is no valid PRD afterwards changes nothing', async () => {
    w.write('tasks.json', '{"tasks":[{"id":1,"name":"One","dependencies":[7]}]}');
    await expect(run('tasks.json')).rejects.toMatchObject({
      message: 'tasks.json, converted, has a problem',
      problems: [expect.stringContaining('"7"')],
    });
    w.write('tasks.json', '{"tasks":[');
    await expect(run('tasks.json')).rejects.toMatchObject({ problems: [expect.stringMatching(/^tasks\.json:1:\d+/)] });
    w.write('tasks.json', '{"a":1}');
    await expect(run('tasks.json')).rejects.toThrow(/no list of stories/);
    expect(w.exists('prd.json')).toBe(false);
  });
});

describe('what can’t be converted', () => {
  it.each([
    ['no.md', undefined, /there is no file/],
    ['empty.md', '\n', /is empty/],
    ['tasks', undefined, /is a folder/],
    ['idea.md', '# Idea\n\n## Goals\n\n- Fast\n', /no user story was found in idea\.md/],
  ])('%s', async (file, text, message) => {
    if (text !== undefined) w.write(file, text);
    await expect(run(file, {}, { PATH: gitOnly() })).rejects.toMatchObject({
      reason: 'usage',
      message: expect.stringMatching(message),
    });
    expect(w.exists('prd.json')).toBe(false);
  });
});

/** A PATH on which no agent is. */
function gitOnly(): string {
  return (process.env['PATH'] ?? '')
    .split(path.delimiter)
    .filter((folder) => !['claude', 'amp'].some((name) => folderHas(folder, name)))
    .join(path.delimiter);
}

function folderHas(folder: string, name: string): boolean {
  try {
    return readdirSync(folder).includes(name);
  } catch {
    return false;
  }
}

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
    expect(await run('idea.md')).toBe(0);
    expect(prd()).toEqual(good);
    const [first = '', second = '', third = ''] = prompts();
    expect(first).toContain('Print one. Ünïcode $& stays.');
    expect(first).toContain('# From a PRD to prd.json');
    expect(second).toContain('userStories[0].title');
    expect(third).toContain('[vague-criterion]');
    expect(third).toContain('Works correctly');
    expect(errors).toMatch(/no user story was found in idea\.md: mine converts it/);
    expect(w.out()).toMatch(/converted by the agent/);
  });

  it('also a document of the known shape, where that is asked for', async () => {
    setAgent([good]);
    await run('tasks/prd-due.md', { withAgent: true });
    expect([prompts().length, prd().branchName]).toEqual([1, 'ralph/idea']);
  });

  it('warnings that are left after three rounds don’t stop it; errors do', async () => {
    setAgent([vague, vague, vague, good]);
    expect(await run('idea.md')).toBe(0);
    expect(prompts()).toHaveLength(3);
    expect(w.out()).toMatch(/1 remark on it: ralph check/);
    w.dispose();
    w = createWorld();
    setAgent(['{', undefined, '[]', good]);
    const error: unknown = await run('idea.md').catch((thrown: unknown) => thrown);
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
    await run('idea.md');
    expect(prd()).toEqual(good);
    const [name = ''] = readdirSync(path.join(w.root, 'archive'));
    expect(w.read(`archive/${name}/prd.json`)).toBe(old);
  });

  it('is not started by --dry-run, unless it is asked for', async () => {
    setAgent([good]);
    await expect(run('idea.md', { dryRun: true })).rejects.toThrow(/no user story/);
    expect(prompts()).toEqual([]);
    await run('idea.md', { dryRun: true, withAgent: true });
    expect(JSON.parse(w.out())).toEqual(good);
    expect(w.exists('prd.json')).toBe(false);
  });
});
