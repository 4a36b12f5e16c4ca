import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { breakGround } from './ground.ts';
import { openRoom } from './room.ts';
import type { Ground } from './ground.ts';

let ground: Ground;
beforeEach(() => {
  ground = breakGround();
  ground.write('a.txt', 'one\n');
  ground.write('rust/Cargo.toml', '[package]\n');
  ground.write('java/pom.xml', '<project/>\n');
  ground.commit('start');
});
afterEach(() => ground.dispose());

const folders = ['node_modules', 'deep/.venv', 'py/__pycache__', 'rust/target', 'java/target'];
const blobs = (): string => ground.git('cat-file', '--batch-check', '--batch-all-objects');

describe.each(folders)('%s, which nothing ignores', (folder) => {
  const file = `${folder}/pkg/index`;

  it('is rejected, named with the cure, and moves into the run folder', async () => {
    const room = await openRoom(ground);
    await room.begin();
    room.write(file, 'a dependency\n');
    room.write('b.txt', 'work\n');
    const { violations } = await room.compare();
    expect(violations).toEqual([expect.stringContaining(`${folder}/ is a dependency folder`)]);
    expect(violations.join()).toContain('.gitignore');
    const ref = await room.reject();
    expect(room.exists(folder)).toBe(false);
    expect(readFileSync(path.join(room.left(), file), 'utf8')).toBe('a dependency\n');
    expect(room.names(ref ?? '')).toContain('b.txt');
    expect(blobs()).not.toContain(ground.git('hash-object', path.join(room.left(), file)));
  });

  it('that was there before stays as it is, and out of everything', async () => {
    ground.write(file, 'of the user\n');
    const room = await openRoom(ground);
    await room.begin();
    room.write('b.txt', 'work\n');
    room.write(`${folder}/more`, 'more\n');
    const outcome = await room.compare();
    expect([outcome.changed, outcome.violations]).toEqual([['b.txt'], []]);
    await room.accept();
    expect(room.names('HEAD')).not.toContain(file);
    await room.begin(2);
    room.write('c.txt', 'work\n');
    await room.compare();
    await room.reject();
    expect(room.read(file)).toBe('of the user\n');
    expect(blobs()).not.toContain(ground.git('hash-object', file));
  });

  it('that git tracks is a folder like any other', async () => {
    ground.write(file, 'tracked\n');
    ground.commit('tracked');
    const room = await openRoom(ground);
    await room.begin();
    room.write(file, 'changed\n');
    room.write(`${folder}/new`, 'new\n');
    const outcome = await room.compare();
    expect([...outcome.changed].sort()).toEqual([file, `${folder}/new`].sort());
    await room.reject();
    expect(room.read(file)).toBe('tracked\n');
    expect(room.exists(`${folder}/new`)).toBe(false);
  });
});

describe('what must not get into git', () => {
  it('is found in the agent’s own commits, also when it was removed again', async () => {
    const room = await openRoom(ground);
    await room.begin();
    room.write('.env', 'TOKEN=x\n');
    room.write('node_modules/x', 'x\n');
    room.write('big.bin', Buffer.alloc(51 * 1024 * 1024));
    room.git('add', '-A');
    room.git('commit', '-qm', 'too much');
    for (const file of ['.env', 'node_modules', 'big.bin']) room.remove(file);
    room.git('commit', '-qam', 'gone again');
    const { violations } = await room.compare();
    expect(violations.join('\n')).toMatch(/node_modules\/ is a dependency folder/);
    expect(violations.join('\n')).toMatch(/\.env looks like a secret/);
    expect(violations.join('\n')).toMatch(/big\.bin is larger than 50 MB/);
    await room.reject();
    expect(room.git('log', '--format=%s')).toBe('start');
  });

  it('is none of the user’s files', async () => {
    ground.write('.env', 'TOKEN=x\n');
    ground.write('id_rsa', 'key\n');
    const room = await openRoom(ground);
    await room.begin();
    room.write('b.txt', 'work\n');
    room.git('add', '-A');
    room.git('commit', '-qm', 'everything');
    expect((await room.compare()).violations).toEqual([]);
    await room.accept();
    expect(room.names('HEAD')).not.toContain('.env');
    expect(existsSync(path.join(room.root, '.env'))).toBe(true);
  });

  it('is no target folder without a build file beside it', async () => {
    const room = await openRoom(ground);
    await room.begin();
    room.write('target/x', 'x\n');
    const outcome = await room.compare();
    expect([outcome.changed, outcome.violations]).toEqual([['target/x'], []]);
  });
});
