import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { agentLadder, commandLadder } from '../../../src/process/group.ts';
import { createChildRegistry } from '../../../src/process/registry.ts';
import { runWatched } from '../../../src/process/run-watched.ts';
import type { WatchPolicy } from '../../../src/process/run-watched.ts';
import { systemTimers } from '../../../src/process/timers.ts';
import { cleanEnvironment, createFolders, isAlive, numberIn, until } from './support.ts';

const newFolder = createFolders();
let count = 0;

/** Starts a shell script under watch, in a folder of its own and with a run id of its own. */
function start(script: string, more: Partial<WatchPolicy> & { input?: string; command?: string } = {}) {
  const folder = newFolder();
  count += 1;
  const run = `test-${process.pid}-${count}`;
  const controller = new AbortController();
  const output: string[] = [];
  const { input, command = 'sh', ...policy } = more;
  const take = (chunk: Buffer): void => void output.push(chunk.toString());
  const started = Date.now();
  const end = runWatched(
    {
      command,
      args: ['-c', script],
      cwd: folder,
      env: cleanEnvironment({ RALPH_RUN_ID: run }),
      ...(input === undefined ? {} : { input }),
      onStdout: take,
      onStderr: take,
    },
    { ladder: commandLadder, signal: controller.signal, run, registry: createChildRegistry(), ...policy },
  );
  const pidIn = (name: string): Promise<number> => numberIn(path.join(folder, name));
  return { end, controller, output, folder, pidIn, took: () => Date.now() - started };
}

describe('runWatched', () => {
  it('tells how a child ended, and hands its output over', async () => {
    const { end, output } = start('cat; echo oops >&2; exit 4', { input: 'the prompt' });
    expect(await end).toMatchObject({ stopped: 'none', exit: { kind: 'exited', code: 4 }, killed: [] });
    expect(output.sort()).toEqual(['oops\n', 'the prompt']);
  });

  it('tells a death by a signal, and a command that is not there', async () => {
    expect((await start('kill -TERM $$').end).exit).toEqual({ kind: 'signalled', signal: 'SIGTERM' });
    expect((await start('', { command: 'no-such-command' }).end).exit).toMatchObject({
      kind: 'failed',
      code: 'ENOENT',
    });
  });

  it('does not mind a child that ends without reading its input', async () => {
    expect((await start('exit 3', { input: 'x'.repeat(2_000_000) }).end).exit).toEqual({ kind: 'exited', code: 3 });
  });

  it('gives the child no terminal and a session of its own', async () => {
    const { end, output } = start('( exec 3</dev/tty ) 2>/dev/null && echo tty; cut -d" " -f1,5,6 /proc/$$/stat');
    await end;
    const [pid, group, session] = output.join('').trim().split(' ');
    expect([group, session]).toEqual([pid, pid]);
  });

  it('stops a silent child, but not one that talks', async () => {
    const silent = start('echo hello; exec sleep 50', { idleMs: 300 });
    expect(await silent.end).toMatchObject({ stopped: 'idle', exit: { kind: 'signalled', signal: 'SIGTERM' } });
    expect(silent.took()).toBeLessThan(3_000);
    const talking = start('for i in 1 2 3 4 5 6; do echo $i >&2; sleep 0.1; done', { idleMs: 400 });
    expect((await talking.end).stopped).toBe('none');
  });

  it('stops a child that takes too long, however much it talks', async () => {
    const { end, took } = start('while :; do echo x; sleep 0.05; done', { timeoutMs: 300 });
    expect((await end).stopped).toBe('timeout');
    expect(took()).toBeLessThan(3_000);
  });

  it('stops the whole group, also what ignores INT, with the steps of the ladder', async () => {
    const ladder = [
      { signal: 'SIGINT', afterMs: 0 },
      { signal: 'SIGTERM', afterMs: 200 },
      { signal: 'SIGKILL', afterMs: 400 },
    ] as const;
    const script = `trap 'echo int' INT; trap 'echo term' TERM; sh -c 'trap "" INT TERM; echo $$ > kid; while :; do sleep 0.05; done' & wait; wait; while :; do sleep 0.05; done`;
    const { end, controller, pidIn, output } = start(script, { ladder });
    const kid = await pidIn('kid');
    controller.abort({ kind: 'stop' });
    expect(await end).toMatchObject({ stopped: 'interrupted', exit: { kind: 'signalled', signal: 'SIGKILL' } });
    expect(output.join('')).toMatch(/int\nterm\n/);
    await until('kid gone', () => !isAlive(kid));
  });

  it('sends INT first when a signal to ralph cut the run, to a gate too', async () => {
    const { end, controller, pidIn, output } = start(
      `trap 'echo int; exit 7' INT; trap 'echo term' TERM; echo $$ > up; while :; do sleep 0.05; done`,
    );
    await pidIn('up');
    controller.abort({ kind: 'signal', signal: 'SIGTERM' });
    expect(await end).toMatchObject({ stopped: 'interrupted', exit: { kind: 'exited', code: 7 } });
    expect(output.join('')).toBe('int\n');
  });

  it('is not started when the run is over already', async () => {
    const signal = AbortSignal.abort({ kind: 'stop' });
    const { end, output } = start('echo started', { signal });
    expect((await end).stopped).toBe('interrupted');
    expect(output).toEqual([]);
  });

  it('can be stopped through the registry', async () => {
    const registry = createChildRegistry();
    const { end } = start('exec sleep 50', { registry });
    const child = await until('registered', () => registry.list()[0]);
    child.begin(agentLadder);
    expect(await end).toMatchObject({ stopped: 'interrupted', exit: { kind: 'signalled', signal: 'SIGINT' } });
    expect(registry.list()).toEqual([]);
  });

  it('stops a child that is silent for 10 s after its result, but not one that goes on', async () => {
    const timers = {
      now: () => Date.now() * 10,
      after: (ms: number, call: () => void) => systemTimers.after(ms / 10, call),
    };
    const silent = start('echo result; exec sleep 50', { timers, look: () => 'result-seen' });
    expect((await silent.end).stopped).toBe('silent-after-result');
    expect(silent.took()).toBeGreaterThan(900);
    const going = start('for i in 1 2 3 4 5; do echo $i; sleep 0.3; done', { timers, look: () => 'result-seen' });
    expect((await going.end).stopped).toBe('none');
  });

  it('stops at once at a fatal line', async () => {
    let seen = false;
    const { end, took } = start('echo "please log in"; exec sleep 50', {
      look: () => (seen ? 'fatal-line' : 'working'),
      onStart: () => {
        seen = true;
      },
    });
    expect((await end).stopped).toBe('fatal-line');
    expect(took()).toBeLessThan(3_000);
  });
});

