import { spawn } from 'node:child_process';
import { existsSync, rmSync, utimesSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createKilledRun } from './killed-run.ts';
import type { KilledRun } from './killed-run.ts';

const locks = ['packed-refs.lock', 'refs/worktree/ralph/snapshot.lock', 'index.lock', 'HEAD.lock'];
const before = 'refs/heads/ralph/x.lock';

let w: KilledRun;
beforeEach(() => {
  w = createKilledRun();
  w.git('update-ref', 'refs/worktree/ralph/snapshot', 'HEAD');
  for (const lock of [...locks, before]) w.write(`.git/${lock}`, '');
  utimesSync(path.join(w.root, '.git', before), 0, 0);
});
afterEach(() => w.dispose());

const left = (): string[] => [...locks, before].filter((lock) => existsSync(path.join(w.root, '.git', lock)));
const recordDead = (run = '20250101-000000-000-dead'): void =>
  w.write('.git/ralph/children.json', JSON.stringify({ runs: [run], groups: [] }));

/** A git that works until its input ends. */
async function startGit(cwd: string): Promise<() => void> {
  const child = spawn('git', ['hash-object', '--stdin'], { cwd, stdio: ['pipe', 'ignore', 'ignore'] });
  await new Promise((resolve, reject) => child.once('spawn', resolve).once('error', reject));
  return () => child.stdin.end();
}

describe('locks that git has left where it was killed with a run, but not in an iteration', () => {
  it('are removed and named, but for those that are older than the run', async () => {
    recordDead();
    const end = await startGit(path.dirname(w.root));
    await w.go();
    end();
    expect(left()).toEqual([before]);
    const texts = w.events().flatMap(({ type, text }) => (type === 'warning.raised' ? [text] : []));
    for (const lock of locks) expect(texts).toContain(`The lock file ${lock} had been left behind and was removed.`);
  });

  it('no longer stop a run', async () => {
    rmSync(path.join(w.root, '.git', before));
    recordDead();
    expect(await w.go()).toBe(0);
  });

  it('stay while a git works in the repository: they may be its own', async () => {
    recordDead();
    const end = await startGit(w.root);
    await w.go();
    end();
    expect(left()).toEqual([...locks, before]);
  });

  it('stay where no run is known to have died', async () => {
    await w.go();
    expect(left()).toEqual([...locks, before]);
  });
});
