import { rmSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { status } from '../../../src/commands/status.ts';
import { openRepository } from '../../../src/git/repository.ts';
import { openShadow } from '../../../src/git/shadow.ts';
import { takeSnapshot } from '../../../src/git/snapshot.ts';
import { acquireLock } from '../../../src/run-folder/lock.ts';
import { markWriting, writeTurn } from '../../../src/run-folder/turn-file.ts';
import { statusSchema } from '../../../src/schemas/outputs.ts';
import { createWorld, plain } from './world.ts';
import type { World } from './world.ts';

let w: World;
beforeEach(() => {
  w = createWorld();
});
afterEach(() => w.dispose());

const options = { ...plain, given: {}, json: false };
const run = '20261130-132643-123-ab3f';
const folder = `.ralph/runs/${run}`;

function writePrd(...stories: object[]): void {
  const userStories = stories.map((story, index) => ({
    id: `US-00${index + 1}`,
    title: `Story ${index + 1}`,
    ...story,
  }));
  w.write('prd.json', JSON.stringify({ project: 'Test', branchName: 'ralph/x', userStories }));
}

const stamp = { v: 1, at: '2026-11-30T13:26:43.123Z', run };
const lines = (...events: object[]): string =>
  events.map((event) => `${JSON.stringify({ ...stamp, ...event })}\n`).join('');
const gate = (name: string, exit: number): object => ({ type: 'gate.finished', kind: 'gate', name, exit });

function writeRun(record: object, ...events: object[]): void {
  w.write(`${folder}/run.json`, JSON.stringify({ v: 1, id: run, pid: 1, startedAt: stamp.at, ...record }));
  w.write(`${folder}/events.jsonl`, lines(...events));
}

async function report(): Promise<unknown> {
  const before = w.out().length;
  expect(await status({ ...options, json: true }, w.io)).toBe(0);
  const value: unknown = JSON.parse(w.out().slice(before));
  expect(statusSchema.strict().safeParse(value).error).toBeUndefined();
  return value;
}

describe('status', () => {
  it('shows stories, the next one, blocked and waiting ones; writes nothing', async () => {
    const blocked = { attempts: 3, blocked: 'gate sound is red' };
    writePrd({ passes: true }, { ralph: blocked }, { dependsOn: ['US-002'] }, { priority: 1, ralph: { attempts: 1 } });
    const before = w.git('status', '--porcelain', '--ignored');
    expect(await status(options, w.io)).toBe(0);
    expect(w.out()).toMatch(/Test · branch ralph\/x · 1 of 4 stories passed/);
    expect(w.out()).toMatch(
      /US-002[^]*gate sound is red[^]*US-003[^]*waits for US-002[^]*Next: US-004[^]*unblock US-002[^]*No run yet/,
    );
    expect(await report()).toEqual({
      v: 1,
      project: 'Test',
      branch: 'ralph/x',
      stories: [
        { id: 'US-001', title: 'Story 1', passes: true, attempts: 0, blocked: null },
        { id: 'US-002', title: 'Story 2', passes: false, attempts: 3, blocked: 'gate sound is red' },
        { id: 'US-003', title: 'Story 3', passes: false, attempts: 0, blocked: null },
        { id: 'US-004', title: 'Story 4', passes: false, attempts: 1, blocked: null },
      ],
      next: 'US-004',
      run: null,
    });
    expect(w.git('status', '--porcelain', '--ignored')).toBe(before);
    expect(w.exists('.ralph')).toBe(false);
    expect(w.exists('.git/ralph')).toBe(false);
  });

  describe('behind a killed run', () => {
    const texts = (): { prd: Buffer; progress: undefined } => ({
      prd: Buffer.from(w.read('prd.json')),
      progress: undefined,
    });

    async function beginTurn(): Promise<string> {
      w.write('a.txt', 'a\n');
      writePrd({ passes: true }, {});
      w.git('add', '-A');
      w.git('commit', '--quiet', '-m', 'start');
      const repository = await openRepository(w.root, w.io.env);
      const snapshot = await takeSnapshot(repository, await openShadow(repository), { iteration: 1, try: 1 });
      const paths = { prd: 'prd.json', progress: 'progress.txt' };
      writeTurn(repository.gitDir, { v: 1, run, phase: 'working', repairs: true, ...paths, snapshot }, texts());
      writeRun({ status: 'running' }, { type: 'iteration.started', iteration: 1, story: 'US-002' });
      return repository.gitDir;
    }

    it.each([
      ['is gone', () => rmSync(path.join(w.root, 'prd.json'))],
      ['is half written', () => w.write('prd.json', '{ "userStories": [')],
      ['is ticked', () => w.write('prd.json', w.read('prd.json').replace('"Story 2"', '"Story 2","passes":true'))],
    ])('shows the stories as the next run will where prd.json %s, and says what that does', async (_, spoil) => {
      await beginTurn();
      spoil();
      expect(await report()).toMatchObject({
        project: 'Test',
        stories: [{ passes: true }, { passes: false }],
        next: 'US-002',
        run: { status: 'crashed', iteration: 1, story: 'US-002' },
      });
      const before = w.git('status', '--porcelain', '--ignored');
      expect(await status(options, w.io)).toBe(0);
      expect(w.out()).toMatch(/was cut off \(iteration 1, US-002\)[^]*keeps the work under a rescue ref/);
      expect(w.git('status', '--porcelain', '--ignored')).toBe(before);
    });

    it('shows an attempt that was settled, and that the rest of it is finished', async () => {
      const gitDir = await beginTurn();
      const without = texts();
      writePrd({ passes: true }, { ralph: { attempts: 2 } });
      const written = texts();
      rmSync(path.join(w.root, 'prd.json'));
      markWriting(gitDir, { phase: 'settled', without, written });
      expect(await report()).toMatchObject({ stories: [{}, { attempts: 2 }] });
      await status(options, w.io);
      expect(w.out()).toMatch(/finishes what is left to write/);
    });

    it('shows the stories as they were given to an agent at work that has taken prd.json away', async () => {
      const lock = await acquireLock({ gitDir: await beginTurn() });
      rmSync(path.join(w.root, 'prd.json'));
      expect(await report()).toMatchObject({ stories: [{ passes: true }, { passes: false }], next: 'US-002' });
      await status(options, w.io);
      expect(w.out()).not.toMatch(/rescue ref/);
      lock.release();
    });

    it('still says what is wrong with another prd.json', async () => {
      await beginTurn();
      w.write('other.json', '{');
      await expect(
        status({ ...options, given: { prd: { value: 'other.json', source: '--prd' } } }, w.io),
      ).rejects.toMatchObject({ reason: 'usage' });
    });
  });

  it('tells of the last run', async () => {
    writePrd({});
    writeRun(
      { status: 'finished', reason: 'stalled', code: 6 },
      { type: 'iteration.started', iteration: 2, story: 'US-001' },
    );
    expect(await report()).toMatchObject({
      run: { id: run, status: 'finished', reason: 'stalled', code: 6, iteration: 2, story: 'US-001' },
    });
    await status(options, w.io);
    expect(w.out()).toMatch(/stalled, exit 6/);
  });

  it('a run that was cut off, with a half-written event, is read on', async () => {
    writePrd({});
    const started = { type: 'iteration.started', iteration: 1, story: 'US-001' };
    writeRun({ status: 'running', pid: 2 ** 22 + 1 }, started);
    w.write(`${folder}/events.jsonl`, `${lines(started, gate('sound', 1))}{"v":1,"type":"gate.finished","na`);
    expect(await report()).toMatchObject({
      run: { status: 'crashed', reason: null, code: null, iteration: 1, story: 'US-001' },
    });
    w.write(`${folder}/run.json`, '{"v":1,"id":');
    expect(await report()).toMatchObject({ run: { status: 'crashed', iteration: 1 } });
    await status(options, w.io);
    expect(w.out()).toMatch(/cut off[^]*Never green[^]*sound/);
  });

  it('a run folder that is empty yet is no obstacle', async () => {
    writePrd({});
    w.write(`${folder}/.keep`, '');
    expect(await report()).toMatchObject({ next: 'US-001', run: { id: run } });
  });

  it('says what was claimed and not verified, and which gates were never green', async () => {
    const verified = { at: stamp.at, run };
    writePrd({ passes: true, ralph: { verified } }, { passes: true }, {});
    const end = { type: 'run.finished', reason: 'iterations', code: 1, verified: false };
    writeRun(
      { status: 'finished' },
      gate('old', 1),
      gate('old', 0),
      gate('never', 1),
      { ...gate('hook', 1), kind: 'hook' },
      end,
    );
    await status(options, w.io);
    expect(w.out()).toMatch(/claimed, not verified: US-002\n/);
    expect(w.out()).toMatch(/Never green.*: never\n/);
  });

  it('a gate that was cut off with the run, or that ended the start, is no gate that was never green', async () => {
    writePrd({});
    writeRun({ status: 'finished' }, { ...gate('cut', 0), exit: null, timedOut: false });
    await status(options, w.io);
    writeRun({ status: 'finished' }, gate('red', 1), { type: 'run.finished', reason: 'usage', code: 2 });
    await status(options, w.io);
    expect(w.out()).not.toMatch(/Never green/);
  });

  it('says nothing of the kind after a run that verified', async () => {
    writePrd({ passes: true });
    writeRun({ status: 'finished' }, { type: 'run.finished', reason: 'complete', code: 0, verified: true });
    await status(options, w.io);
    expect(w.out()).not.toMatch(/not verified/);
  });

  it('is 0 with every story passed, and with none that can be worked on', async () => {
    writePrd({ passes: true });
    expect(await report()).toMatchObject({ next: null });
    writePrd({ ralph: { blocked: 'no key' } });
    expect(await report()).toMatchObject({ next: null, stories: [{ blocked: 'no key' }] });
  });

  it('without a PRD: an error that names the folder; after runs in prompt mode, those', async () => {
    w.write('tasks/prd-x.json', '{}');
    await expect(status(options, w.io)).rejects.toMatchObject({
      reason: 'usage',
      message: `there is no prd.json in ${w.root}`,
      problems: ['tasks/prd-x.json looks like one'],
    });
    writeRun({ status: 'finished', reason: 'complete', code: 0 });
    expect(await report()).toMatchObject({ project: null, branch: 'main', stories: [], next: null, run: { code: 0 } });
    await status(options, w.io);
    expect(w.out()).not.toMatch(/All stories passed/);
    expect(w.out()).toContain(run);
  });

  it('takes --prd from the start folder, and refuses what is not there by its source', async () => {
    w.write('sub/mine.json', JSON.stringify({ userStories: [{ id: 'A', title: 'Mine', passes: false }] }));
    const given = { prd: { value: 'mine.json', source: '--prd' } };
    expect(await status({ ...options, given }, w.from('sub'))).toBe(0);
    expect(w.out()).toContain('A Mine');
    await expect(status({ ...options, given }, w.io)).rejects.toThrow(/^--prd: there is no file .*mine\.json$/);
    await expect(status(options, w.from('.', { RALPH_PRD: 'x.json' }))).rejects.toThrow(/^RALPH_PRD: there is no file/);
  });

  it('names a bad config and a bad PRD', async () => {
    writePrd({});
    w.write('ralph.config.json', '{ "maxIteration": 3 }');
    await expect(status(options, w.io)).rejects.toMatchObject({
      reason: 'usage',
      message: 'ralph.config.json is not valid',
    });
    w.write('ralph.config.json', '{}');
    w.write('prd.json', '{ "userStories": [] }');
    await expect(status(options, w.io)).rejects.toMatchObject({
      reason: 'usage',
      message: expect.stringContaining('prd.json'),
    });
  });

  it('runs no command that stands in PRD or config', async () => {
    writePrd({ checks: ['touch PWNED'] });
    w.write('ralph.config.json', '{ "gates": ["touch PWNED"] }');
    await status(options, w.io);
    expect(w.exists('PWNED')).toBe(false);
  });
});
