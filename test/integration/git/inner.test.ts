import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { breakGround } from './ground.ts';
import { openRoom, RUN } from './room.ts';
import type { Ground } from './ground.ts';

let ground: Ground;
beforeEach(() => {
  ground = breakGround();
  ground.write('a.txt', 'one\n');
  ground.commit('start');
});
afterEach(() => ground.dispose());

/** A submodule `lib` with one commit. */
function addSubmodule(): void {
  const source = path.join(ground.outside, 'source');
  ground.git('init', '-q', '--initial-branch=main', source);
  ground.git('-C', source, 'commit', '-q', '--allow-empty', '-m', 'first');
  ground.git('submodule', '--quiet', 'add', source, 'lib');
  ground.commit('submodule');
}

const inner = (...args: readonly string[]): string => ground.git('-C', 'lib', ...args);

function commitInside(file: string): string {
  ground.write(`lib/${file}`, `${file}\n`);
  inner('add', file);
  inner('commit', '-qm', file);
  return inner('rev-parse', 'HEAD');
}

describe('a submodule', () => {
  beforeEach(addSubmodule);

  it('with a commit inside is a change, which is recorded', async () => {
    const room = await openRoom(ground);
    await room.begin();
    const tip = commitInside('new.txt');
    expect((await room.compare()).changed).toEqual(['lib']);
    await room.accept();
    expect(room.git('rev-parse', 'HEAD:lib')).toBe(tip);
    expect(room.git('status', '--porcelain')).toBe('');
  });

  it('of which the user has staged another commit stays so, and out of the commit of the story', async () => {
    const recorded = ground.git('rev-parse', 'HEAD:lib');
    const staged = commitInside('of-the-user.txt');
    ground.git('add', 'lib');
    const room = await openRoom(ground);
    await room.begin();
    room.write('b.txt', 'work\n');
    expect((await room.compare()).changed).toEqual(['b.txt']);
    await room.accept();
    expect(room.git('rev-parse', 'HEAD:lib')).toBe(recorded);
    expect(room.git('rev-parse', ':lib')).toBe(staged);
  });

  it('is known from one turn to the next, also where git has thrown the tree between them away', async () => {
    const room = await openRoom(ground);
    await room.begin();
    ground.write('b.txt', 'work\n');
    await room.compare();
    await room.reject();
    ground.git('update-ref', '-d', `refs/ralph/${RUN}/001`);
    ground.git('reflog', 'expire', '--expire=now', '--all');
    ground.git('gc', '--quiet', '--prune=now');
    ground.write('lib/edit.txt', 'by the user\n');
    await room.begin(2);
    expect(room.recorded().inner.map(({ path: name }) => name)).toEqual(['lib']);
    ground.write('lib/edit.txt', 'by the agent\n');
    expect((await room.compare()).changed).toEqual(['lib']);
  });

  it.each(['main', undefined])('goes back to where it was on roll back, its commit is kept (on %s)', async (branch) => {
    if (branch === undefined) inner('checkout', '-q', '--detach');
    const before = inner('rev-parse', 'HEAD');
    const room = await openRoom(ground);
    await room.begin();
    inner('checkout', '-q', '-B', 'work');
    const tip = commitInside('new.txt');
    await room.compare();
    await room.reject();
    expect(inner('rev-parse', 'HEAD')).toBe(before);
    expect(ground.tryGit('-C', 'lib', 'symbolic-ref', '-q', 'HEAD')).toBe(branch === undefined ? 1 : 0);
    if (branch !== undefined) expect(inner('symbolic-ref', '--short', 'HEAD')).toBe(branch);
    expect(inner('rev-parse', `refs/ralph/${RUN}/001`)).toBe(tip);
    expect(inner('rev-parse', 'work')).toBe(tip);
    expect(room.git('status', '--porcelain')).toBe('');
  });

  it('keeps the inner commits of several tries', async () => {
    const room = await openRoom(ground);
    const tips: string[] = [];
    for (const name of ['x', 'y']) {
      await room.begin();
      tips.push(commitInside(name));
      await room.compare();
      await room.reject();
    }
    expect([inner('rev-parse', `refs/ralph/${RUN}/001`), inner('rev-parse', `refs/ralph/${RUN}/001-2`)]).toEqual(tips);
  });

  it('with uncommitted edits is a change that is named as not covered, and survives', async () => {
    const room = await openRoom(ground);
    await room.begin();
    ground.write('lib/draft.txt', 'draft\n');
    const outcome = await room.compare();
    expect([outcome.changed, outcome.pending]).toEqual([['lib'], ['lib']]);
    expect(outcome.remarks.join('\n')).toMatch(/lib .*not covered/);
    await room.reject();
    expect(room.read('lib/draft.txt')).toBe('draft\n');
  });

  it('with edits of the user is no change, until they change', async () => {
    ground.write('lib/draft.txt', 'draft\n');
    const room = await openRoom(ground);
    await room.begin();
    expect((await room.compare()).changed).toEqual([]);
    await room.reject();
    await room.begin(2);
    ground.write('lib/draft.txt', 'by the agent\n');
    expect((await room.compare()).changed).toEqual(['lib']);
    await room.reject();
  });

  it('is left where it is when the agent committed and left edits', async () => {
    const room = await openRoom(ground);
    await room.begin();
    const tip = commitInside('new.txt');
    ground.write('lib/draft.txt', 'draft\n');
    await room.compare();
    await room.reject();
    expect(inner('rev-parse', 'HEAD')).toBe(tip);
    expect(room.read('lib/draft.txt')).toBe('draft\n');
  });

  it('counts although the configuration says to ignore it', async () => {
    ground.git('config', 'diff.ignoreSubmodules', 'all');
    ground.git('config', 'submodule.lib.ignore', 'all');
    const room = await openRoom(ground);
    await room.begin();
    const tip = commitInside('new.txt');
    expect((await room.compare()).changed).toEqual(['lib']);
    await room.accept();
    expect(room.git('rev-parse', 'HEAD:lib')).toBe(tip);
  });
});

describe('a repository inside', () => {
  it('of the user, with or without a commit, is left alone', async () => {
    for (const name of ['lib', 'empty']) ground.git('init', '-q', name);
    ground.write('lib/x', 'x\n');
    inner('add', 'x');
    inner('commit', '-qm', 'x');
    ground.write('empty/y', 'y\n');
    const room = await openRoom(ground);
    await room.begin();
    room.write('b.txt', 'work\n');
    expect((await room.compare()).changed).toEqual(['b.txt']);
    await room.accept();
    expect(room.names('HEAD')).toEqual(['a.txt', 'b.txt']);
    await room.begin(2);
    room.write('c.txt', 'work\n');
    await room.compare();
    await room.reject();
    expect([room.read('lib/x'), room.read('empty/y')]).toEqual(['x\n', 'y\n']);
  });

  it.each(['with', 'without'])('of the agent, %s a commit, moves into the run folder on roll back', async (kind) => {
    const room = await openRoom(ground);
    await room.begin();
    ground.git('init', '-q', 'lib');
    room.write('lib/x', 'x\n');
    if (kind === 'with') commitInside('y');
    const outcome = await room.compare();
    expect(outcome.changed).toEqual(['lib']);
    await room.reject();
    expect(room.exists('lib')).toBe(false);
    expect(ground.git('-C', path.join(room.left(), 'lib'), 'status', '--porcelain')).toContain('x');
  });
});
