import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { breakGround, openRoom } from './room.ts';
import type { Ground, Room } from './room.ts';

let ground: Ground;
let room: Room;
/** Tips: of an accepted story on the branch, and of another branch that differs in a.txt. */
let accepted: string;
let other: string;

beforeEach(async () => {
  ground = breakGround();
  ground.write('a.txt', 'one\n');
  ground.write('b.txt', 'b\n');
  ground.commit('start');
  ground.git('switch', '-qc', 'other');
  ground.write('a.txt', 'of the other branch\n');
  ground.write('other.txt', 'other\n');
  other = ground.commit('other');
  ground.git('switch', '-q', 'main');
  ground.write('done.txt', 'accepted before\n');
  accepted = ground.commit('accepted');
  ground.write('b.txt', 'edited by the user\n');
  ground.write('mine.txt', 'mine\n');
  ground.write('staged.txt', 'staged\n');
  ground.git('add', 'staged.txt');
  room = await openRoom(ground);
  await room.begin();
});
afterEach(() => ground.dispose());

const STATUS = 'M b.txt\nA  staged.txt\n?? mine.txt';
const work = (): void => ground.write('work.txt', 'work\n');
const commitWork = (): void => {
  work();
  ground.git('add', 'work.txt');
  ground.git('commit', '-qm', 'work', '--only', 'work.txt');
};
const stashed = (): string => ground.git('stash', 'list', '--format=%H');

/** What an agent may do to history and tree around its work. */
const acts: readonly { name: string; act: () => unknown }[] = [
  { name: 'reset --soft past the accepted commit', act: () => (work(), ground.git('reset', '-q', '--soft', 'HEAD~1')) },
  { name: 'reset --mixed past it', act: () => (work(), ground.git('reset', '-q', 'HEAD~1')) },
  { name: 'reset --hard past it', act: () => (ground.git('reset', '-q', '--hard', 'HEAD~1'), work()) },
  { name: 'reset --hard', act: () => (ground.git('reset', '-q', '--hard'), work()) },
  { name: 'clean -xfd', act: () => (ground.git('clean', '-xfdq'), work()) },
  { name: 'checkout of all files', act: () => (ground.git('checkout', '-q', 'HEAD', '--', '.'), work()) },
  {
    name: 'checkout of files of another branch, put back',
    act: () => (
      ground.git('checkout', '-q', 'other', '--', 'a.txt'),
      ground.git('checkout', '-q', 'HEAD', '--', 'a.txt'),
      work()
    ),
  },
  { name: 'another branch', act: () => (ground.git('stash', '-qu'), ground.git('switch', '-q', 'other'), work()) },
  { name: 'a forced checkout of another branch', act: () => (ground.git('checkout', '-qf', 'other'), work()) },
  { name: 'a new branch', act: () => (ground.git('switch', '-qc', 'fresh'), work()) },
  { name: 'a detached HEAD', act: () => (ground.git('checkout', '-qf', '--detach', 'HEAD~1'), work()) },
  { name: 'an orphan branch', act: () => (ground.git('checkout', '-q', '--orphan', 'void'), work()) },
  {
    name: 'an empty orphan branch',
    act: () => (ground.git('switch', '-qf', '--discard-changes', '--orphan', 'void'), work()),
  },
  {
    name: 'a commit that is amended',
    act: () => (ground.git('commit', '-q', '--amend', '-m', 'amended', '--only'), work()),
  },
  {
    name: 'a rebase onto another branch',
    act: () => (ground.git('stash', '-qu'), ground.git('rebase', '-q', 'other'), work()),
  },
  {
    name: 'a rebase left half done',
    act: () => (
      ground.git('stash', '-qu'),
      ground.write('a.txt', 'x\n'),
      ground.git('commit', '-qam', 'x'),
      ground.tryGit('rebase', '-q', 'other'),
      ground.write('a.txt', 'of the other branch\n'),
      work()
    ),
  },
  {
    name: 'a rebase with autostash left half done',
    act: () => (
      ground.write('a.txt', 'x\n'),
      ground.git('commit', '-qm', 'x', '--only', 'a.txt'),
      work(),
      ground.git('add', 'work.txt'),
      ground.tryGit('rebase', '-q', '--autostash', 'other'),
      ground.write('a.txt', 'of the other branch\n'),
      work()
    ),
  },
  {
    name: 'a merge left half done',
    act: () => (
      ground.git('stash', '-qu'),
      ground.write('a.txt', 'x\n'),
      ground.git('commit', '-qam', 'x'),
      ground.tryGit('merge', '-q', 'other'),
      ground.git('checkout', '-q', '--ours', 'a.txt'),
      ground.write('a.txt', 'one\n'),
      ground.remove('other.txt'),
      work()
    ),
  },
  { name: 'a stash that is left', act: () => (ground.git('stash', '-qu'), work()) },
  {
    name: 'a stash that is dropped',
    act: () => (ground.git('stash', '-qu'), ground.git('stash', 'drop', '-q'), work()),
  },
  { name: 'a stash that is popped', act: () => (ground.git('stash', '-qu'), ground.git('stash', 'pop', '-q'), work()) },
  { name: 'the branch deleted under it', act: () => (ground.git('update-ref', '-d', 'refs/heads/main'), work()) },
  {
    name: 'a bisect left half done',
    act: () => (
      ground.git('stash', '-qu'),
      ground.git('bisect', 'start', 'HEAD', 'HEAD~1'),
      ground.tryGit('bisect', 'bad'),
      work()
    ),
  },
  {
    name: 'a cherry-pick left half done',
    act: () => (
      ground.git('stash', '-qu'),
      ground.write('a.txt', 'x\n'),
      ground.git('commit', '-qam', 'x'),
      ground.tryGit('cherry-pick', 'other'),
      ground.write('a.txt', 'one\n'),
      ground.remove('other.txt'),
      work()
    ),
  },
  {
    name: 'the reflog gone and everything pruned',
    act: () => (
      ground.git('reset', '-q', '--hard', 'HEAD~1'),
      ground.git('branch', '-qD', 'other'),
      ground.git('reflog', 'expire', '--expire=now', '--all'),
      ground.git('gc', '-q', '--prune=now'),
      work()
    ),
  },
  { name: 'good commits of its own', act: commitWork },
  {
    name: 'a commit that swept in everything',
    act: () => (work(), ground.git('add', '-A'), ground.git('commit', '-qm', 'all')),
  },
  {
    name: 'a commit on the branch, then another branch',
    act: () => (commitWork(), ground.git('checkout', '-qf', 'other')),
  },
  {
    name: 'a commit dropped again',
    act: () => (
      ground.write('dropped.txt', 'x\n'),
      ground.git('add', 'dropped.txt'),
      ground.git('commit', '-qm', 'dropped', '--only', 'dropped.txt'),
      ground.git('reset', '-q', '--hard', 'HEAD~1'),
      work()
    ),
  },
  {
    name: 'the branch checked out in another worktree',
    act: () => (
      ground.git('checkout', '-q', '--detach'),
      ground.git('worktree', 'add', '-q', path.join(ground.outside, 'tree'), 'main'),
      work()
    ),
  },
];

