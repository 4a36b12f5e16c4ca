import { afterEach, beforeEach, expect, it } from 'vitest';
import { readStatus } from '../../../src/git/read-status.ts';
import { openRepository } from '../../../src/git/repository.ts';
import { breakGround } from './ground.ts';
import type { Ground } from './ground.ts';

let ground: Ground;
beforeEach(() => {
  ground = breakGround();
  ground.write('.gitignore', '*.log\nbuild/\n');
  ground.commit('start');
});
afterEach(() => ground.dispose());

it('names ignored files, folders that a rule names, and of a run its folder alone', async () => {
  ground.write('deep/in.log', 'ignored\n');
  ground.write('deep/build/a/b.bin', 'ignored\n');
  ground.write('.ralph/active/.gitignore', '*\n');
  for (const run of ['one', 'two']) {
    ground.write(`.ralph/runs/${run}/.gitignore`, '*\n');
    for (const iteration of ['001', '002', '003']) ground.write(`.ralph/runs/${run}/${iteration}/output.log`, 'said\n');
  }
  const { ignored } = await readStatus(await openRepository(ground.root, ground.env));
  expect(ignored.toSorted()).toEqual([
    '.ralph/active/.gitignore',
    '.ralph/runs/one/',
    '.ralph/runs/two/',
    'deep/build/',
    'deep/in.log',
  ]);
});
