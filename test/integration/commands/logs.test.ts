import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { logs } from '../../../src/commands/logs.ts';
import type { LogsOptions } from '../../../src/commands/types.ts';
import { systemClock } from '../../../src/clock.ts';
import { acquireLock } from '../../../src/run-folder/lock.ts';
import { createRunFolder } from '../../../src/run-folder/run-folder.ts';
import { createWorld, plain } from './world.ts';
import type { World } from './world.ts';

let w: World;
beforeEach(() => {
  w = createWorld();
});
afterEach(() => w.dispose());

const [first, second] = ['20260101-000000-000-aaaa', '20260102-000000-000-bbbb'];
const base: LogsOptions = { ...plain, number: undefined, run: undefined, raw: false, follow: false };
const call = async (options: Partial<LogsOptions> = {}): Promise<number> => logs({ ...base, ...options }, w.io);
const fixture = (name: string): Buffer => readFileSync(new URL(`../../fixtures/agent/${name}`, import.meta.url));

function write(run: string, file: string, data: string | Buffer): string {
  const full = path.join(w.root, '.ralph/runs', run, file);
  mkdirSync(path.dirname(full), { recursive: true });
  writeFileSync(full, data);
  return full;
}

function addRun(run: string, tool = 'claude'): void {
  write(run, 'run.json', JSON.stringify({ v: 1, id: run, tool, status: 'finished', reason: 'iterations' }));
}

