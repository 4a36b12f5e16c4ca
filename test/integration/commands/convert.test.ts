import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { acquireLock } from '../../../src/run-folder/lock.ts';
import { createConvertWorld, document } from './convert-world.ts';
import type { ConvertWorld } from './convert-world.ts';

let w: ConvertWorld;
beforeEach(() => {
  w = createConvertWorld();
});
afterEach(() => w.dispose());

describe('a document of the known shape', () => {
  it('becomes prd.json without an agent', async () => {
    expect(await w.run('tasks/prd-due.md')).toBe(0);
    expect(w.prd()).toEqual({
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
    expect(await w.run('tasks/prd-due.md', { dryRun: true })).toBe(0);
    expect(JSON.parse(w.out())).toMatchObject({ branchName: 'ralph/due' });
    expect(w.errors()).toMatch(/^Would write prd\.json/);
    expect(w.git('status', '--porcelain')).toBe('');
  });

  it('-o writes another file', async () => {
    w.write('sub/x', '');
    await w.run('tasks/prd-due.md', { output: 'sub/list.json' });
    expect([w.exists('prd.json'), w.prd('sub/list.json').branchName]).toEqual([false, 'ralph/due']);
    await expect(w.run('tasks/prd-due.md', { output: 'no/list.json' })).rejects.toThrow(/^-o: there is no folder/);
  });

  it('passages without a place are named with their lines', async () => {
    w.write('tasks/prd-due.md', `${document('Due', 'One')}\n## Rollout of ours\n\nOn Monday.\n`);
    await w.run('tasks/prd-due.md');
    expect(w.out()).toMatch(/Not placed.*\n {2}lines \d+-\d+: Rollout of ours/);
  });
});

describe('where a prd.json is', () => {
  it('one of the same feature is merged', async () => {
    await w.run('tasks/prd-due.md');
    const ticked = w.prd();
    ticked.userStories[0] = { ...ticked.userStories[0], passes: true, notes: 'n', ralph: { attempts: 1 } };
    w.write('prd.json', JSON.stringify(ticked));
    w.write('tasks/prd-due.md', document('Due', 'Print the date', 'Print the time'));
    await w.run('tasks/prd-due.md');
    expect(w.prd().userStories).toMatchObject([
      { passes: true, notes: 'n', ralph: { attempts: 1 } },
      { passes: false },
    ]);
    expect(w.exists('archive')).toBe(false);
    const before = w.read('prd.json');
    await w.run('tasks/prd-due.md');
    expect([w.read('prd.json'), /prd\.json is up to date/.test(w.out())]).toEqual([before, true]);
  });

  it('what a merge would lose is kept in the archive', async () => {
    await w.run('tasks/prd-due.md');
    const old = w.read('prd.json').replace('"passes": false', '"passes": true');
    w.write('prd.json', old);
    w.write('tasks/prd-due.md', document('Due', 'Print the day'));
    await w.run('tasks/prd-due.md');
    expect(w.prd().userStories).toMatchObject([{ passes: false }]);
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
    await w.run('tasks/prd-due.md');
    const [name = ''] = readdirSync(path.join(w.root, 'archive'));
    expect(name).toMatch(/-old$/);
    expect(w.read(`archive/${name}/prd.json`)).toBe(old);
    expect(w.read(`archive/${name}/progress.txt`)).toContain('- e');
    expect(w.read('progress.txt')).toContain('- p');
    expect(w.read('progress.txt')).not.toContain('- e');
    expect(w.prd().branchName).toBe('ralph/due');
  });

  it('a tracked one of another feature is replaced, so no removal is offered for a commit', async () => {
    w.write('prd.json', '{"branchName":"ralph/old","userStories":[{"id":"A","title":"x","passes":true}]}');
    w.git('add', '-A');
    w.git('commit', '--quiet', '-m', 'old');
    await w.run('tasks/prd-due.md');
    expect(w.out()).toMatch(/Archived: archive\/\S+-old\n/);
    expect(w.out()).not.toMatch(/removal|git commit/);
    expect(w.git('status', '--porcelain', 'prd.json')).toBe('M prd.json');
  });

  it('a broken one of the same feature is refused, and nothing changes', async () => {
    const broken = JSON.stringify({ branchName: 'ralph/due', userStories: [{ id: 'A' }] });
    w.write('prd.json', broken);
    await expect(w.run('tasks/prd-due.md')).rejects.toMatchObject({ reason: 'usage' });
    expect(w.read('prd.json')).toBe(broken);
  });

  it('the untouched example is no feature', async () => {
    w.write('prd.json', readFileSync(new URL('../../../prd.json.example', import.meta.url), 'utf8'));
    await w.run('tasks/prd-due.md');
    expect([w.prd().branchName, w.exists('archive')]).toEqual(['ralph/due', false]);
  });

  it('refuses while a loop runs', async () => {
    const lock = await acquireLock({ gitDir: w.git('rev-parse', '--absolute-git-dir') });
    try {
      await expect(w.run('tasks/prd-due.md')).rejects.toMatchObject({ reason: 'locked' });
      expect(w.exists('prd.json')).toBe(false);
      expect(await w.run('tasks/prd-due.md', { dryRun: true })).toBe(0);
    } finally {
      lock.release();
    }
  });
});

describe('a list of another tool', () => {
  const list = JSON.stringify({ branch: 'x/y', tasks: [{ id: 1, name: 'One', status: 'done', priority: 'high' }] });

  it('is mapped, and the mapping is shown', async () => {
    w.write('tasks.json', list);
    expect(await w.run('tasks.json')).toBe(0);
    expect(w.prd()).toMatchObject({
      branchName: 'x/y',
      userStories: [{ id: '1', title: 'One', passes: true, priority: 2 }],
    });
    expect(w.out()).toMatch(/Mapped:\n(?: {2}.*\n)* {2}status "done" → passes true/);
  });

  it('also in its own place: the old file is kept', async () => {
    w.write('prd.json', list);
    expect(await w.run('prd.json')).toBe(0);
    expect(w.prd().userStories).toHaveLength(1);
    const [name = ''] = readdirSync(path.join(w.root, 'archive'));
    expect(w.read(`archive/${name}/prd.json`)).toBe(list);
    expect(await w.run('prd.json')).toBe(0);
    expect(w.out()).toMatch(/is up to date/);
  });

  it('that is no valid PRD afterwards changes nothing', async () => {
    w.write('tasks.json', '{"tasks":[{"id":1,"name":"One","dependencies":[7]}]}');
    await expect(w.run('tasks.json')).rejects.toMatchObject({
      message: 'tasks.json, converted, has a problem',
      problems: [expect.stringContaining('"7"')],
    });
    w.write('tasks.json', '{"tasks":[');
    await expect(w.run('tasks.json')).rejects.toMatchObject({
      problems: [expect.stringMatching(/^tasks\.json:1:\d+/)],
    });
    w.write('tasks.json', '{"a":1}');
    await expect(w.run('tasks.json')).rejects.toThrow(/no list of stories/);
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
    await expect(w.run(file, {}, { PATH: gitOnly() })).rejects.toMatchObject({
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
