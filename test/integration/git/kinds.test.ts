import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { breakGround } from './ground.ts';
import { openRoom } from './room.ts';
import type { Ground } from './ground.ts';

let ground: Ground;
beforeEach(() => {
  ground = breakGround();
});
afterEach(() => ground.dispose());

const at = (file: string | Buffer): Buffer =>
  Buffer.concat([Buffer.from(`${ground.root}/`), typeof file === 'string' ? Buffer.from(file) : file]);
const odd: readonly { name: string; file: Buffer }[] = [
  { name: 'a space', file: Buffer.from('with space.txt') },
  { name: 'non-ASCII', file: Buffer.from('naïve-文件.txt') },
  { name: 'a line break', file: Buffer.from('line\nbreak.txt') },
  { name: 'a leading dash', file: Buffer.from('-rf') },
  { name: 'a leading colon and glob signs', file: Buffer.from(':(exclude)[a]*?') },
  { name: 'quotes and a backslash', file: Buffer.from('"q\\uote\'') },
  { name: 'bytes that are no UTF-8', file: Buffer.from([0x66, 0xff, 0xfe, 0x2e, 0x62]) },
];
const listTree = (commit: string): Buffer =>
  execFileSync('git', ['ls-tree', '-r', '-z', '--name-only', commit], { cwd: ground.root, env: ground.env });

describe.each(odd)('a name with $name', ({ file }) => {
  it('is committed as it is', async () => {
    ground.write('a.txt', 'one\n');
    ground.commit('start');
    const room = await openRoom(ground);
    await room.begin();
    writeFileSync(at(file), 'work\n');
    await room.compare();
    expect((await room.accept()).kind).toBe('committed');
    expect(listTree('HEAD').includes(file)).toBe(true);
    expect(room.git('status', '--porcelain')).toBe('');
  });

  it('comes back when the user had it untracked, edited, or deleted', async () => {
    for (const kind of ['untracked', 'edited', 'deleted'] as const) {
      ground.write('a.txt', `${kind}\n`);
      if (kind !== 'untracked') writeFileSync(at(file), 'committed\n');
      ground.commit(kind);
      if (kind === 'deleted') rmSync(at(file));
      else writeFileSync(at(file), `${kind}\n`);
      const status = ground.git('status', '--porcelain');
      const room = await openRoom(ground);
      await room.begin();
      room.git('reset', '-q', '--hard');
      room.git('clean', '-xfdq');
      writeFileSync(at(file), 'by the agent\n');
      await room.compare();
      await room.reject();
      expect(ground.git('status', '--porcelain')).toBe(status);
      if (kind !== 'deleted') expect(readFileSync(at(file), 'utf8')).toBe(`${kind}\n`);
      else expect(() => lstatSync(at(file))).toThrow('ENOENT');
    }
  });

  it('moves into the run folder when a rule of the agent hid it', async () => {
    ground.commit('start');
    const room = await openRoom(ground);
    await room.begin();
    room.write('.gitignore', '*\n');
    writeFileSync(at(file), 'hidden\n');
    await room.compare();
    await room.reject();
    expect(() => lstatSync(at(file))).toThrow('ENOENT');
    expect(readFileSync(Buffer.concat([Buffer.from(`${room.left()}/`), file]), 'utf8')).toBe('hidden\n');
  });
});

describe('what the user has', () => {
  it('is as it was after a roll back: edited, staged, renamed, made executable, linked, deleted, untracked', async () => {
    for (const file of ['edited', 'staged', 'both', 'renamed', 'mode', 'link', 'deleted', 'sub/dir/deep'])
      ground.write(file, `${file}\n`);
    ground.commit('start');
    ground.write('edited', 'edited by the user\n');
    ground.write('staged', 'staged by the user\n');
    ground.write('both', 'staged\n');
    ground.git('add', 'staged', 'both');
    ground.write('both', 'staged, then edited\n');
    ground.git('mv', 'renamed', 'moved');
    chmodSync(at('mode'), 0o755);
    ground.remove('link');
    symlinkSync('../nowhere', at('link'));
    ground.remove('deleted');
    ground.write('untracked/file', 'untracked\n');
    const [status, staged] = [ground.git('status', '--porcelain'), ground.git('diff', '--cached')];
    const room = await openRoom(ground);
    await room.begin();
    room.git('reset', '-q', '--hard');
    room.git('clean', '-xfdq');
    room.write('edited', 'by the agent\n');
    room.remove('sub');
    await room.compare();
    await room.reject();
    expect(room.git('status', '--porcelain')).toBe(status);
    expect(room.git('diff', '--cached')).toBe(staged);
    expect(room.read('both')).toBe('staged, then edited\n');
    expect(lstatSync(at('mode')).mode & 0o777).toBe(0o755);
    expect(readlinkSync(at('link'))).toBe('../nowhere');
    expect(room.read('untracked/file')).toBe('untracked\n');
  });
});

describe('a path that changes its kind', () => {
  const kinds: readonly { name: string; make: (file: string) => void }[] = [
    { name: 'file', make: (file) => ground.write(file, 'a file\n') },
    { name: 'executable', make: (file) => (ground.write(file, 'a script\n'), chmodSync(at(file), 0o755)) },
    { name: 'folder', make: (file) => ground.write(`${file}/inner`, 'inner\n') },
    { name: 'link', make: (file) => symlinkSync('nowhere', at(file)) },
    { name: 'link to a folder', make: (file) => symlinkSync('other', at(file)) },
  ];
  const pairs = kinds.flatMap((from) => kinds.filter((to) => to !== from).map((to) => ({ from, to })));

  it.each(pairs.map(({ from, to }) => ({ title: `${from.name} to ${to.name}`, from, to })))(
    '$title',
    async ({ from, to }) => {
      ground.write('other/x', 'x\n');
      from.make('p');
      ground.commit('start');
      const before = ground.git('rev-parse', 'HEAD^{tree}');
      const room = await openRoom(ground);
      await room.begin();
      room.remove('p');
      to.make('p');
      await room.compare();
      await room.reject();
      room.git('add', '-A');
      expect(room.git('write-tree')).toBe(before);
      await room.begin(2);
      room.remove('p');
      to.make('p');
      await room.compare();
      await room.accept();
      expect(room.git('status', '--porcelain')).toBe('');
      expect(room.names('HEAD').some((name) => name.startsWith('p'))).toBe(true);
    },
  );
});

describe('trees', () => {
  it('may become empty, and be empty from the start', async () => {
    ground.git('commit', '-q', '--allow-empty', '-m', 'nothing');
    const room = await openRoom(ground);
    await room.begin();
    room.write('only.txt', 'x\n');
    await room.compare();
    await room.accept();
    await room.begin(2);
    room.remove('only.txt');
    await room.compare();
    await room.accept();
    expect(room.names('HEAD')).toEqual([]);
    await room.begin(3);
    room.write('again.txt', 'x\n');
    await room.compare();
    await room.reject();
    expect(room.exists('again.txt')).toBe(false);
  });

  it('follow a folder that was renamed', async () => {
    ground.write('old/a', 'a\n');
    ground.commit('start');
    const room = await openRoom(ground);
    await room.begin();
    mkdirSync(at('new'));
    renameSync(path.join(ground.root, 'old/a'), path.join(ground.root, 'new/a'));
    const outcome = await room.compare();
    expect([...outcome.changed].sort()).toEqual(['new/a', 'old/a']);
    await room.accept();
    expect(room.names('HEAD')).toEqual(['new/a']);
  });
});