describe('runWatched, leftovers', () => {
  it('ends soon after the leader, though a grandchild holds the output, and stops and names it', async () => {
    const { end, took } = start('sleep 50 & echo done');
    const { exit, stopped, killed } = await end;
    expect({ exit, stopped }).toEqual({ exit: { kind: 'exited', code: 0 }, stopped: 'none' });
    expect(killed).toMatchObject([{ command: 'sleep 50' }]);
    expect(took()).toBeLessThan(4_000);
    expect(isAlive(killed[0]?.pid ?? 0)).toBe(false);
  });

  it('does not take the silence of what is left for that of the child', async () => {
    const { end } = start('sleep 50 & exit 0', { idleMs: 200, timeoutMs: 500 });
    expect(await end).toMatchObject({ stopped: 'none', exit: { kind: 'exited', code: 0 } });
  });

  it('finds a process that left the group, by the id in its environment', async () => {
    const { end, pidIn } = start(
      `setsid sh -c 'echo $$ > far; exec sleep 50' >/dev/null 2>&1 & while [ ! -s far ]; do sleep 0.02; done`,
    );
    const { killed } = await end;
    const far = await pidIn('far');
    expect(killed).toMatchObject([{ pid: far }]);
    expect(isAlive(far)).toBe(false);
  });

  it('finds a member of the group that has dropped its environment', async () => {
    const { end, pidIn } = start(
      `env -i sh -c 'echo $$ > bare; exec sleep 50' >/dev/null 2>&1 & while [ ! -s bare ]; do sleep 0.02; done`,
    );
    expect((await end).killed).toMatchObject([{ pid: await pidIn('bare') }]);
  });

  it('kills what ignores TERM', async () => {
    const { end, pidIn } = start(
      `sh -c 'trap "" INT TERM HUP; echo $$ > deaf; while :; do sleep 0.05; done' >/dev/null 2>&1 & while [ ! -s deaf ]; do sleep 0.02; done`,
    );
    await end;
    expect(isAlive(await pidIn('deaf'))).toBe(false);
  });

  it('leaves the processes of other runs alone', async () => {
    const other = start('echo $$ > other; exec sleep 20');
    const pid = await other.pidIn('other');
    expect((await start('exit 0').end).killed).toEqual([]);
    expect(isAlive(pid)).toBe(true);
    other.controller.abort();
    await other.end;
  });
});
