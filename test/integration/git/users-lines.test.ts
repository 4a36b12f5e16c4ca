import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { breakGround, lines } from './ground.ts';
import { openRoom } from './room.ts';
import type { Ground } from './ground.ts';

let ground: Ground;
beforeEach(() => {
  ground = breakGround();
  ground.write('f.txt', lines());
  ground.write('g.txt', 'g\n');
  ground.commit('start');
});
afterEach(() => ground.dispose());

describe('a file that both changed', () => {
  it('is committed with the agent’s lines, the tree has both', async () => {
    ground.write('f.txt', lines([2, 'USER']));
    const room = await openRoom(ground);
    await room.begin();
    room.write('f.txt', lines([2, 'USER'], [15, 'AGENT']));
    expect((await room.compare()).ref).toBeUndefined();
    await room.accept();
    expect(`${room.git('show', 'HEAD:f.txt')}\n`).toBe(lines([15, 'AGENT']));
    expect(room.read('f.txt')).toBe(lines([2, 'USER'], [15, 'AGENT']));
    expect(room.git('diff', '--numstat')).toBe('1\t1\tf.txt');
  });

  it('keeps the user’s lines when the agent began with an older version of it', async () => {
    ground.write('f.txt', lines([2, 'USER']));
    const room = await openRoom(ground);
    await room.begin();
    room.git('checkout', '--', 'f.txt');
    room.write('f.txt', lines([15, 'AGENT']));
    await room.compare();
    await room.accept();
    expect(`${room.git('show', 'HEAD:f.txt')}\n`).toBe(lines([15, 'AGENT']));
    expect(room.read('f.txt')).toBe(lines([2, 'USER'], [15, 'AGENT']));
  });

  it.each([
    ['threw the edit away', 'git checkout -q -f .; echo work > work.txt', lines([2, 'USER'])],
    [
      'threw it away and wrote on',
      "git checkout -q -f .; sed -i 's/line 15/AGENT/' f.txt",
      lines([2, 'USER'], [15, 'AGENT']),
    ],
  ])('keeps them when an agent that amended the very first commit %s', async (_, script, expected) => {
    ground.write('f.txt', lines([2, 'USER']));
    const room = await openRoom(ground);
    await room.begin();
    ground.sh(`git commit -q --amend -m amended; ${script}; git commit -q --amend -m again`);
    await room.compare();
    await room.accept();
    expect(room.read('f.txt')).toBe(expected);
    expect(room.git('show', 'HEAD:f.txt')).not.toContain('USER');
  });

  it('is committed whole and named where the lines are the same, and the user’s version is kept', async () => {
    ground.write('f.txt', lines([2, 'USER']));
    const room = await openRoom(ground);
    await room.begin();
    room.write('f.txt', lines([2, 'AGENT']));
    const { ref } = await room.compare();
    const result = await room.accept();
    expect(result).toMatchObject({
      kind: 'committed',
      remarks: [expect.stringContaining('f.txt was committed whole')],
    });
    expect(room.read('f.txt')).toBe(lines([2, 'AGENT']));
    expect(`${room.git('show', `${ref}^1:f.txt`)}\n`).toBe(lines([2, 'USER']));
  });

  it('comes back when the agent deletes it', async () => {
    ground.write('f.txt', lines([2, 'USER']));
    ground.write('new.txt', 'new\n');
    const room = await openRoom(ground);
    await room.begin();
    room.remove('f.txt');
    room.remove('new.txt');
    room.write('h.txt', 'h\n');
    expect((await room.compare()).changed).toEqual(['h.txt']);
    await room.accept();
    expect([room.read('f.txt'), room.read('new.txt')]).toEqual([lines([2, 'USER']), 'new\n']);
  });

  it('keeps what the user had in an untracked file that the agent wrote over', async () => {
    ground.write('notes.txt', 'thoughts of the user\n');
    const room = await openRoom(ground);
    await room.begin();
    room.write('notes.txt', 'by the agent\n');
    const { ref } = await room.compare();
    await room.accept();
    expect(room.git('show', `${ref}^1:notes.txt`)).toBe('thoughts of the user');
  });

  it('is not swept in by the agent’s own commits, over several of them', async () => {
    ground.write('f.txt', lines([2, 'USER']));
    ground.write('new.txt', 'new\n');
    ground.write('staged.txt', 'staged\n');
    ground.git('add', 'staged.txt');
    const room = await openRoom(ground);
    await room.begin();
    room.write('f.txt', lines([2, 'USER'], [15, 'AGENT']));
    room.git('add', '-A');
    room.git('commit', '-qm', 'first');
    room.write('h.txt', 'h\n');
    room.git('add', '-A');
    room.git('commit', '-qm', 'second');
    const original = room.git('rev-parse', 'HEAD');
    const { ref, commits } = await room.compare();
    expect(commits.length).toBe(2);
    await room.accept();
    for (const commit of commits) {
      expect(room.names(commit)).not.toContain('new.txt');
      expect(room.names(commit)).not.toContain('staged.txt');
      expect(`${room.git('show', `${commit}:f.txt`)}\n`).toBe(lines([15, 'AGENT']));
    }
    expect(room.git('log', '--format=%s', 'HEAD~2..')).toBe('second\nfirst');
    expect(room.tryGit('merge-base', '--is-ancestor', original, ref ?? '')).toBe(0);
    expect(room.git('status', '--porcelain')).toBe('M f.txt\nA  staged.txt\n?? new.txt');
  });
});

