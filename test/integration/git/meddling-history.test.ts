import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { breakGround } from './ground.ts';
import { openRoom } from './room.ts';
import type { Ground } from './ground.ts';
import type { Room } from './room.ts';

let ground: Ground;
let room: Room;
/** Tips: of an accepted story on the branch, and of another branch that differs in a.txt. */
let accepted: string;
let other: string;

beforeEach(async () => {
  ground = breakGround();
  ground.sh(`
    echo one > a.txt; echo b > b.txt; git add -A; git commit -q -m start
    git switch -qc other; echo of the other branch > a.txt; echo other > other.txt; git add -A; git commit -q -m other
    git switch -q main; echo accepted before > done.txt; git add -A; git commit -q -m accepted
    echo edited by the user > b.txt; echo mine > mine.txt; echo staged > staged.txt; git add staged.txt`);
  [accepted = '', other = ''] = ground.git('rev-parse', 'main', 'other').split('\n');
  room = await openRoom(ground);
  await room.begin();
});
afterEach(() => ground.dispose());

const STATUS = 'M b.txt\nA  staged.txt\n?? mine.txt';
const WORK = 'echo work > work.txt';
const COMMIT_X = 'echo x > a.txt; git commit -q -m x --only a.txt';

/** What an agent may do to history and tree around its work. `a` is what a.txt holds in the end, where not what it was. */
const acts: readonly { name: string; script: string; a?: string }[] = [
  { name: 'reset --soft past the accepted commit', script: `${WORK}; git reset -q --soft HEAD~1` },
  { name: 'reset --mixed past it', script: `${WORK}; git reset -q HEAD~1` },
  { name: 'reset --hard past it', script: `git reset -q --hard HEAD~1; ${WORK}` },
  { name: 'reset --hard', script: `git reset -q --hard; ${WORK}` },
  { name: 'clean -xfd', script: `git clean -xfdq; ${WORK}` },
  { name: 'checkout of all files', script: `git checkout -q HEAD -- .; ${WORK}` },
  {
    name: 'checkout of a file of another branch and back',
    script: `git checkout -q other -- a.txt; git checkout -q HEAD -- a.txt; ${WORK}`,
  },
  { name: 'another branch', script: `git stash -qu; git switch -q other; ${WORK}` },
  { name: 'a forced checkout of another branch', script: `git checkout -qf other; ${WORK}` },
  { name: 'a new branch', script: `git switch -qc fresh; ${WORK}` },
  { name: 'a detached HEAD', script: `git checkout -qf --detach HEAD~1; ${WORK}` },
  { name: 'an orphan branch', script: `git checkout -q --orphan void; ${WORK}` },
  { name: 'an empty orphan branch', script: `git switch -qf --discard-changes --orphan void; ${WORK}` },
  { name: 'a commit that is amended', script: `git commit -q --amend -m amended --only; ${WORK}` },
  { name: 'a rebase onto another branch', script: `git stash -qu; git rebase -q other; ${WORK}` },
  {
    name: 'a rebase left half done after a commit',
    script: `git stash -qu; ${COMMIT_X}; git rebase -q other || echo of the other branch > a.txt; ${WORK}`,
    a: 'x',
  },
  {
    name: 'a rebase with autostash left half done after a commit',
    script: `${COMMIT_X}; ${WORK}; git add work.txt; git rebase -q --autostash other || echo of the other branch > a.txt; ${WORK}`,
    a: 'x',
  },
  {
    name: 'a merge left half done',
    script: `git stash -qu; ${COMMIT_X}; git merge -q other || git checkout -q --ours a.txt; rm other.txt; ${WORK}`,
    a: 'x',
  },
  {
    name: 'a cherry-pick left half done',
    script: `git stash -qu; ${COMMIT_X}; git cherry-pick other || git checkout -q --ours a.txt; rm other.txt; ${WORK}`,
    a: 'x',
  },
  {
    name: 'a bisect left half done',
    script: `git stash -qu; git bisect start HEAD HEAD~1; git bisect bad HEAD || true; ${WORK}`,
  },
  { name: 'a stash that is left', script: `git stash -qu; ${WORK}` },
  { name: 'a stash that is dropped', script: `git stash -qu; git stash drop -q; ${WORK}` },
  { name: 'a stash that is popped', script: `git stash -qu; git stash pop -q; ${WORK}` },
  { name: 'the branch deleted under it', script: `git update-ref -d refs/heads/main; ${WORK}` },
  {
    name: 'the reflog gone and everything pruned',
    script: `git reset -q --hard HEAD~1; git branch -qD other; git reflog expire --expire=now --all; git gc -q --prune=now; ${WORK}`,
  },
  { name: 'good commits of its own', script: `${WORK}; git add work.txt; git commit -q -m work --only work.txt` },
  { name: 'a commit that swept in everything', script: `${WORK}; git add -A; git commit -q -m all` },
  {
    name: 'a commit on the branch, then another branch',
    script: `${WORK}; git add work.txt; git commit -q -m work --only work.txt; git checkout -qf other`,
  },
  {
    name: 'a commit dropped again',
    script: `echo x > d; git add d; git commit -q -m dropped --only d; git reset -q --hard HEAD~1; ${WORK}`,
  },
  {
    name: 'the branch checked out in another worktree',
    script: `git checkout -q --detach; git worktree add -q ../tree main; ${WORK}`,
  },
];

const stashed = (): string => ground.git('stash', 'list', '--format=%H');

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

describe.each(acts)('$name', ({ script, a = 'one' }) => {
  it('accepted: what the agent worked is committed on top, nothing of before is gone', async () => {
    room.sh(script);
    const outcome = await room.compare();
    expect([...outcome.changed].sort()).toEqual(a === 'one' ? ['work.txt'] : ['a.txt', 'work.txt']);
    await room.accept();
    verifyUser();
    expect(ground.names('HEAD')).toEqual(['a.txt', 'b.txt', 'done.txt', 'work.txt']);
    expect([ground.git('show', 'HEAD:a.txt'), ground.git('show', 'HEAD:b.txt')]).toEqual([a, 'b']);
    expect(ground.tryGit('merge-base', '--is-ancestor', accepted, 'HEAD')).toBe(0);
    expect(ground.tryGit('fsck', '--connectivity-only')).toBe(0);
  });

  it('rejected: everything is as it was, what the agent left is under the ref', async () => {
    room.sh(script);
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