function verifyUser(): void {
  expect(ground.git('status', '--porcelain')).toBe(STATUS);
  expect(ground.read('b.txt')).toBe('edited by the user\n');
  expect(ground.read('mine.txt')).toBe('mine\n');
  expect(ground.git('show', ':staged.txt')).toBe('staged');
  expect(ground.git('rev-parse', 'other')).toBe(other);
  expect(ground.git('symbolic-ref', 'HEAD')).toBe('refs/heads/main');
  for (const name of ['MERGE_HEAD', 'rebase-merge', 'CHERRY_PICK_HEAD', 'BISECT_LOG'])
    expect(ground.exists(`.git/${name}`)).toBe(false);
}

describe.each(acts)('$name', ({ act }) => {
  it('accepted: what the agent worked is committed on top, nothing of before is gone', async () => {
    act();
    const outcome = await room.compare();
    expect([...outcome.changed].sort()).toEqual(['work.txt']);
    await room.accept();
    verifyUser();
    expect(ground.names('HEAD')).toEqual(['a.txt', 'b.txt', 'done.txt', 'work.txt']);
    expect([ground.git('show', 'HEAD:a.txt'), ground.git('show', 'HEAD:b.txt')]).toEqual(['one', 'b']);
    expect(ground.tryGit('merge-base', '--is-ancestor', accepted, 'HEAD')).toBe(0);
    expect(ground.tryGit('fsck', '--connectivity-only')).toBe(0);
  });

  it('rejected: everything is as it was, what the agent left is under the ref', async () => {
    act();
    await room.compare();
    const ref = await room.reject();
    verifyUser();
    expect(ground.git('rev-parse', 'main')).toBe(accepted);
    expect(ground.exists('work.txt')).toBe(false);
    const objects = ground.git('rev-list', '--objects', '--no-object-names', ref ?? '', '--reflog', '--all');
    expect(objects).toContain(ground.git('rev-parse', `${ref}^1`));
    expect(ground.git('rev-list', '--all', '--objects', `--glob=${ref}`)).toContain('work.txt');
    expect(ground.tryGit('fsck', '--connectivity-only')).toBe(0);
  });
});

describe('the stash', () => {
  it('is in its order again, whatever was dropped or popped of it', async () => {
    await room.reject().catch(() => undefined);
    ground.git('reset', '-q');
    for (const text of ['first', 'second', 'third']) {
      ground.write('a.txt', `${text}\n`);
      ground.git('stash', 'push', '-qm', text, '--', 'a.txt');
    }
    const before = stashed();
    await room.begin(2);
    ground.git('stash', 'drop', '-q', 'stash@{1}');
    ground.git('stash', 'pop', '-q', 'stash@{1}');
    ground.git('stash', 'push', '-qm', 'of the agent');
    await room.compare();
    await room.reject();
    expect(stashed().split('\n').slice(1).join('\n')).toBe(before);
    expect(ground.git('stash', 'list')).toMatch(/of the agent\n.*third\n.*second\n.*first$/);
  });
});
