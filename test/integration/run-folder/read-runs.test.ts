import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Totals } from '../../../src/loop/events.ts';
import { acquireLock } from '../../../src/run-folder/lock.ts';
import { listRuns, readNewestRun } from '../../../src/run-folder/read-runs.ts';
import { createRunFolder } from '../../../src/run-folder/run-folder.ts';
import { createFolders } from '../process/support.ts';

const newFolder = createFolders();
const tokens = { input: 0, output: 0, cacheRead: 0, cacheCreation: 0 };
const totals: Totals = { iterations: 1, passed: 1, rejected: 0, failed: 0, costUsd: 0, tokens, durationMs: 5 };

function setUp() {
  const [root, gitDir] = [newFolder(), newFolder()];
  const begin = () => createRunFolder({ root, clock: { now: () => Date.now() } });
  const newest = () => readNewestRun(root, gitDir);
  return { root, gitDir, begin, newest };
}

describe('readNewestRun', () => {
  it('has nothing to tell where there was no run', () => {
    const { root, newest } = setUp();
    expect(newest()).toBeNull();
    mkdirSync(path.join(root, '.ralph/runs/00000000-000000/001'), { recursive: true });
    expect(newest()).toBeNull();
  });

  it('is running while its process holds the lock, and has crashed without', async () => {
    const { gitDir, begin, newest } = setUp();
    const lock = await acquireLock({ gitDir });
    const folder = begin();
    folder.emit({ type: 'iteration.started', title: 'x' }, { iteration: 2, story: 'US-002' });
    folder.emit({ type: 'agent.text', text: 'y'.repeat(100_000) }, { iteration: 2, story: 'US-002' });
    folder.emit({ type: 'warning.raised', text: 'z'.repeat(100_000), place: null });
    expect(newest()).toMatchObject({
      id: folder.run,
      status: 'running',
      iteration: 2,
      story: 'US-002',
      reason: null,
      code: null,
    });
    lock.release();
    expect(newest()).toMatchObject({ status: 'crashed', iteration: 2 });
  });

  it('is not taken for running by a later process with the same pid', async () => {
    const { gitDir, begin, newest } = setUp();
    begin();
    const lock = await acquireLock({ gitDir, timers: { now: () => Date.now() + 1_000, after: () => () => {} } });
    expect(newest()).toMatchObject({ status: 'crashed' });
    lock.release();
  });

  it('is finished with reason and code', () => {
    const { begin, newest } = setUp();
    const folder = begin();
    folder.emit({ type: 'run.finished', reason: 'stalled', code: 6, signal: null, text: null, verified: true, totals });
    expect(newest()).toMatchObject({ status: 'finished', reason: 'stalled', code: 6, iteration: null, story: null });
  });

  it('takes half-written files as they come', () => {
    const { begin, newest } = setUp();
    const folder = begin();
    folder.emit({ type: 'iteration.started', title: 'x' }, { iteration: 1, story: 'US-001' });
    appendFileSync(path.join(folder.path, 'events.jsonl'), '{"v":1,"type":"agent.te');
    writeFileSync(path.join(folder.path, 'run.json'), '{"v":1,"id"');
    expect(newest()).toMatchObject({ status: 'crashed', iteration: 1, story: 'US-001' });
    rmSync(path.join(folder.path, 'run.json'));
    rmSync(path.join(folder.path, 'events.jsonl'));
    expect(newest()).toMatchObject({ status: 'crashed', iteration: null });
  });

  it('knows from the events that a run is finished whose run.json is gone', () => {
    const { begin, newest } = setUp();
    const folder = begin();
    folder.emit({
      type: 'run.finished',
      reason: 'complete',
      code: 0,
      signal: null,
      text: null,
      verified: true,
      totals,
    });
    rmSync(path.join(folder.path, 'run.json'));
    expect(newest()).toMatchObject({ status: 'finished', reason: 'complete', code: 0 });
  });

  it('is the last one by time', () => {
    const { root, newest } = setUp();
    const ids = [5, 1, 9].map((day) => createRunFolder({ root, clock: { now: () => day * 86_400_000 } }).run);
    expect(listRuns(root)).toEqual([...ids].sort());
    expect(newest()?.id).toBe(ids[2]);
  });
});
