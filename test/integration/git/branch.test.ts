import { chmodSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { defaultBranchOf, switchBranch } from '../../../src/git/branch.ts';
import { bytePath } from '../../../src/git/byte-path.ts';
import { openRepository } from '../../../src/git/repository.ts';
import { breakGround } from './ground.ts';
import type { Ground } from './ground.ts';

let ground: Ground;
beforeEach(() => {
  ground = breakGround();
  ground.write('a.txt', 'one\n');
  ground.commit('start');
});
afterEach(() => ground.dispose());

async function goTo(name: string, base?: string): Promise<string | undefined> {
  const repository = await openRepository(ground.root, ground.env);
  mkdirSync(path.join(repository.gitDir, 'ralph'), { recursive: true });
  const current = ground.git('symbolic-ref', '--short', 'HEAD');
  const state = ['prd.json', 'progress.txt', 'archive'].map(bytePath);
  return switchBranch(repository, { name, base, current, state });
}

const current = (): string => ground.git('symbolic-ref', '--short', 'HEAD');

describe('the PRD’s branch', () => {
  it('is created from the current HEAD, and says how far that is ahead', async () => {
    ground.git('switch', '-qc', 'side');
    ground.commit('more');
    expect(await goTo('ralph/x')).toBe('Created the branch ralph/x from side (1 commit ahead of main)');
    expect([current(), ground.git('log', '-1', '--format=%s')]).toEqual(['ralph/x', 'more']);
  });

  it('is created from baseBranch, also a remote one', async () => {
    ground.git('switch', '-qc', 'side');
    ground.commit('more');
    ground.git('update-ref', 'refs/remotes/origin/dev', 'main');
    expect(await goTo('ralph/x', 'main')).toBe('Created the branch ralph/x from main (0 commits ahead of main)');
    expect(ground.git('log', '-1', '--format=%s')).toBe('start');
    ground.git('switch', '-q', 'side');
    await goTo('ralph/y', 'origin/dev');
    expect(ground.git('rev-parse', 'HEAD')).toBe(ground.git('rev-parse', 'main'));
    expect(ground.tryGit('config', 'branch.ralph/y.remote')).toBe(1);
  });

  it('has a baseBranch that must exist', async () => {
    await expect(goTo('ralph/x', 'nowhere')).rejects.toMatchObject({
      reason: 'usage',
      message: expect.stringContaining('there is no branch nowhere'),
    });
    expect(current()).toBe('main');
  });

  it('is checked out with the user’s work, which is not in the way', async () => {
    ground.git('branch', 'ralph/x');
    ground.write('a.txt', 'edited\n');
    ground.write('mine.txt', 'mine\n');
    ground.git('add', 'mine.txt');
    expect(await goTo('ralph/x')).toBe('Switched to the branch ralph/x');
    expect(ground.git('status', '--porcelain')).toBe('M a.txt\nA  mine.txt');
  });

  it.each(['ralph', 'ralph/x/y'])('can’t stand beside %s', async (name) => {
    ground.git('branch', name);
    await expect(goTo('ralph/x')).rejects.toMatchObject({ reason: 'usage', message: expect.stringContaining(name) });
    expect(current()).toBe('main');
  });

  it('may be checked out elsewhere: then that place is named', async () => {
    const tree = path.join(ground.outside, 'tree');
    ground.git('worktree', 'add', '-q', '-b', 'ralph/x', tree);
    await expect(goTo('ralph/x')).rejects.toMatchObject({ reason: 'usage', message: expect.stringContaining(tree) });
  });

  it('is checked out although a tag and a file have its name', async () => {
    ground.git('branch', 'twice');
    ground.git('tag', 'twice');
    ground.write('twice', 'x\n');
    await goTo('twice');
    expect(ground.git('symbolic-ref', 'HEAD')).toBe('refs/heads/twice');
  });

  it('is checked out although its post-checkout hook fails', async () => {
    ground.write('.git/hooks/post-checkout', '#!/bin/sh\necho broken hook >&2\nexit 3\n');
    chmodSync(path.join(ground.root, '.git/hooks/post-checkout'), 0o755);
    ground.write('a.txt', 'edited\n');
    expect(await goTo('ralph/x')).toMatch(/its post-checkout hook failed: broken hook/);
    expect([current(), ground.git('status', '--porcelain')]).toEqual(['ralph/x', 'M a.txt']);
  });
});

describe('changes of the user in the way', () => {
  beforeEach(() => {
    ground.git('switch', '-qc', 'ralph/x');
    ground.write('a.txt', 'of the branch\n');
    ground.write('new.txt', 'of the branch\n');
    ground.write('hidden.log', 'of the branch\n');
    ground.commit('more');
    ground.git('switch', '-q', 'main');
  });

  const obstacles: readonly { name: string; file: string; make: () => unknown }[] = [
    { name: 'edited', file: 'a.txt', make: () => ground.write('a.txt', 'edited\n') },
    { name: 'staged', file: 'a.txt', make: () => (ground.write('a.txt', 'edited\n'), ground.git('add', 'a.txt')) },
    { name: 'untracked', file: 'new.txt', make: () => ground.write('new.txt', 'mine\n') },
    {
      name: 'ignored',
      file: 'hidden.log',
      make: () => (ground.write('.git/info/exclude', '*.log\n'), ground.write('hidden.log', 'mine\n')),
    },
  ];

  it.each(obstacles)('($name) are listed, and nothing has happened', async ({ file, make }) => {
    make();
    ground.write('prd.json', '{}\n');
    ground.git('status');
    const [index, bytes] = [ground.bytes('.git/index'), ground.bytes(file)];
    await expect(goTo('ralph/x')).rejects.toMatchObject({ reason: 'usage', problems: [file] });
    expect(current()).toBe('main');
    expect(ground.bytes('.git/index').equals(index)).toBe(true);
    expect(ground.bytes(file).equals(bytes)).toBe(true);
  });

  it('(conflicts) are named', async () => {
    ground.write('a.txt', 'x\n');
    ground.git('stash', '-q');
    ground.write('a.txt', 'y\n');
    ground.commit('y');
    ground.tryGit('stash', 'pop', '-q');
    await expect(goTo('ralph/x')).rejects.toMatchObject({
      reason: 'usage',
      message: expect.stringContaining('conflicts'),
    });
    expect(ground.git('status', '--porcelain')).toBe('UU a.txt');
  });
});

it('the default branch is that of the remote, else the configured, else main or master: the first that is here', async () => {
  const found = async (): Promise<string | undefined> => defaultBranchOf(await openRepository(ground.root, ground.env));
  ground.git('branch', '-m', 'main', 'master');
  expect(await found()).toBe('master');
  ground.git('branch', 'main');
  expect(await found()).toBe('main');
  ground.sh('git branch trunk; git config init.defaultBranch trunk');
  expect(await found()).toBe('trunk');
  // Of a branch that was renamed there, and of which there is nothing here.
  ground.git('symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/dev');
  expect(await found()).toBe('trunk');
  ground.git('branch', 'dev');
  expect(await found()).toBe('dev');
  ground.sh('git switch -q -c side; git branch -D main master trunk dev; git branch main/sub');
  expect(await found()).toBeUndefined();
});
