import { rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { acquireLock } from '../../../src/run-folder/lock.ts';
import { writeTurn } from '../../../src/run-folder/turn-file.ts';
import { createArchiveWorld, logOf, patterns, prdOf, restore, store, today } from './archive-world.ts';
import type { ArchiveWorld } from './archive-world.ts';

let w: ArchiveWorld;
beforeEach(() => {
  w = createArchiveWorld();
});
afterEach(() => w.dispose());

describe('ralph archive', () => {
  it('moves PRD and log away byte for byte and starts a fresh log with the patterns', async () => {
    const [prd, log] = [prdOf('ralph/one'), logOf('ralph/one', undefined, patterns)];
    w.write('prd.json', prd);
    w.write('progress.txt', log);
    expect(await w.call(store)).toBe(0);
    const name = `${today()}-one`;
    expect(w.names()).toEqual([name]);
    expect([w.read(`archive/${name}/prd.json`), w.read(`archive/${name}/progress.txt`)]).toEqual([prd, log]);
    expect(w.exists('prd.json')).toBe(false);
    expect(w.read('progress.txt')).toMatch(
      /^# Ralph Progress Log\nBranch: none yet\nStarted: .+\n---\n\n## Codebase Patterns\n- UTC in `src\/time`\n/,
    );
    expect(w.read('progress.txt')).not.toMatch(/learnt/);
    expect(w.out()).toBe(
      `Archived: archive/${name}\nFresh log: progress.txt, with the Codebase Patterns of the old one\n`,
    );
    expect(w.exists('.git/ralph/lock')).toBe(false);
  });

  it('leaves a tracked prd.json as an uncommitted removal, and its hint commits all of it', async () => {
    w.write('prd.json', prdOf('ralph/one'));
    w.write('progress.txt', logOf('ralph/one'));
    w.write('mine.txt', 'mine\n');
    w.git('add', 'prd.json', 'progress.txt');
    w.git('commit', '--quiet', '-m', 'start');
    await w.call(store);
    expect(w.git('status', '--porcelain')).toMatch(/^D prd\.json$/m);
    const hint = /^ {2}(git add .*)$/m.exec(w.out())?.[1] ?? '';
    expect(w.out()).toMatch(/git tracks prd\.json: its removal is left uncommitted/);
    w.shell(hint);
    expect(w.git('status', '--porcelain')).toBe('?? mine.txt');
    expect(w.git('show', '--name-status', '--format=', '-M01', 'HEAD').split('\n')).toHaveLength(3);
  });

  it('says nothing of git where prd.json is not tracked', async () => {
    w.write('prd.json', prdOf('ralph/one'));
    await w.call(store);
    expect(w.out()).not.toMatch(/git/);
  });

  it('a place without anything is exit 2, also one with nothing but a fresh log', async () => {
    await expect(w.call(store)).rejects.toMatchObject({
      reason: 'usage',
      message: expect.stringMatching(/nothing to archive/),
    });
    w.write('prd.json', prdOf('ralph/one'));
    await w.call(store);
    const log = w.read('progress.txt');
    await expect(w.call(store)).rejects.toMatchObject({ reason: 'usage' });
    expect(w.read('progress.txt')).toBe(log);
    expect(w.names()).toHaveLength(1);
  });

  it('never overwrites: names in use get numbers', async () => {
    for (let round = 1; round <= 3; round += 1) {
      w.write('prd.json', prdOf('ralph/one', round > 1));
      await w.call(store);
    }
    expect(w.names()).toEqual([`${today()}-one`, `${today()}-one-2`, `${today()}-one-3`]);
    expect(w.read(`archive/${today()}-one/prd.json`)).toBe(prdOf('ralph/one'));
  });

  it.each([
    ['feat/api/v2', 'feat-api-v2'],
    ['../../escape', '-..-escape'],
    [undefined, 'main'],
  ])('the branch %s gives the folder %s', async (branch, slug) => {
    w.write('prd.json', prdOf(branch));
    await w.call(store);
    expect(w.names()).toEqual([`${today()}-${slug}`]);
  });

  it('also a PRD that is no JSON is moved as it is', async () => {
    w.write('prd.json', '{ "branchName": ');
    w.write('progress.txt', logOf('ralph/one'));
    await w.call(store);
    expect(w.read(`archive/${today()}-one/prd.json`)).toBe('{ "branchName": ');
  });

  it('a log alone is archived with the copy of its PRD', async () => {
    w.write('.ralph/active/prd.json', prdOf('ralph/one'));
    w.write('progress.txt', logOf('ralph/one'));
    await w.call(store);
    expect(w.read(`archive/${today()}-one/prd.json`)).toBe(prdOf('ralph/one'));
    expect(w.names('.ralph/active')).toEqual([]);
  });

  it('a new PRD in place does not take the log of the feature under way: that is archived with its own PRD', async () => {
    w.write('.ralph/active/prd.json', prdOf('ralph/one'));
    w.write('progress.txt', logOf('ralph/one'));
    w.write('prd.json', prdOf('ralph/two'));
    await w.call(store);
    expect(w.names()).toEqual([`${today()}-one`, `${today()}-two`]);
    expect(w.read(`archive/${today()}-one/prd.json`)).toBe(prdOf('ralph/one'));
    expect(w.read(`archive/${today()}-one/progress.txt`)).toMatch(/learnt/);
    expect(w.names(`archive/${today()}-two`)).toEqual(['prd.json']);
  });

  it('works beside scripts/ralph/prd.json, also after it is gone, and with --prd', async () => {
    w.write('scripts/ralph/prd.json', prdOf('ralph/one'));
    await w.call(store);
    expect(w.names('scripts/ralph/archive')).toEqual([`${today()}-one`]);
    await w.call({ kind: 'list' });
    expect(w.out()).toMatch(/-one/);
    await w.call(restore(`${today()}-one`));
    expect(w.read('scripts/ralph/prd.json')).toBe(prdOf('ralph/one'));
    const given = { prd: { value: 'sub/my prd.json', source: '--prd' } };
    w.write('sub/my prd.json', prdOf('ralph/two'));
    await w.call(store, w.io, given);
    await w.call(restore(`${today()}-two`), w.io, given);
    expect(w.read('sub/my prd.json')).toBe(prdOf('ralph/two'));
  });

  it('a link is taken away, its target stays', async () => {
    w.write('elsewhere.json', prdOf('ralph/one'));
    symlinkSync('elsewhere.json', path.join(w.root, 'prd.json'));
    await w.call(store);
    expect([w.exists('prd.json'), w.exists('elsewhere.json')]).toEqual([false, true]);
    expect(w.read(`archive/${today()}-one/prd.json`)).toBe(prdOf('ralph/one'));
  });

  it('an archive that can not be written changes nothing; its cure cures it', async () => {
    w.write('prd.json', prdOf('ralph/one'));
    w.write('progress.txt', logOf('ralph/one'));
    w.write('archive', 'a file\n');
    const error: unknown = await w.call(store).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ reason: 'usage', message: expect.stringContaining('archive') });
    expect([w.read('prd.json'), w.read('progress.txt')]).toEqual([prdOf('ralph/one'), logOf('ralph/one')]);
    const [cure = ''] = Object(error).cures as string[];
    w.shell(cure.slice(cure.indexOf('mv ')));
    expect(await w.call(store)).toBe(0);
    expect(w.read('archive.old')).toBe('a file\n');
  });

  it.each([
    ['the archive got its name', ['prd.json', 'progress.txt', '.ralph/active/prd.json', '.ralph/active/progress.txt']],
    ['prd.json was gone', ['progress.txt', '.ralph/active/prd.json', '.ralph/active/progress.txt']],
    ['all was done but the fresh log', ['progress.txt']],
  ])('is finished by the next call where it was killed when %s', async (_, behind) => {
    w.write('prd.json', prdOf('ralph/one'));
    w.write('progress.txt', logOf('ralph/one'));
    await w.call(store);
    const name = `${today()}-one`;
    await w.call(restore(name));
    const before = behind.map((file) => [file, w.read(file)] as const);
    rmSync(path.join(w.root, 'archive'), { recursive: true });
    await w.call(store);
    expect(w.exists('.git/ralph/archiving')).toBe(false);
    for (const [file, text] of before) w.write(file, text);
    w.write('.git/ralph/archiving', '');
    expect(await w.call(store)).toBe(0);
    expect(w.names()).toEqual([name]);
    expect(w.exists('prd.json')).toBe(false);
    expect(w.read('progress.txt')).toMatch(/^Branch: none yet$/m);
    expect(w.exists('.git/ralph/archiving')).toBe(false);
  });

  it('removes what a killed start left without a name', async () => {
    w.write('archive/.new-Ab12_x/prd.json', '{}');
    w.write('archive/.newer/mine', 'mine');
    w.write('prd.json', prdOf('ralph/one'));
    await w.call(store);
    expect(w.names()).toEqual(['.newer', `${today()}-one`]);
  });
});

