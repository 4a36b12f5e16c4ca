import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RalphEvent } from '../../../src/loop/events.ts';
import type { Check } from '../../../src/loop/ports.ts';
import { createGates } from '../../../src/gates/run-gates.ts';
import { createChildRegistry } from '../../../src/process/registry.ts';
import { createRunFolder } from '../../../src/run-folder/run-folder.ts';
import { cleanEnvironment, createFolders, isAlive, numberIn, until } from '../process/support.ts';

const newFolder = createFolders();

function setUp(cwd?: string) {
  const root = newFolder();
  const folder = createRunFolder({ root, clock: { now: () => Date.now() } });
  const events: RalphEvent[] = [];
  folder.onEvent((event) => void events.push(event));
  const registry = createChildRegistry();
  const { run, openLog, emit } = folder;
  const gates = createGates({
    cwd: cwd ?? root,
    env: cleanEnvironment({ GIT_DIR: '/x' }),
    run,
    openLog,
    emit,
    registry,
  });
  const controller = new AbortController();
  const check = (command: string, more: Partial<Check> = {}) =>
    gates.run(
      { name: 'lint', kind: 'gate', command, timeoutMs: 20_000, ...more },
      { iteration: 1, story: 'US-001', signal: controller.signal },
    );
  const textOf = (log: string): string => readFileSync(path.join(root, log), 'utf8');
  return { root, run, events, check, textOf, controller };
}

describe('createGates', () => {
  it('is green for exit 0, in the start folder, with log and events', async () => {
    const { root, run, events, check, textOf } = setUp();
    const result = await check('pwd; echo "to stderr" >&2');
    expect(result).toMatchObject({
      green: true,
      exit: 0,
      timedOut: false,
      interrupted: false,
      log: `.ralph/runs/${run}/001/gate-lint.log`,
    });
    expect(result.tail.split('\n').sort()).toEqual(['', root, 'to stderr'].sort());
    expect(textOf(result.log)).toBe(result.tail);
    expect(events).toMatchObject([
      { type: 'gate.started', name: 'lint', kind: 'gate', iteration: 1, story: 'US-001', command: expect.any(String) },
      { type: 'gate.finished', name: 'lint', exit: 0, timedOut: false, durationMs: expect.any(Number) },
    ]);
  });

  it('is red for any other end, with the last 8 KiB', async () => {
    const { check } = setUp();
    expect(await check('exit 7')).toMatchObject({ green: false, exit: 7 });
    expect(await check('kill -KILL $$')).toMatchObject({ green: false, exit: undefined });
    const { tail } = await check('i=0; while [ $i -lt 3000 ]; do echo "line $i €"; i=$((i+1)); done; exit 1');
    expect(tail).toMatch(/line 2999 €\n$/);
    expect(Buffer.byteLength(tail)).toBeLessThanOrEqual(8192);
    expect(tail).not.toContain('\ufffd');
  });

  it('is red with its own message for a command or a folder that is not there', async () => {
    const missing = await setUp().check('no-such-command --all');
    expect(missing).toMatchObject({ green: false, exit: 127 });
    expect(missing.tail).toMatch(/no-such-command.*not found/);
    const { check, events } = setUp('/no/such/folder');
    expect(await check('true')).toMatchObject({
      green: false,
      exit: undefined,
      tail: expect.stringContaining('/no/such/folder'),
    });
    expect(events.at(-1)).toMatchObject({ type: 'gate.finished', exit: null });
  });

  it('keeps each log, whatever the names', async () => {
    const { check } = setUp();
    const logs = [
      await check('true'),
      await check('true'),
      await check('true', { name: 'npm run "lint"' }),
      await check('true', { name: 'US-001-1', kind: 'check' }),
    ];
    expect(logs.map(({ log }) => path.basename(log))).toEqual([
      'gate-lint.log',
      'gate-lint-2.log',
      'gate-npm-run-lint-.log',
      'gate-US-001-1.log',
    ]);
  });

  it('has the environment of the iteration, and an empty input', async () => {
    const { check, run } = setUp();
    const { tail } = await check(
      'echo "$RALPH_RUN_ID $RALPH_ITERATION $RALPH_STORY_ID $GIT_DIR $GIT_TERMINAL_PROMPT $GIT_EDITOR"; wc -c',
    );
    expect(tail.replace(/\s+/g, ' ').trim()).toBe(`${run} 1 US-001 0 true 0`);
  });

  it('stops one that takes too long, and does not believe its exit 0', async () => {
    const { check, events } = setUp();
    const started = Date.now();
    const result = await check(`trap 'exit 0' TERM; echo waiting; while :; do sleep 0.05; done`, { timeoutMs: 300 });
    expect(result).toMatchObject({
      green: false,
      timedOut: true,
      interrupted: false,
      tail: expect.stringContaining('waiting'),
    });
    expect(events.at(-1)).toMatchObject({ type: 'gate.finished', timedOut: true });
    expect(Date.now() - started).toBeLessThan(3_000);
  });

  it('is neither green nor red when the run is cut short, and is not started after that', async () => {
    const { root, check, controller } = setUp();
    const running = check('echo $$ > pid; exec sleep 50');
    const pid = await numberIn(path.join(root, 'pid'));
    controller.abort({ kind: 'stop' });
    expect(await running).toMatchObject({ green: false, interrupted: true, timedOut: false });
    await until('gone', () => !isAlive(pid));
    expect(await check('echo x > started')).toMatchObject({ interrupted: true });
    expect(existsSync(path.join(root, 'started'))).toBe(false);
  });

  it('stays green though it leaves a child that holds its output, which is stopped and named', async () => {
    const { check, events } = setUp();
    const started = Date.now();
    expect(await check('sleep 50 & echo ok')).toMatchObject({ green: true, tail: 'ok\n' });
    expect(Date.now() - started).toBeLessThan(5_000);
    expect(events.map(({ type }) => type)).toEqual(['gate.started', 'process.killed', 'gate.finished']);
    expect(events[1]).toMatchObject({ command: 'sleep 50', iteration: 1 });
  });
});
