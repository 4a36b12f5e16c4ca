import { chmodSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { pushBranch } from '../../../src/git/push.ts';
import { openRepository } from '../../../src/git/repository.ts';
import { breakGround } from './ground.ts';
import type { Ground } from './ground.ts';

let ground: Ground;
let bare: string;
beforeEach(() => {
  ground = breakGround();
  ground.commit('start');
  ground.git('switch', '-qc', 'ralph/x');
  ground.commit('story');
  bare = path.join(ground.outside, 'bare.git');
  ground.git('init', '-q', '--bare', bare);
});
afterEach(() => ground.dispose());

const push = async (signal = new AbortController().signal): Promise<string | undefined> =>
  pushBranch(await openRepository(ground.root, ground.env), 'ralph/x', signal);
const remoteRefs = (folder = bare): string[] =>
  ground.git('-C', folder, 'for-each-ref', '--format=%(refname)').split('\n').filter(Boolean);

describe('pushBranch', () => {
  it('pushes that branch alone, to origin', async () => {
    ground.git('remote', 'add', 'origin', bare);
    expect(await push()).toBeUndefined();
    expect(remoteRefs()).toEqual(['refs/heads/ralph/x']);
  });

  it('warns where there is no remote', async () => {
    expect(await push()).toMatch(/could not be pushed to origin: .*by hand: git push origin ralph\/x/);
  });

  it('warns where the remote refuses, and works when it does not any more', async () => {
    ground.git('remote', 'add', 'origin', bare);
    const hook = path.join(bare, 'hooks/pre-receive');
    writeFileSync(hook, '#!/bin/sh\necho protected >&2\nexit 1\n');
    chmodSync(hook, 0o755);
    expect(await push()).toMatch(/protected|rejected/);
    chmodSync(hook, 0o644);
    expect(await push()).toBeUndefined();
  });

  it('ends with the run, where the remote does not answer', async () => {
    ground.git('remote', 'add', 'origin', bare);
    const hook = path.join(bare, 'hooks/pre-receive');
    writeFileSync(hook, `#!/bin/sh\ntouch '${ground.outside}/here'\nsleep 300\n`);
    chmodSync(hook, 0o755);
    const controller = new AbortController();
    const look = setInterval(() => ground.exists('../here') && controller.abort(), 20);
    expect(await push(controller.signal)).toMatch(/could not be pushed/);
    clearInterval(look);
  });

  it('never forces, whatever the configuration says', async () => {
    ground.git('remote', 'add', 'origin', bare);
    await push();
    const other = ground.git('commit-tree', '-m', 'other', 'HEAD^{tree}');
    ground.git('push', '-q', bare, `+${other}:refs/heads/ralph/x`);
    ground.git('config', 'remote.origin.push', '+refs/heads/*:refs/heads/*');
    const tip = ground.git('-C', bare, 'rev-parse', 'ralph/x');
    expect(await push()).toMatch(/could not be pushed/);
    expect(ground.git('-C', bare, 'rev-parse', 'ralph/x')).toBe(tip);
  });

  it('follows the remote of the branch, its own push remote, and the default one', async () => {
    const second = path.join(ground.outside, 'second.git');
    ground.git('init', '-q', '--bare', second);
    ground.git('remote', 'add', 'origin', bare);
    ground.git('remote', 'add', 'fork', second);
    ground.git('config', 'branch.ralph/x.remote', 'origin');
    ground.git('config', 'remote.pushDefault', 'fork');
    await push();
    expect([remoteRefs(), remoteRefs(second)]).toEqual([[], ['refs/heads/ralph/x']]);
    ground.git('config', 'branch.ralph/x.pushRemote', 'origin');
    await push();
    expect(remoteRefs()).toEqual(['refs/heads/ralph/x']);
  });

  it('pushes to a branch of another name only where the user wants that', async () => {
    ground.git('remote', 'add', 'origin', bare);
    ground.git('config', 'branch.ralph/x.remote', 'origin');
    ground.git('config', 'branch.ralph/x.merge', 'refs/heads/shared');
    await push();
    expect(remoteRefs()).toEqual(['refs/heads/ralph/x']);
    ground.git('config', 'push.default', 'upstream');
    await push();
    expect(remoteRefs()).toEqual(['refs/heads/ralph/x', 'refs/heads/shared']);
  });

  it('takes a branch that follows a local one to origin', async () => {
    ground.git('remote', 'add', 'origin', bare);
    ground.git('config', 'branch.ralph/x.remote', '.');
    ground.git('config', 'branch.ralph/x.merge', 'refs/heads/main');
    expect(await push()).toBeUndefined();
    expect(remoteRefs()).toEqual(['refs/heads/ralph/x']);
  });
});
