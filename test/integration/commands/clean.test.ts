import { chmodSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { clean } from '../../../src/commands/clean.ts';
import { acquireLock } from '../../../src/run-folder/lock.ts';
import { createRunFolder } from '../../../src/run-folder/run-folder.ts';
import { createRunId } from '../../../src/run-folder/run-id.ts';
import { writeTurn } from '../../../src/run-folder/turn-file.ts';
import { createWorld, plain } from './world.ts';
import type { World } from './world.ts';

const day = 86_400_000;
let w: World;
beforeEach(() => {
  w = createWorld();
  w.git('commit', '--quiet', '--allow-empty', '-m', 'start');
});
afterEach(() => w.dispose());

/** A run that ended so many days ago, with so many rescue refs. */
function addRun(days: number, refs = 1): string {
  const at = Date.now() - days * day;
  const id = createRunId(at, () => 'aaaa');
  w.write(
    `.ralph/runs/${id}/run.json`,
    JSON.stringify(
      { v: 1, id, pid: 1, status: 'finished', startedAt: '', finishedAt: new Date(at).toISOString() },
      null,
      2,
    ),
  );
  w.write(`.ralph/runs/${id}/001/output.log`, 'x');
  addRefs(id, refs);
  return id;
}

function addRefs(id: string, count: number): void {
  for (let number = 1; number <= count; number += 1) w.git('update-ref', `refs/ralph/${id}/00${number}`, 'HEAD');
}

const runs = (): string[] => readdirSync(path.join(w.root, '.ralph/runs')).sort();
const refs = (): string[] => w.git('for-each-ref', '--format=%(refname)', 'refs/ralph').split('\n').filter(Boolean);
const call = async (older?: string, dryRun = false): Promise<number> => clean({ ...plain, older, dryRun }, w.io);

describe('ralph clean', () => {
  it('removes what ended more than 30 days ago, with its rescue refs, and names it', async () => {
    const [old, young] = [addRun(31, 2), addRun(29)];
    expect(await call()).toBe(0);
    expect(runs()).toEqual([young]);
    expect(refs()).toEqual([`refs/ralph/${young}/001`]);
    expect(w.out()).toBe(
      `removed .ralph/runs/${old}\nremoved refs/ralph/${old}/001\nremoved refs/ralph/${old}/002\nRemoved 1 run and 2 rescue refs.\n`,
    );
  });

  it('--dry-run names the same and removes nothing', async () => {
    const old = addRun(31);
    await call(undefined, true);
    expect(runs()).toEqual([old]);
    expect(refs()).toHaveLength(1);
    expect(w.out()).toBe(
      `would remove .ralph/runs/${old}\nwould remove refs/ralph/${old}/001\nWould remove 1 run and 1 rescue ref.\n`,
    );
  });

  it.each([
    ['0', 0],
    ['12h', 1],
    ['2d', 2],
    ['1.5d', 1],
  ])('--older %s leaves %i', async (older, left) => {
    addRun(1.7);
    addRun(0.1);
    await call(older);
    expect(runs()).toHaveLength(left);
  });

  it.each(['-1', 'x', '30', '', '1w'])('--older %j is a usage error, and its cure works', async (older) => {
    addRun(31);
    await expect(call(older)).rejects.toMatchObject({
      reason: 'usage',
      problems: [expect.stringMatching(/^--older: /)],
    });
    expect(runs()).toHaveLength(1);
  });

  it('never touches the running run, nor one that is to be put in order', async () => {
    const lock = await acquireLock({ gitDir: path.join(w.root, '.git') });
    const running = createRunFolder({ root: w.root, clock: { now: Date.now } });
    addRefs(running.run, 1);
    const cut = addRun(40);
    const turn = { v: 1, run: cut, phase: 'working', repairs: true, prd: null, progress: null, snapshot: {} } as const;
    writeTurn(path.join(w.root, '.git'), turn, { prd: undefined, progress: undefined });
    addRun(50);
    await call('0');
    expect(runs()).toEqual([cut, running.run].sort());
    expect(refs()).toHaveLength(2);
    running.close();
    lock.release();
  });

  it('leaves what lies beside the runs, and other refs', async () => {
    addRun(40);
    w.write('.ralph/runs/notes.txt', 'mine');
    w.write('.ralph/prd.json', '{}');
    w.git('tag', 'mine');
    await call('0');
    expect(runs()).toEqual(['notes.txt']);
    expect(w.exists('.ralph/prd.json')).toBe(true);
    expect(w.git('tag')).toBe('mine');
  });

  it('refs of another working tree stay; without another one, those without a folder go', async () => {
    const id = createRunId(Date.now() - 40 * day, () => 'bbbb');
    addRefs(id, 1);
    w.git('worktree', 'add', '--quiet', '--detach', path.join(w.root, 'tree'));
    await call();
    expect(refs()).toEqual([`refs/ralph/${id}/001`]);
    w.git('worktree', 'remove', path.join(w.root, 'tree'));
    await call();
    expect(refs()).toEqual([]);
    expect(w.out()).toMatch(new RegExp(`removed refs/ralph/${id}/001\nRemoved 1 run`));
  });

  it('removes the refs in submodules as well', async () => {
    const old = addRun(40, 0);
    w.shell('git init -q inner && cd inner && git commit -q --allow-empty -m x');
    w.shell(`git -C inner update-ref refs/ralph/${old}/001 HEAD && git add inner 2>/dev/null`);
    await call();
    expect(w.shell('git -C inner for-each-ref')).not.toMatch(/refs\/ralph/);
  });

  it('removes read-only folders', async () => {
    const old = addRun(40);
    w.write(`.ralph/runs/${old}/001/left/mod/file`, 'x');
    chmodSync(path.join(w.root, `.ralph/runs/${old}/001/left/mod`), 0o500);
    await call();
    expect(runs()).toEqual([]);
  });

  it('says so where there is nothing', async () => {
    await call();
    expect(w.out()).toBe('Nothing to remove: no run here ended more than 30d ago.\n');
    expect(w.exists('.ralph')).toBe(false);
  });
});
