import { chmodSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { breakGround } from './ground.ts';
import { openRoom } from './room.ts';
import type { ObjectFormat } from '../../new-repository.ts';
import type { Ground } from './ground.ts';
import type { Room } from './room.ts';

let ground: Ground;
afterEach(() => ground.dispose());

/** One accepted and one rejected turn, with a file of the user's lying about. */
async function turns(room: Room, root: string): Promise<void> {
  const git = (...args: readonly string[]): string => ground.git('-C', root, ...args);
  writeFileSync(path.join(root, 'mine.txt'), 'mine\n');
  await room.begin();
  writeFileSync(path.join(root, 'b.txt'), 'work\n');
  await room.compare();
  expect((await room.accept()).kind).toBe('committed');
  expect(git('diff', '--name-only', 'HEAD^', 'HEAD')).toBe('b.txt');
  await room.begin(2);
  writeFileSync(path.join(root, 'b.txt'), 'broken\n');
  writeFileSync(path.join(root, 'mine.txt'), 'broken\n');
  git('add', '-A');
  git('commit', '-qm', 'broken');
  await room.compare();
  const ref = await room.reject();
  expect(git('show', `${ref}:b.txt`)).toBe('broken');
  expect(git('status', '--porcelain')).toBe('?? mine.txt');
  expect(git('log', '--format=%s', '-1')).toBe('feat: [US-001] - Story');
}

function begin(format?: ObjectFormat): void {
  ground = breakGround(format);
  ground.write('a.txt', 'one\n');
  ground.write('sub/x.txt', 'x\n');
  ground.commit('start');
}

describe('it works', () => {
  it('in a repository with SHA-256', async () => {
    begin('sha256');
    await turns(await openRoom(ground), ground.root);
  });

  it('in a linked worktree, and leaves the main one alone', async () => {
    begin();
    ground.write('a.txt', 'edited in the main one\n');
    const linked = path.join(ground.outside, 'linked tree');
    ground.git('worktree', 'add', '-q', '-b', 'side', linked);
    const head = ground.git('rev-parse', 'main');
    await turns(await openRoom(ground, { folder: linked, branch: 'side' }), linked);
    expect(ground.git('rev-parse', 'main')).toBe(head);
    expect(ground.git('status', '--porcelain')).toBe('M a.txt');
  });

  it('from a subfolder, and through a link to the repository', async () => {
    begin();
    symlinkSync(ground.root, path.join(ground.outside, 'link'));
    await turns(await openRoom(ground, { folder: path.join(ground.outside, 'link/sub') }), ground.root);
  });

  it('in a shallow clone', async () => {
    begin();
    ground.commit('second');
    const clone = path.join(ground.outside, 'shallow');
    ground.git('clone', '-q', '--depth', '1', `file://${ground.root}`, clone);
    await turns(await openRoom(ground, { folder: clone }), clone);
  });

  it('in a clone that borrows its objects', async () => {
    begin();
    const clone = path.join(ground.outside, 'borrowed');
    ground.git('clone', '-q', '--shared', ground.root, clone);
    await turns(await openRoom(ground, { folder: clone }), clone);
  });

  it('in a submodule', async () => {
    begin();
    const outer = path.join(ground.outside, 'outer');
    ground.git('init', '-q', outer);
    ground.git('-C', outer, 'submodule', '--quiet', 'add', ground.root, 'inner');
    const root = path.join(outer, 'inner');
    await turns(await openRoom(ground, { folder: root }), root);
  });

  it.each([
    ['core.untrackedCache', 'true'],
    ['core.splitIndex', 'true'],
    ['core.ignoreStat', 'true'],
    ['core.fileMode', 'false'],
    ['feature.manyFiles', 'true'],
    ['core.fsmonitor', '.git/hooks/no-monitor'],
    ['core.quotePath', 'false'],
    ['log.showSignature', 'true'],
    ['diff.noprefix', 'true'],
    ['core.commentChar', ';'],
    ['submodule.recurse', 'true'],
    ['index.version', '4'],
  ])('with %s=%s', async (key, value) => {
    begin();
    ground.git('config', key, value);
    if (key === 'core.fsmonitor') {
      ground.write('.git/hooks/no-monitor', '#!/bin/sh\nexit 1\n');
      chmodSync(path.join(ground.root, '.git/hooks/no-monitor'), 0o755);
    }
    ground.tryGit('update-index', '--refresh');
    await turns(await openRoom(ground), ground.root);
  });

  it('in a sparse checkout: what is not checked out is neither deleted nor touched', async () => {
    begin();
    for (const folder of ['in', 'out']) ground.write(`${folder}/f.txt`, `${folder}\n`);
    ground.commit('more');
    ground.git('sparse-checkout', 'set', 'in');
    expect(ground.exists('out/f.txt')).toBe(false);
    await turns(await openRoom(ground), ground.root);
    expect(ground.names('HEAD')).toContain('out/f.txt');
    expect(ground.exists('out/f.txt')).toBe(false);
    expect(ground.git('sparse-checkout', 'list')).toBe('in');
  });
});