describe('ralph logs', () => {
  it('shows the newest iteration of the newest run, decoded', async () => {
    addRun(first);
    addRun(second);
    write(first, '002/output.log', fixture('claude-2.1.332-429.jsonl'));
    write(second, '001/output.log', '{}\n');
    write(second, '010/output.log', fixture('claude-2.1.332-background-task-two-results.jsonl'));
    write(second, '009/output.log', '{}\n');
    expect(await call()).toBe(0);
    expect(w.out()).toMatch(/^Bash /m);
    expect(w.out()).not.toMatch(/[{}]"|session_id/);
  });

  it('takes a number and a run', async () => {
    addRun(first, 'other');
    addRun(second, 'other');
    write(first, '001/output.log', 'one\n');
    write(first, '002/output.log', 'two\n');
    write(second, '001/output.log', 'newest\n');
    await call({ number: '1', run: first });
    await call({ run: first });
    await call();
    expect(w.out()).toBe('one\ntwo\nnewest\n');
  });

  it('--raw gives the bytes as they are, all tries in order', async () => {
    addRun(first);
    const pieces = [
      Buffer.from([0, 255, 10, 0xe2, 0x82]),
      Buffer.from('\u001b[31mred\r\n'),
      Buffer.from('x'.repeat(300_000)),
    ];
    for (const [index, piece] of pieces.entries())
      write(first, `001/output${index === 0 ? '' : `-${index === 1 ? 2 : 10}`}.log`, piece);
    write(first, '001/stderr.log', 'not this\n');
    await call({ raw: true });
    expect(w.bytes().equals(Buffer.concat(pieces))).toBe(true);
  });

  it('readable: control codes are stripped, further tries and stderr have a heading', async () => {
    addRun(first, 'unknown-agent');
    write(first, '001/output.log', '\u001b[31mred\u001b[0m größe\rprogress\nno line feed');
    write(first, '001/output-2.log', 'again\n');
    write(first, '001/stderr.log', 'oh no\n');
    write(first, '001/stderr-2.log', '');
    await call();
    expect(w.out()).toBe('red größe\nprogress\nno line feed\n── try 2\nagain\n── stderr\noh no\n');
  });

  it('knows a stream by its look where the run does not tell its agent', async () => {
    write(first, '001/output.log', fixture('claude-2.1.332-429.jsonl'));
    write(second, '001/output.log', fixture('codex-0.171.0-ok.jsonl'));
    await call({ run: first });
    await call({ run: second });
    expect(w.out()).not.toMatch(/"type"/);
    expect(w.out()).not.toBe('');
  });

  it.each([
    [{ number: '7' }, `run ${second} has no iteration 7`, 'its iterations: 1–2, 4'],
    [{ number: '0' }, `run ${second} has no iteration 0`, 'its iterations: 1–2, 4'],
    [{ run: 'x' }, 'there is no run "x"', `the newest ones: ${first}, ${second}`],
    [{ run: '../../etc' }, 'there is no run "../../etc"', `the newest ones: ${first}, ${second}`],
    [{ number: 'x' }, '[n] must be the number of an iteration, not "x"', undefined],
    [{ number: '-1' }, '[n] must be the number of an iteration, not "-1"', undefined],
    [{ run: first }, `run ${first} started no agent: it has no iteration to show`, 'it ended with: iterations'],
  ])('%o is exit 2, naming what there is', async (options, message, problem) => {
    addRun(first);
    addRun(second);
    for (const number of ['001', '002', '004']) write(second, `${number}/output.log`, 'x\n');
    write(second, '003/prompt.md', 'never started');
    await expect(call(options)).rejects.toMatchObject({
      reason: 'usage',
      message,
      problems: problem === undefined ? [] : [problem],
    });
  });

  it('without a run is exit 2', async () => {
    await expect(call()).rejects.toMatchObject({ reason: 'usage', cures: ['ralph run'] });
  });

  it('works with a broken config', async () => {
    w.write('ralph.config.json', '{');
    addRun(first);
    write(first, '001/output.log', fixture('claude-2.1.332-429.jsonl'));
    expect(await call()).toBe(0);
  });

  it('stops reading when nobody reads any more', async () => {
    addRun(first, 'other');
    write(first, '001/output.log', 'line of text\n'.repeat(200_000));
    let taken = 0;
    const outBytes = (bytes: Uint8Array): boolean => {
      taken += bytes.length;
      return false;
    };
    await logs(base, { ...w.io, writer: { ...w.io.writer, outBytes } });
    expect(taken).toBeLessThan(600_000);
  });
});

describe('ralph logs -f', () => {
  it('follows until the iteration ends, over its tries', async () => {
    const lock = await acquireLock({ gitDir: path.join(w.root, '.git') });
    const folder = createRunFolder({ root: w.root, clock: systemClock, tool: 'other' });
    try {
      folder.emit({ type: 'iteration.started', title: 'x' }, { iteration: 1 });
      const following = call({ follow: true });
      const log = write(folder.run, '001/output.log', 'one\n');
      await until(() => w.out().includes('one'));
      appendFileSync(log, 'two\n');
      await until(() => w.out().includes('two'));
      write(folder.run, '001/output-2.log', 'three\n');
      await until(() => w.out().includes('three'));
      folder.emit({ type: 'iteration.finished', verdict: 'passed', durationMs: 1, costUsd: 0 }, { iteration: 1 });
      expect(await following).toBe(0);
      expect(w.out()).toBe('one\ntwo\n── try 2\nthree\n');
    } finally {
      folder.close();
      lock.release();
    }
  });

  it('of an iteration that has ended shows it and ends', async () => {
    addRun(first, 'other');
    write(first, '001/output.log', 'one\n');
    expect(await call({ follow: true })).toBe(0);
    expect(w.out()).toBe('one\n');
  });

  it('of a run that is cut off before its first iteration ends, too', async () => {
    const lock = await acquireLock({ gitDir: path.join(w.root, '.git') });
    const folder = createRunFolder({ root: w.root, clock: systemClock });
    const following = call({ follow: true });
    folder.close();
    lock.release();
    await expect(following).rejects.toMatchObject({ reason: 'usage' });
  });
});

async function until(isSo: () => boolean): Promise<void> {
  await expect.poll(isSo, { timeout: 20_000, interval: 20 }).toBe(true);
}