describe('a commit on top of one that is made again', () => {
  it('is made again with its own tree, message and author', async () => {
    ground.write('new.txt', 'new\n');
    const room = await openRoom(ground);
    await room.begin();
    room.sh(`
      git add -A; git commit -q -m all
      git rm -q --cached new.txt; echo h > h.txt; git add h.txt
      git commit -q -m 'second\n\nwith a body' --author 'Somebody Else <else@localhost>'`);
    await room.compare();
    await room.accept();
    expect(room.names('HEAD')).toEqual(['f.txt', 'g.txt', 'h.txt']);
    expect(room.names('HEAD~1')).toEqual(['f.txt', 'g.txt']);
    expect(room.git('log', '-1', '--format=%an')).toBe('Somebody Else');
    expect(room.git('status', '--porcelain')).toBe('?? new.txt');
  });
});

describe('the index', () => {
  it('holds what the user staged, byte for byte, when nothing of it was committed', async () => {
    ground.write('g.txt', 'staged\n');
    ground.git('add', 'g.txt');
    ground.write('g.txt', 'edited\n');
    ground.write('later.txt', 'later\n');
    ground.git('add', '--intent-to-add', 'later.txt');
    const index = ground.bytes('.git/index');
    const room = await openRoom(ground);
    await room.begin();
    room.git('add', '-A');
    room.write('h.txt', 'h\n');
    room.git('add', 'h.txt');
    await room.compare();
    await room.reject();
    expect(ground.bytes('.git/index').equals(index)).toBe(true);
  });

  it('follows HEAD for what was committed, and the rest stays staged', async () => {
    ground.write('g.txt', 'staged\n');
    ground.write('f.txt', lines([2, 'STAGED']));
    ground.git('add', 'g.txt', 'f.txt');
    const room = await openRoom(ground);
    await room.begin();
    room.write('f.txt', lines([2, 'STAGED'], [15, 'AGENT']));
    room.write('h.txt', 'h\n');
    room.git('add', '-A');
    await room.compare();
    await room.accept();
    expect(room.git('diff', '--cached', '--numstat')).toBe('1\t1\tf.txt\n1\t1\tg.txt');
    expect(`${room.git('show', ':f.txt')}\n`).toBe(lines([2, 'STAGED'], [15, 'AGENT']));
    expect(room.git('diff')).toBe('');
    expect(`${room.git('show', 'HEAD:f.txt')}\n`).toBe(lines([15, 'AGENT']));
  });

  it.each(['before', 'after'])('is not made of a copy into which an agent has written %s its work', async (when) => {
    const room = await openRoom(ground);
    await room.begin();
    const smuggle = `cp .git/ralph/index-before .git/smuggled; echo junk > junk.txt
      GIT_INDEX_FILE=.git/smuggled git update-index --add junk.txt; rm junk.txt
      touch -r .git/ralph/index-before .git/smuggled; cat .git/smuggled > .git/ralph/index-before
      touch -r .git/smuggled .git/ralph/index-before`;
    if (when === 'before') room.sh(smuggle);
    room.write('h.txt', 'h\n');
    if (when === 'after') room.sh(smuggle);
    await room.compare();
    await room.accept();
    expect(room.names('HEAD')).toEqual(['f.txt', 'g.txt', 'h.txt']);
  });

  it('has the stat cache of before where nothing was staged, and follows the commit', async () => {
    const room = await openRoom(ground);
    await room.begin();
    room.write('h.txt', 'h\n');
    await room.compare();
    await room.accept();
    expect(room.git('status', '--porcelain')).toBe('');
    expect(room.git('ls-files', '--debug', 'g.txt')).not.toContain('mtime: 0:0');
  });

  it.each(['deleted', 'damaged'])('comes back when an agent has left it %s', async (how) => {
    ground.write('g.txt', 'staged\n');
    ground.git('add', 'g.txt');
    const room = await openRoom(ground);
    await room.begin();
    if (how === 'deleted') room.remove('.git/index');
    else room.write('.git/index', 'nonsense');
    room.write('h.txt', 'h\n');
    await room.compare();
    await room.accept();
    expect(room.git('status', '--porcelain')).toBe('M  g.txt');
  });

  it('holds blobs that only the user’s index knew, also after a reset and a prune', async () => {
    ground.write('g.txt', 'only ever staged\n');
    ground.git('add', 'g.txt');
    ground.write('g.txt', 'g\n');
    const room = await openRoom(ground);
    await room.begin();
    room.git('reset', '-q');
    room.git('reflog', 'expire', '--expire=now', '--all');
    room.git('gc', '-q', '--prune=now');
    await room.compare();
    await room.reject();
    expect(room.git('show', ':g.txt')).toBe('only ever staged');
  });

  it('may hold conflicts of a stash', async () => {
    ground.write('g.txt', 'mine\n');
    ground.git('stash', '-q');
    ground.write('g.txt', 'other\n');
    ground.commit('other');
    ground.tryGit('stash', 'pop', '-q');
    const status = ground.git('status', '--porcelain');
    expect(status).toBe('UU g.txt');
    const room = await openRoom(ground);
    await room.begin();
    room.write('h.txt', 'h\n');
    room.git('add', '-A');
    await room.compare();
    await room.accept();
    expect(room.git('status', '--porcelain')).toBe(status);
    expect(room.names('HEAD')).toEqual(['f.txt', 'g.txt', 'h.txt']);
  });
});
