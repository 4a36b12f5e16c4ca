import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { breakGround } from './ground.ts';
import { openRoom } from './room.ts';
import type { Ground } from './ground.ts';

let ground: Ground;
beforeEach(() => {
  ground = breakGround();
  ground.write('.gitignore', '*.log\nbuild/\n');
  ground.write('a.txt', 'one\n');
  ground.write('kept.log', 'tracked though ignored\n');
  ground.git('add', '-f', 'kept.log');
  ground.commit('start');
  ground.write('run.log', 'of the user\n');
  ground.write('build/out.bin', 'of the user\n');
});
afterEach(() => ground.dispose());

const usersFiles = (): string[] => [ground.read('run.log'), ground.read('build/out.bin')];
const untouched = ['of the user\n', 'of the user\n'];

describe('what is ignored at the start', () => {
  it('is not what ralph itself writes meanwhile: nobody’s work, with rules of its own and without', async () => {
    const own = ['.ralph/runs/one/.gitignore', '.ralph/runs/one/001/prompt.md', '.ralph/runs/two/run.json'];
    const room = await openRoom(ground);
    await room.begin();
    for (const file of own) room.write(file, '*\n');
    room.write('b.txt', 'work\n');
    expect((await room.compare()).changed).toEqual(['b.txt']);
    const ref = await room.reject();
    expect(own.filter((file) => !room.exists(file))).toEqual([]);
    expect(room.exists('b.txt')).toBe(false);
    expect(room.names(ref ?? '').filter((name) => name.startsWith('.ralph/'))).toEqual([]);
  });

  it('stays out of the commit when the rules go', async () => {
    const room = await openRoom(ground);
    await room.begin();
    room.remove('.gitignore');
    room.write('b.txt', 'work\n');
    const outcome = await room.compare();
    expect([...outcome.changed].sort()).toEqual(['.gitignore', 'b.txt']);
    await room.accept();
    expect(room.names('HEAD')).toEqual(['a.txt', 'b.txt', 'kept.log']);
    expect(usersFiles()).toEqual(untouched);
  });

  it('is there after a roll back, whatever the agent committed', async () => {
    const room = await openRoom(ground);
    await room.begin();
    room.remove('.gitignore');
    room.git('add', '-A');
    room.git('commit', '-qm', 'everything');
    await room.compare();
    await room.reject();
    expect(usersFiles()).toEqual(untouched);
    expect(room.git('status', '--porcelain')).toBe('');
  });

  it('is taken out of a commit that swept it in', async () => {
    const room = await openRoom(ground);
    await room.begin();
    room.write('b.txt', 'work\n');
    room.git('add', '-f', 'run.log', 'build', 'b.txt');
    room.git('commit', '-qm', 'everything');
    room.write('c.txt', 'more\n');
    room.git('add', 'c.txt');
    room.git('commit', '-qm', 'more');
    const outcome = await room.compare();
    expect(outcome.ref).toBeDefined();
    await room.accept();
    for (const commit of ['HEAD', 'HEAD^']) expect(room.names(commit)).not.toContain('run.log');
    expect(room.names('HEAD')).toEqual(['.gitignore', 'a.txt', 'b.txt', 'c.txt', 'kept.log']);
    expect(usersFiles()).toEqual(untouched);
    expect(room.git('status', '--porcelain')).toBe('');
  });

  it('keeps a tracked file in view', async () => {
    const room = await openRoom(ground);
    await room.begin();
    room.write('kept.log', 'changed\n');
    expect((await room.compare()).changed).toEqual(['kept.log']);
    await room.reject();
    expect(room.read('kept.log')).toBe('tracked though ignored\n');
  });

  it('does not stumble over a tracked one that the user deleted', async () => {
    ground.remove('kept.log');
    const room = await openRoom(ground);
    for (const iteration of [1, 2]) {
      await room.begin(iteration);
      room.write(`${iteration}.txt`, 'work\n');
      await room.compare();
      await room.accept();
    }
    expect(room.git('status', '--porcelain')).toBe('D kept.log');
  });

  it.each(['', 'rm .git/index', 'git rm -q --cached kept.log'])(
    'sees a deleted one come back, whatever the index says of it: %s',
    async (more) => {
      ground.remove('kept.log');
      const room = await openRoom(ground);
      await room.begin();
      ground.sh(`git checkout -q HEAD -- kept.log; ${more}`);
      await room.compare();
      await room.reject();
      expect(room.git('status', '--porcelain')).toBe('D kept.log');
    },
  );
});

