import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { afterEach, describe, expect, it } from 'vitest';
import { HELPER_MARK } from '../../../src/process/child-environment.ts';
import { isGroupAlive, signalGroup } from '../../../src/process/group.ts';
import { identityOf, lifeOf } from '../../../src/process/identity.ts';
import { readProcesses } from '../../../src/process/process-table.ts';
import { signalCarriers, sweep, watchHelpers } from '../../../src/process/sweep.ts';
import { cleanEnvironment, isAlive, until } from './support.ts';

const children: ChildProcess[] = [];
const run = `sweep-${process.pid}`;

function start(env: NodeJS.ProcessEnv, args = ['-c', 'exec sleep 50']): { pid: number; child: ChildProcess } {
  const child = spawn('sh', args, { env: cleanEnvironment(env), stdio: 'ignore', detached: true });
  children.push(child);
  const { pid } = child;
  if (pid === undefined) throw new Error('not started');
  return { pid, child };
}

afterEach(() => {
  for (const { pid } of children.splice(0)) if (pid !== undefined) signalGroup(pid, 'SIGKILL');
});

describe('sweep', () => {
  it('stops who carries exactly the id, and nobody else', async () => {
    const ours = start({ RALPH_RUN_ID: run });
    const last = start({ RALPH_RUN_ID: run, ZZZ: '1' });
    const others = [
      start({ RALPH_RUN_ID: `${run}0` }),
      start({ X_RALPH_RUN_ID: run }),
      start({ X: `RALPH_RUN_ID=${run}` }),
      start({}, ['-c', 'sleep 50; :', `RALPH_RUN_ID=${run}`]),
    ];
    await until('all started', () => readProcesses({ run }).length === 2);
    const killed = await sweep({ run });
    expect(new Set(killed.map(({ pid }) => pid))).toEqual(new Set([ours.pid, last.pid]));
    for (const { pid } of others) expect(isAlive(pid)).toBe(true);
  });

  it('reads an environment of any size', async () => {
    const big = Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`BIG${i}`, 'x'.repeat(100_000)]));
    const { pid } = start({ ...big, RALPH_RUN_ID: run });
    await until('sleep runs', () => readProcesses({ run })[0]?.command === 'sleep 50');
    expect(await sweep({ run })).toMatchObject([{ pid, command: 'sleep 50' }]);
  });

  it('never counts a zombie', async () => {
    const { pid } = start({}, ['-c', 'sleep 0 & exec sleep 50']);
    await until('a zombie is there', () => readProcesses({ group: pid }).some(({ command }) => command === 'sleep 50'));
    await until('the zombie does not count', () => readProcesses({ group: pid }).length === 1);
    expect(isGroupAlive(pid)).toBe(true);
  });

  it('never hits this process or the ones that started it, whatever they carry', () => {
    expect(readProcesses({ group: process.pid }).some(({ pid }) => pid === process.pid)).toBe(false);
    expect(readProcesses({ group: process.ppid }).some(({ pid }) => pid === process.ppid)).toBe(false);
  });

  it('is quick where nothing is left', () => {
    const started = performance.now();
    for (let i = 0; i < 10; i += 1) readProcesses({ run });
    expect((performance.now() - started) / 10).toBeLessThan(100);
  });
});

describe('signalCarriers', () => {
  it('leaves out the groups that have got the signal already', async () => {
    const served = start({ RALPH_RUN_ID: run });
    const other = start({ RALPH_RUN_ID: run });
    await until('both started', () => readProcesses({ run }).length === 2);
    signalCarriers(run, 'SIGKILL', new Set([served.pid]));
    await until('the other one is gone', () => !isAlive(other.pid));
    expect(isAlive(served.pid)).toBe(true);
  });
});

describe('watchHelpers', () => {
  it('kills a helper that is still there, and neither one that came later nor an agent', async () => {
    const hung = start({ [HELPER_MARK]: run });
    const agent = start({ RALPH_RUN_ID: run, [HELPER_MARK]: run });
    await until('both started', () => readProcesses({ run, helpers: true }).length === 2);
    const killThem = watchHelpers(run);
    const later = start({ [HELPER_MARK]: run });
    await until('the third started', () => readProcesses({ run, helpers: true }).length === 3);
    killThem();
    await until('the first is gone', () => !isAlive(hung.pid));
    expect([isAlive(agent.pid), isAlive(later.pid)]).toEqual([true, true]);
  });
});

describe('isGroupAlive', () => {
  it('is false once all have gone, the leader first', async () => {
    const { pid, child } = start({}, ['-c', 'sleep 50 & exit 0']);
    await until('the leader is gone', () => child.exitCode !== null);
    expect(isGroupAlive(pid)).toBe(true);
    process.kill(-pid, 'SIGKILL');
    await until('the group is gone', () => !isGroupAlive(pid));
  });
});

describe('lifeOf', () => {
  it('tells a living process from a dead one, and from another one with its number', async () => {
    const { pid, child } = start({});
    const identity = identityOf(pid);
    expect(lifeOf(identity)).toBe('alive');
    expect(lifeOf({ ...identity, start: `${Number(identity.start) - 1}` })).toBe('dead');
    child.kill('SIGKILL');
    await until('gone', () => lifeOf(identity) === 'dead');
  });

  it('says nothing about another boot or container', () => {
    const identity = identityOf();
    expect(lifeOf({ ...identity, boot: 'other', host: 'other' })).toBe('elsewhere');
    expect(lifeOf({ ...identity, space: 'pid:[1]' })).toBe('elsewhere');
  });
});