describe('while a loop runs, or was killed', () => {
  it.each([store, restore('x')])('%j is refused with 7', async (task) => {
    w.write('prd.json', prdOf('ralph/one'));
    const lock = await acquireLock({ gitDir: path.join(w.root, '.git') });
    try {
      await expect(w.call(task)).rejects.toMatchObject({
        reason: 'locked',
        message: expect.stringContaining(String(process.pid)),
      });
      expect(await w.call({ kind: 'list' })).toBe(0);
    } finally {
      lock.release();
    }
    expect(w.exists('prd.json')).toBe(true);
  });

  it('an iteration that is not put in order is in the way, since it would bring the PRD back', async () => {
    w.write('prd.json', prdOf('ralph/one'));
    const turn = {
      v: 1,
      run: 'r',
      phase: 'working',
      repairs: true,
      prd: 'prd.json',
      progress: null,
      snapshot: {},
    } as const;
    writeTurn(path.join(w.root, '.git'), turn, { prd: undefined, progress: undefined });
    await expect(w.call(store)).rejects.toMatchObject({
      reason: 'usage',
      cures: [expect.stringContaining('ralph run')],
    });
    expect(w.exists('prd.json')).toBe(true);
  });
});

describe('ralph archive list', () => {
  it('names each with date, branch and stories, newest last', async () => {
    await w.call({ kind: 'list' });
    expect(w.out()).toBe('Nothing is archived yet: no archive in archive/.\n');
    w.write('archive/2026-03-01-zebra/prd.json', prdOf('ralph/zebra', true));
    w.write('archive/2026-11-02-log-only/progress.txt', logOf('ralph/log-only'));
    w.write('archive/2026-04-01-ape/prd.json', prdOf('ralph/ape'));
    w.write('archive/notes.txt', 'a file');
    await w.call({ kind: 'list' });
    const lines = w.out().trimEnd().split('\n').slice(1);
    expect(lines.map((line) => line.split(/ {2,}/))).toEqual([
      ['Name', 'Date', 'Branch', 'Passed'],
      ['2026-03-01-zebra', '2026-03-01', 'ralph/zebra', '1/1'],
      ['2026-04-01-ape', '2026-04-01', 'ralph/ape', '0/1'],
      ['2026-11-02-log-only', '2026-11-02', 'ralph/log-only', 'no PRD'],
    ]);
  });
});
