import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { switchBranch } from '../../../src/git/branch.ts';
import { bytePath } from '../../../src/git/byte-path.ts';
import { openRepository } from '../../../src/git/repository.ts';
import { breakGround } from './ground.ts';
import type { Ground } from './ground.ts';

/** How prd.json stands on the branch that is left, and on the one that is gone to. */
const here = ['tracked', 'edited', 'staged', 'staged and edited', 'untracked', 'ignored'] as const;
const there = ['absent', 'same', 'other'] as const;

let ground: Ground;
beforeEach(() => {
  ground = breakGround();
  ground.write('a.txt', 'one\n');
  ground.commit('start');
});
afterEach(() => ground.dispose());

async function goTo(name: string): Promise<void> {
  const repository = await openRepository(ground.root, ground.env);
  mkdirSync(path.join(repository.gitDir, 'ralph'), { recursive: true });
  const current = ground.git('symbolic-ref', '--short', 'HEAD');
  const state = ['tasks[1]/prd.json', 'tasks[1]/progress.txt', 'tasks[1]/archive'].map(bytePath);
  await switchBranch(repository, { name, base: undefined, current, state });
}

const prd = 'tasks[1]/prd.json';
const old = 'tasks[1]/archive/old/prd.json';

function prepare(left: (typeof here)[number], target: (typeof there)[number]): string {
  const isTracked = left !== 'untracked' && left !== 'ignored';
  ground.git('switch', '-qc', 'target');
  if (target !== 'absent') {
    ground.write(prd, target === 'same' ? 'base\n' : 'of the target\n');
    ground.write(old, 'of the target\n');
    ground.commit('target');
  }
  ground.git('switch', '-q', 'main');
  if (isTracked) {
    ground.write(prd, 'base\n');
    ground.commit('state');
  }
  if (left === 'tracked') return 'base\n';
  if (left === 'ignored') ground.write('.git/info/exclude', `prd.json\narchive/\n`);
  ground.write(prd, 'mine\n');
  ground.write(old, 'mine\n');
  if (left.startsWith('staged')) ground.git('add', '--', prd);
  if (left === 'staged and edited') ground.write(prd, 'edited after that\n');
  return ground.read(prd);
}

describe.each(here)('prd.json %s here', (left) => {
  it.each(there)('and %s there', async (target) => {
    const before = prepare(left, target);
    await goTo('target');
    expect(ground.git('symbolic-ref', '--short', 'HEAD')).toBe('target');
    if (left !== 'tracked') {
      expect([ground.read(prd), ground.read(old)]).toEqual([before, 'mine\n']);
      if (left.startsWith('staged')) expect(ground.git('show', `:${prd}`)).toBe('mine');
    } else if (target === 'absent') expect(ground.exists(prd)).toBe(false);
    else expect(ground.read(prd)).toBe(ground.git('show', `target:${prd}`).concat('\n'));
    expect(ground.git('diff', '--cached', '--name-only', '--', 'a.txt')).toBe('');
  });
});
