import { describe, expect, it } from 'vitest';
import { sweep } from '../../../src/process/sweep.ts';
import type { Timers } from '../../../src/process/timers.ts';

/** Time that passes by itself, as fast as it is waited for. */
function createQuickTimers(): Timers & { waited(): number } {
  let now = 0;
  return {
    now: () => now,
    after: (ms, callback) => {
      now += ms;
      queueMicrotask(callback);
      return () => {};
    },
    waited: () => now,
  };
}

function setUp(pids: number[], reacts: (pid: number, signal: string) => boolean) {
  let left = pids;
  const log: string[] = [];
  const timers = createQuickTimers();
  return {
    log,
    timers,
    options: {
      timers,
      read: () => left.map((pid) => ({ pid, group: 1, command: `command ${pid}` })),
      send: (pid: number, signal: string): void => {
        log.push(`${pid} ${signal}`);
        if (reacts(pid, signal)) left = left.filter((other) => other !== pid);
      },
    },
  };
}

describe('sweep', () => {
  it('does not wait where nothing is left', async () => {
    const { options, timers } = setUp([], () => false);
    expect(await sweep({ run: 'r' }, options)).toEqual([]);
    expect(timers.waited()).toBe(0);
  });

  it('sends TERM once, and returns what it stopped', async () => {
    const { options, log } = setUp([3, 4], () => true);
    expect(await sweep({ run: 'r' }, options)).toEqual([
      { pid: 3, command: 'command 3' },
      { pid: 4, command: 'command 4' },
    ]);
    expect(log).toEqual(['3 SIGTERM', '4 SIGTERM']);
  });

  it('kills what ignores TERM', async () => {
    const { options, log, timers } = setUp([3], (_, signal) => signal === 'SIGKILL');
    await sweep({ run: 'r' }, options);
    expect(log).toEqual(['3 SIGTERM', '3 SIGKILL']);
    expect(timers.waited()).toBeLessThan(1_200);
  });

  it('gives up on what outlives even KILL', async () => {
    const { options, timers } = setUp([3], () => false);
    expect(await sweep({ run: 'r' }, options)).toHaveLength(1);
    expect(timers.waited()).toBeLessThan(2_500);
  });
});
