import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { breakGround } from './ground.ts';
import { openRoom } from './room.ts';
import type { Ground } from './ground.ts';
import type { Room } from './room.ts';

let ground: Ground;
let room: Room;

beforeEach(async () => {
  ground = breakGround();
  ground.write('a.txt', 'one\n');
  ground.commit('start');
  ground.write('mine.txt', 'mine\n');
  ground.git('add', 'mine.txt');
  room = await openRoom(ground);
  await room.begin();
});
afterEach(() => ground.dispose());

const git = (file: string): string => path.join(ground.root, '.git', file);

describe('lock files', () => {
  const locks = ['index.lock', 'HEAD.lock', 'config.lock', 'packed-refs.lock', 'refs/heads/main.lock', 'shallow.lock'];

  it('that were left behind go', async () => {
    ground.write('b.txt', 'work\n');
    for (const lock of [...locks, 'objects/info/commit-graph.lock']) writeFileSync(git(lock), '');
    const { remarks } = await room.compare();
    expect(remarks.filter((remark) => remark.includes('lock file')).length).toBe(locks.length + 1);
    await room.accept();
    expect(locks.filter((lock) => existsSync(git(lock)))).toEqual([]);
    expect(ground.git('status', '--porcelain')).toBe('A  mine.txt');
  });

  it('that were there before stay', async () => {
    await room.reject().catch(() => undefined);
    writeFileSync(git('gc.pid.lock'), 'of the user\n');
    await room.begin(2);
    await room.compare();
    await room.reject();
    expect(existsSync(git('gc.pid.lock'))).toBe(true);
  });
});

describe('ralph’s own folder', () => {
  it.each(['accept', 'reject'] as const)(
    'may be deleted by the agent: the tree is put in order all the same (%s)',
    async (end) => {
      ground.write('b.txt', 'work\n');
      ground.remove('mine.txt');
      ground.remove('.git/ralph');
      ground.git('update-ref', '-d', 'refs/worktree/ralph/snapshot');
      await room.compare();
      expect(ground.read('mine.txt')).toBe('mine\n');
      await room[end]();
      expect(ground.exists('b.txt')).toBe(end === 'accept');
      expect(ground.git('ls-files')).toBe(end === 'accept' ? 'a.txt\nb.txt' : 'a.txt');
    },
  );
});

describe('the whole git folder gone', () => {
  it('is a clear error that says what git says', async () => {
    ground.remove('.git');
    await expect(room.compare()).rejects.toMatchObject({
      reason: 'environment',
      message: expect.stringMatching(/^git [a-z-]+ failed/),
    });
  });
});

describe('the configuration', () => {
  it('of an agent does not change what a snapshot holds', async () => {
    ground.git('config', 'core.autocrlf', 'true');
    ground.git('config', 'core.fileMode', 'false');
    ground.git('config', 'core.excludesFile', path.join(ground.outside, 'rules'));
    writeFileSync(path.join(ground.outside, 'rules'), 'a.txt\n');
    ground.write('a.txt', 'one\r\n');
    ground.write('mine.txt', 'mine\r\n');
    await room.compare();
    await room.reject();
    expect([ground.read('a.txt'), ground.read('mine.txt')]).toEqual(['one\n', 'mine\n']);
  });
});

describe('what gates and checks change', () => {
  it('is put back before the commit, and the index with it', async () => {
    ground.write('b.txt', 'work\n');
    await room.compare();
    ground.write('b.txt', 'formatted by a gate\n');
    ground.write('report.html', 'x\n');
    ground.remove('a.txt');
    ground.git('add', '-A');
    expect([...(await room.workspace.putBack())].sort()).toEqual(['a.txt', 'b.txt', 'report.html']);
    await room.accept();
    expect(ground.git('show', 'HEAD:b.txt')).toBe('work');
    expect(ground.git('status', '--porcelain')).toBe('A  mine.txt');
  });

  it.each([
    ['a new file', 'echo x > new.txt', ['new.txt']],
    ['a new file in a folder', 'mkdir -p deep/er; echo x > deep/er/new.txt', ['deep/er/new.txt']],
    ['a file that is gone', 'rm b.txt', ['b.txt']],
    [
      'bytes, as many as before and at the same time',
      'touch -r b.txt t; echo WORK > b.txt; touch -r t b.txt; rm t',
      ['b.txt'],
    ],
    ['a mode', 'chmod +x b.txt', ['b.txt']],
    ['a link in the place of a file', 'rm b.txt; ln -s a.txt b.txt', ['b.txt']],
    ['nothing but times', 'touch a.txt b.txt', []],
    ['nothing', 'true', []],
  ])('is seen, however small: %s', async (_, script, paths) => {
    ground.write('b.txt', 'work\n');
    await room.compare();
    ground.sh(script);
    expect(await room.workspace.putBack()).toEqual(paths);
    expect(ground.read('b.txt')).toBe('work\n');
    expect(ground.git('status', '--porcelain')).toBe('A  mine.txt\n?? b.txt');
    expect(await room.workspace.putBack()).toEqual([]);
  });
});

describe('a branch that gates and checks move or leave', () => {
  it.each(['with', 'without'])(
    'is put back, what they committed is kept, the work accepted (%s new files)',
    async (how) => {
      ground.write('b.txt', 'work\n');
      await room.compare();
      ground.git('add', '-A');
      ground.git('commit', '-q', '-m', 'by a gate');
      const made = ground.git('rev-parse', 'HEAD');
      ground.git('checkout', '-q', '-b', 'elsewhere');
      if (how === 'with') ground.write('c.txt', 'more\n');
      ground.git('add', '-A');
      ground.git('commit', '-q', '--allow-empty', '-m', 'elsewhere');
      await room.workspace.putBack();
      expect(ground.git('rev-parse', '--abbrev-ref', 'HEAD')).not.toBe('elsewhere');
      expect(ground.git('for-each-ref', '--contains', made, '--format=%(refname)', 'refs/ralph')).not.toBe('');
      await room.accept();
      expect(ground.git('log', '--format=%s', '-2')).not.toMatch(/by a gate|elsewhere/);
      expect(ground.git('show', 'HEAD:b.txt')).toBe('work');
      expect(ground.exists('c.txt')).toBe(false);
      expect(ground.git('status', '--porcelain')).toBe('A  mine.txt');
    },
  );
});

describe('files that can’t be read', () => {
  it('are no reason to stop', async () => {
    ground.write('b.txt', 'work\n');
    ground.write('closed.txt', 'closed\n');
    chmodSync(path.join(ground.root, 'closed.txt'), 0);
    await room.compare();
    await room.reject();
    expect(ground.exists('b.txt')).toBe(false);
    expect(ground.git('status', '--porcelain')).toMatch(/A {2}mine.txt/);
  });
});
