import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { stop } from '../../../src/commands/stop.ts';
import { systemClock } from '../../../src/clock.ts';
import { acquireLock } from '../../../src/run-folder/lock.ts';
import type { Lock } from '../../../src/run-folder/lock.ts';
import { createRunFolder } from '../../../src/run-folder/run-folder.ts';
import type { OpenRunFolder } from '../../../src/run-folder/run-folder.ts';
import { createWorld, plain } from './world.ts';
import type { World } from './world.ts';

let w: World;
let lock: Lock | undefined;
let folder: OpenRunFolder | undefined;
beforeEach(() => {
  w = createWorld();
});
afterEach(() => {
  folder?.close();
  lock?.release();
  [lock, folder] = [undefined, undefined];
  w.dispose();
});

const startLoop = async (): Promise<OpenRunFolder> => {
  lock = await acquireLock({ gitDir: path.join(w.root, '.git') });
  folder = createRunFolder({ root: w.root, clock: systemClock });
  folder.emit({ type: 'iteration.started', title: 'One' }, { iteration: 3, story: 'US-003' });
  return folder;
};
const ask = async (now = false): Promise<number> => stop({ ...plain, now }, w.io);

describe('ralph stop', () => {
  it('asks the running loop to end after its iteration', async () => {
    const run = await startLoop();
    expect(run.stopRequest()).toBe('none');
    expect(await ask()).toBe(0);
    expect(run.stopRequest()).toBe('after-iteration');
    expect(w.out()).toBe(`Run ${run.run} ends after this iteration (iteration 3, US-003). At once: ralph stop --now\n`);
  });

  it('--now asks it to end at once, also after a first request, which a later one does not weaken', async () => {
    const run = await startLoop();
    await ask();
    await ask(true);
    expect(run.stopRequest()).toBe('now');
    await ask();
    expect(run.stopRequest()).toBe('now');
    expect(w.out()).toMatch(/settled as interrupted/);
  });

  it('without a loop says so, and leaves nothing that a later one could take for its own', async () => {
    expect(await ask()).toBe(0);
    expect(w.out()).toMatch(/^No loop runs in .*: nothing to stop\.\n$/);
    expect(w.exists('.ralph')).toBe(false);
    expect((await startLoop()).stopRequest()).toBe('none');
  });

  it('a run that has ended, or was cut off, is not asked', async () => {
    const run = await startLoop();
    lock?.release();
    expect(await ask(true)).toBe(0);
    expect(run.stopRequest()).toBe('none');
    expect(w.out()).toMatch(/nothing to stop/);
  });

  it('finds the one that runs among those behind and in front of it', async () => {
    const run = await startLoop();
    createRunFolder({ root: w.root, clock: { now: () => Date.now() - 60_000 } }).close();
    w.write('.ralph/runs/99991231-000000-000-zzzz/run.json', '{"pid":1,"startedAt":"2000-01-01"}');
    await ask();
    expect(run.stopRequest()).toBe('after-iteration');
  });

  it('waits for a loop that has the lock and makes its folder', async () => {
    lock = await acquireLock({ gitDir: path.join(w.root, '.git') });
    const asked = ask();
    folder = createRunFolder({ root: w.root, clock: systemClock });
    expect(await asked).toBe(0);
    expect(folder.stopRequest()).toBe('after-iteration');
  });

  it('reaches a run from a subfolder', async () => {
    const run = await startLoop();
    w.write('sub/x', '');
    expect(await stop({ ...plain, now: false }, w.from('sub'))).toBe(0);
    expect(readFileSync(path.join(run.path, 'stop'), 'utf8')).toBe('after-iteration\n');
    rmSync(path.join(run.path, 'stop'));
  });
});
