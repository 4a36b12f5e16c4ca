import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { breakGround } from './ground.ts';
import { openRoom, RUN } from './room.ts';
import type { Ground } from './ground.ts';
import type { Room } from './room.ts';

let ground: Ground;
let room: Room;

beforeEach(async () => {
  ground = breakGround();
  ground.write('a.txt', 'one\n');
  ground.commit('start');
  ground.git('branch', 'mine');
  ground.git('switch', '-q', '--detach');
  ground.commit('only on a branch');
  ground.git('branch', 'deep/er');
  ground.git('tag', 'light');
  ground.git('tag', '-a', '-m', 'annotated', 'v1');
  ground.git('update-ref', 'refs/notes/own', ground.git('hash-object', '-w', 'a.txt'));
  ground.git('switch', '-q', 'main');
  room = await openRoom(ground);
  await room.begin();
});
afterEach(() => ground.dispose());

const refs = (): string =>
  ground.git('for-each-ref', '--format=%(refname) %(objectname)', 'refs/heads', 'refs/tags', 'refs/notes');
const isHeld = (id: string): boolean =>
  ground.git('for-each-ref', '--contains', id, 'refs/ralph').length > 0 ||
  ground.git('for-each-ref', '--format=%(objectname)', 'refs/ralph').includes(id);

describe('refs that an agent deletes', () => {
  it.each(['accept', 'reject'] as const)('are back, also after a prune (%s)', async (end) => {
    const before = refs();
    ground.git('branch', '-qD', 'mine', 'deep/er');
    ground.git('tag', '-d', 'light', 'v1');
    ground.git('update-ref', '-d', 'refs/notes/own');
    ground.git('reflog', 'expire', '--expire=now', '--all');
    ground.git('gc', '-q', '--prune=now');
    const { remarks } = await room.compare();
    expect(remarks.join('\n')).toMatch(/The branch mine had been deleted and was brought back/);
    await room[end]();
    expect(refs()).toBe(before);
    expect(ground.git('for-each-ref', 'refs/worktree')).toBe('');
  });

  it('are back where new ones stand in their way, and those are kept', async () => {
    const before = refs();
    ground.git('branch', '-qD', 'mine', 'deep/er');
    ground.git('branch', 'mine/new');
    const orphan = ground.git('commit-tree', '-m', 'new', 'HEAD^{tree}');
    ground.git('branch', 'deep', orphan);
    await room.compare();
    await room.reject();
    expect(refs()).toBe(before);
    expect(isHeld(orphan)).toBe(true);
  });

  it('are back: the PRD’s own branch, with a new one in its way', async () => {
    ground.git('switch', '-qc', 'side');
    ground.git('branch', '-qD', 'main');
    ground.git('switch', '-qc', 'main/new');
    ground.write('b.txt', 'work\n');
    const made = ground.commit('work');
    await room.compare();
    await room.reject();
    expect(ground.git('symbolic-ref', 'HEAD')).toBe('refs/heads/main');
    expect(ground.git('log', '--format=%s')).toBe('start');
    expect(isHeld(made)).toBe(true);
  });
});

describe('refs that an agent moves', () => {
  it('are named, and what they pointed to is kept', async () => {
    const [branch, tag] = [ground.git('rev-parse', 'deep/er'), ground.git('rev-parse', 'v1')];
    ground.git('branch', '-qf', 'deep/er', 'main');
    ground.git('tag', '-f', 'v1', 'main');
    ground.git('tag', '-d', 'light');
    const { remarks, ref } = await room.compare();
    expect(remarks.join('\n')).toMatch(/The branch deep\/er was moved by the agent/);
    expect(remarks.join('\n')).toMatch(/The tag v1 was moved by the agent/);
    expect(ref).toBe(`refs/ralph/${RUN}/001`);
    await room.accept();
    expect([isHeld(branch), isHeld(tag)]).toEqual([true, true]);
  });

  it('are put back: rescue refs of this run; those of other runs are left alone', async () => {
    ground.write('b.txt', 'work\n');
    await room.compare();
    const ref = (await room.reject()) ?? '';
    const id = ground.git('rev-parse', ref);
    ground.git('update-ref', 'refs/ralph/other-run/001', id);
    await room.begin(2);
    ground.git('update-ref', ref, 'HEAD');
    ground.git('update-ref', '-d', 'refs/ralph/other-run/001');
    await room.compare();
    await room.reject();
    expect(ground.git('rev-parse', ref)).toBe(id);
    expect(ground.tryGit('rev-parse', '--verify', '-q', 'refs/ralph/other-run/001')).toBe(1);
    await room.begin(3);
    ground.git('update-ref', '-d', ref);
    await room.compare();
    await room.reject();
    expect(ground.git('rev-parse', ref)).toBe(id);
  });

  it('are nobody’s business in another worktree', async () => {
    await room.reject().catch(() => undefined);
    const tree = path.join(ground.outside, 'tree');
    ground.git('worktree', 'add', '-q', tree, 'mine');
    await room.begin(2);
    ground.git('-C', tree, 'commit', '-q', '--allow-empty', '-m', 'of somebody else');
    const tip = ground.git('rev-parse', 'mine');
    const { remarks, ref } = await room.compare();
    expect([remarks, ref]).toEqual([[], undefined]);
    await room.reject();
    expect(ground.git('rev-parse', 'mine')).toBe(tip);
  });

  it('keep an agent’s commit that is rejected together with a moved branch', async () => {
    ground.git('branch', '-qf', 'deep/er', 'main');
    ground.write('b.txt', 'work\n');
    const made = ground.commit('work');
    await room.compare();
    await room.reject();
    expect(isHeld(made)).toBe(true);
  });
});

describe('commits of an agent', () => {
  it('that it amended or reset away are kept', async () => {
    ground.write('b.txt', 'first\n');
    const first = ground.commit('first');
    ground.write('b.txt', 'amended\n');
    ground.git('commit', '-qa', '--amend', '-m', 'amended');
    ground.write('c.txt', 'c\n');
    const second = ground.commit('second');
    ground.git('reset', '-q', '--hard', 'HEAD~1');
    await room.compare();
    await room.accept();
    expect([isHeld(first), isHeld(second)]).toEqual([true, true]);
    expect(ground.git('log', '--format=%s')).toBe('amended\nstart');
  });

  it('that merge a branch of the user stay as they are', async () => {
    ground.write('b.txt', 'work\n');
    ground.commit('work');
    ground.git('merge', '-q', '--no-ff', '-m', 'merged', 'deep/er');
    const merged = ground.git('rev-parse', 'HEAD');
    const { commits } = await room.compare();
    expect(commits.length).toBe(2);
    await room.accept();
    expect(ground.git('rev-parse', 'HEAD')).toBe(merged);
  });

  it('that a remote has already are not made again', async () => {
    const bare = path.join(ground.outside, 'bare.git');
    ground.git('init', '-q', '--bare', bare);
    ground.git('remote', 'add', 'origin', bare);
    ground.write('mine.txt', 'mine\n');
    await room.begin(2);
    ground.write('b.txt', 'work\n');
    const pushed = ground.commit('all of it');
    ground.git('push', '-q', 'origin', 'main');
    await room.compare();
    await room.accept();
    expect(ground.tryGit('merge-base', '--is-ancestor', pushed, 'HEAD')).toBe(0);
    expect(ground.names('HEAD')).toEqual(['a.txt', 'b.txt']);
  });
});
