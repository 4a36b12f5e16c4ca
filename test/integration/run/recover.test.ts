import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openRepository } from '../../../src/git/repository.ts';
import { readIndexMark } from '../../../src/git/user-index.ts';
import { acquireLock } from '../../../src/run-folder/lock.ts';
import { markCommitting, markIndexed } from '../../../src/run-folder/turn-file.ts';
import { createKilledRun, prd } from './killed-run.ts';
import type { KilledRun } from './killed-run.ts';

let w: KilledRun;
beforeEach(() => {
  w = createKilledRun();
});
afterEach(() => w.dispose());

describe('a start behind a kill', () => {
  it.each([
    ['is gone', () => rmSync(path.join(w.root, 'prd.json'))],
    ['is half written', () => w.write('prd.json', prd.slice(0, 40))],
    ['names another branch', () => w.write('prd.json', prd.replace('ralph/x', 'ralph/elsewhere'))],
    ['is a folder', () => (rmSync(path.join(w.root, 'prd.json')), w.write('prd.json/inside.txt', 'inside\n'))],
    ['is ticked', () => w.write('prd.json', prd.replace('false', 'true'))],
  ])('goes on with the PRD as it was where it %s', async (_, spoil) => {
    await w.beginTurn();
    spoil();
    expect(await w.go()).toBe(0);
    expect(w.git('rev-parse', '--abbrev-ref', 'HEAD').trim()).toBe('ralph/x');
    expect(w.passes()).toMatchObject({ branchName: 'ralph/x', userStories: [{ id: 'A1', passes: true }] });
    expect(w.git('show', 'HEAD:work.txt').trim()).toBe('A1');
  });

  it('reads the config as it was, not as the agent left it', async () => {
    await w.beginTurn();
    w.write('ralph.config.json', '{ "gates": ["false"], "tool": "nobody"');
    expect(await w.go()).toBe(0);
  });

  it.each([
    ['a detached HEAD', () => w.git('checkout', '--quiet', '--detach')],
    ['a merge under way', () => writeFileSync(path.join(w.root, '.git/MERGE_HEAD'), w.git('rev-parse', 'HEAD'))],
    ['another branch', () => w.git('checkout', '--quiet', '-b', 'agent')],
  ])('is not stopped by %s that the agent left', async (_, leave) => {
    await w.beginTurn();
    leave();
    expect(await w.go()).toBe(0);
    expect(w.git('rev-parse', '--abbrev-ref', 'HEAD').trim()).toBe('ralph/x');
  });

  it('puts the state files of the killed run back, not those of this one', async () => {
    await w.beginTurn();
    const other = prd.replaceAll('A1', 'B1').replace('ralph/x', 'ralph/y');
    mkdirSync(path.join(w.root, 'other'));
    rmSync(path.join(w.root, 'prd.json'));
    // Outside of the repository, so that the recovery has no business with it.
    const file = path.join(path.dirname(w.root), `${path.basename(w.root)}-other.json`);
    writeFileSync(file, other);
    await w.go({ prd: file, maxIterations: '1' });
    expect(readFileSync(file, 'utf8')).toContain('"B1"');
    expect(readFileSync(file, 'utf8')).not.toContain('"A1"');
    expect(w.read('prd.json')).toBe(prd);
    rmSync(file);
    rmSync(path.join(path.dirname(file), 'progress.txt'), { force: true });
  });

  it('leaves everything as it was where the start itself is refused', async () => {
    await w.beginTurn();
    w.write('work.txt', 'half\n');
    expect(await w.go({ tool: 'nobody' })).toBeInstanceOf(Error);
    expect(w.read('work.txt')).toBe('half\n');
    expect(existsSync(path.join(w.root, '.git/ralph/turn/turn.json'))).toBe(true);
  });

  it('finishes what was accepted: the tick stands again, and a lock of ours is gone', async () => {
    const gitDir = await w.beginTurn();
    const done = prd.replace('"passes": false', '"passes": true');
    w.write('work.txt', 'A1\n');
    w.write('prd.json', done);
    w.git('add', '-A');
    w.git('commit', '--quiet', '-m', 'feat: [A1] - One');
    const repository = await openRepository(w.root, w.io.env);
    const mark = { commit: w.git('rev-parse', 'HEAD').trim(), index: readIndexMark(repository) };
    markCommitting(gitDir, mark, { prd: Buffer.from(done), progress: w.bytesOf('progress.txt') });
    w.write('prd.json', prd);
    writeFileSync(path.join(gitDir, 'index.lock'), '');
    expect(await w.go()).toBe(0);
    expect(w.read('prd.json')).toBe(done);
    expect(w.git('status', '--porcelain', '--', 'prd.json', 'work.txt')).toBe('');
    expect(w.git('log', '--format=%s').match(/A1/g)).toHaveLength(1);
    expect(w.events()[0]).toMatchObject({ type: 'run.started', stories: 1, passed: 1 });
    expect(readdirSync(gitDir).filter((name) => name.endsWith('.lock'))).toEqual([]);
  });

  it.each([
    ['before the index had followed', () => {}],
    ['when the index had followed', (gitDir: string) => markIndexed(gitDir)],
  ])('leaves staged what the user stages between a commit and the next start: killed %s', async (_, follow) => {
    w.write('mine.txt', 'one\n');
    w.write('work.txt', 'before\n');
    w.git('add', '-A');
    w.git('commit', '--quiet', '-m', 'files');
    const gitDir = await w.beginTurn();
    const done = prd.replace('"passes": false', '"passes": true');
    w.write('work.txt', 'A1\n');
    w.write('prd.json', done);
    const before = w.bytesOf('.git/index');
    w.git('add', 'work.txt', 'prd.json');
    w.git('commit', '--quiet', '-m', 'feat: [A1] - One');
    const followed = w.bytesOf('.git/index');
    writeFileSync(path.join(gitDir, 'index'), before);
    const repository = await openRepository(w.root, w.io.env);
    const mark = { commit: w.git('rev-parse', 'HEAD').trim(), index: readIndexMark(repository) };
    markCommitting(gitDir, mark, { prd: Buffer.from(done), progress: w.bytesOf('progress.txt') });
    follow(gitDir);
    if (existsSync(path.join(gitDir, 'ralph/turn/indexed'))) writeFileSync(path.join(gitDir, 'index'), followed);
    w.write('mine.txt', 'two\n');
    w.write('new.txt', 'new\n');
    w.git('add', 'mine.txt', 'new.txt');
    w.write('mine.txt', 'three\n');
    expect(await w.go()).toBe(0);
    expect(w.git('status', '--porcelain', '--', 'mine.txt', 'new.txt', 'work.txt').split('\n')).toEqual([
      'MM mine.txt',
      'A  new.txt',
    ]);
    expect(w.git('show', ':mine.txt')).toBe('two');
  });

  it('says that the tree is locked where the agent of a loop that lives has just taken the PRD away', async () => {
    const lock = await acquireLock({ gitDir: await w.beginTurn() });
    rmSync(path.join(w.root, 'prd.json'));
    expect(await w.go()).toMatchObject({ reason: 'locked' });
    lock.release();
    expect(await w.go()).toBe(0);
  });

  it('takes a record that a failing disk made unreadable for none', async () => {
    const gitDir = await w.beginTurn();
    writeFileSync(path.join(gitDir, 'ralph/turn/turn.json'), '\0\0\0');
    expect(await w.go()).toBe(0);
  });
});