describe('what the user has taken out of git and ignores from now on', () => {
  beforeEach(() => {
    ground.write('a.txt', 'edited by the user\n');
    ground.git('rm', '-q', '--cached', 'a.txt');
    ground.write('.gitignore', '*.log\nbuild/\na.txt\n');
  });

  it('is not lost when an agent resets, and stays out of git', async () => {
    const room = await openRoom(ground);
    await room.begin();
    room.git('stash', '-q');
    room.git('stash', 'drop', '-q');
    expect(room.read('a.txt')).toBe('one\n');
    room.write('b.txt', 'work\n');
    expect([...(await room.compare()).changed]).toEqual(['b.txt']);
    await room.accept();
    expect(room.read('a.txt')).toBe('edited by the user\n');
    expect(room.git('show', 'HEAD:a.txt')).toBe('one');
    expect(room.git('status', '--porcelain')).toBe('M .gitignore\nD  a.txt');
  });

  it('is no work of an agent that edits it', async () => {
    const room = await openRoom(ground);
    await room.begin();
    room.write('a.txt', 'edited by the agent\n');
    expect((await room.compare()).changed).toEqual([]);
    room.write('b.txt', 'work\n');
    await room.compare();
    await room.accept();
    expect(room.names('HEAD')).toEqual(['.gitignore', 'a.txt', 'b.txt', 'kept.log']);
    expect(room.git('show', 'HEAD:a.txt')).toBe('one');
  });
});

describe('what the rules of an agent hide', () => {
  const hide: readonly { name: string; act: () => void }[] = [
    { name: '.gitignore', act: () => ground.write('.gitignore', '*.log\nbuild/\n*.secret\n') },
    { name: 'info/exclude', act: () => ground.write('.git/info/exclude', '*.secret\n') },
  ];

  it.each(hide)('moves into the run folder on roll back ($name)', async ({ act }) => {
    const room = await openRoom(ground);
    await room.begin();
    act();
    room.write('deep/x.secret', 'hidden\n');
    await room.compare();
    await room.reject();
    expect(room.exists('deep/x.secret')).toBe(false);
    expect(readFileSync(path.join(room.left(), 'deep/x.secret'), 'utf8')).toBe('hidden\n');
    expect(room.git('check-ignore', '-q', 'run.log')).toBe('');
    expect(room.tryGit('check-ignore', '-q', 'x.secret')).toBe(1);
  });

  it('keeps the file of each try', async () => {
    const room = await openRoom(ground);
    for (const text of ['first\n', 'second\n']) {
      await room.begin();
      hide[0]?.act();
      room.write('x.secret', text);
      await room.compare();
      await room.reject();
    }
    expect(readFileSync(path.join(room.left(), 'x.secret'), 'utf8')).toBe('first\n');
    expect(readFileSync(path.join(`${room.left()}-2`, 'x.secret'), 'utf8')).toBe('second\n');
  });

  it('hides no file that was there before', async () => {
    ground.write('mine.secret', 'of the user\n');
    const room = await openRoom(ground);
    await room.begin();
    hide[0]?.act();
    room.remove('mine.secret');
    await room.compare();
    expect(room.read('mine.secret')).toBe('of the user\n');
    await room.accept();
    expect(room.read('mine.secret')).toBe('of the user\n');
  });

  it('stays in the tree with its rule when the work is accepted', async () => {
    const room = await openRoom(ground);
    await room.begin();
    hide[0]?.act();
    room.write('x.secret', 'hidden\n');
    await room.compare();
    await room.accept();
    expect(room.read('x.secret')).toBe('hidden\n');
    expect(room.names('HEAD')).not.toContain('x.secret');
  });

  it('loses nothing where a hidden file stands in the place of a folder, or a hidden folder in that of a file', async () => {
    ground.write('dir/inner.txt', 'inner\n');
    ground.commit('more');
    const room = await openRoom(ground);
    await room.begin();
    room.write('.gitignore', '*.log\nbuild/\ndir\na.txt/\n');
    room.remove('dir');
    room.write('dir', 'a file now\n');
    room.remove('a.txt');
    room.write('a.txt/deep', 'a folder now\n');
    await room.compare();
    await room.reject();
    expect([room.read('dir/inner.txt'), room.read('a.txt')]).toEqual(['inner\n', 'one\n']);
    expect(readFileSync(path.join(room.left(), 'dir'), 'utf8')).toBe('a file now\n');
    expect(readFileSync(path.join(room.left(), 'a.txt/deep'), 'utf8')).toBe('a folder now\n');
  });
});

describe('an agent that stops tracking a file', () => {
  it('has its way: the accepted commit does not take the file in again', async () => {
    const room = await openRoom(ground);
    await room.begin();
    room.git('rm', '-q', '--cached', 'kept.log');
    room.git('commit', '-qm', 'no logs');
    room.write('b.txt', 'work\n');
    await room.compare();
    await room.accept();
    expect(room.names('HEAD')).toEqual(['.gitignore', 'a.txt', 'b.txt']);
    expect(room.read('kept.log')).toBe('tracked though ignored\n');
    expect(room.git('status', '--porcelain')).toBe('');
    await room.begin(2);
    expect(existsSync(path.join(room.root, 'kept.log'))).toBe(true);
    expect((await room.compare()).changed).toEqual([]);
  });
});
