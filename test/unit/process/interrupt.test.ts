import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { createGroupStop } from '../../../src/process/group.ts';
import { installInterrupt } from '../../../src/process/interrupt.ts';
import { createChildRegistry } from '../../../src/process/registry.ts';
import { createFakeTimers } from './fake-timers.ts';

function setUp(run: string | undefined = 'run-1') {
  const timers = createFakeTimers();
  const source = new EventEmitter();
  const registry = createChildRegistry();
  const controller = new AbortController();
  const log: string[] = [];
  const start = timers.now();
  const note = (what: string): void => void log.push(`${timers.now() - start} ${what}`);
  const interrupt = installInterrupt({
    controller,
    registry,
    run: () => run,
    source: {
      on: (signal, listener) => source.on(signal, () => listener(signal)),
      off: (signal) => source.removeAllListeners(signal),
    },
    timers,
    carriers: (id, signal, served) => note(`carriers of ${id} but ${[...served].join()} ${signal}`),
    helpers: (id) => {
      note(`looks at the helpers of ${id}`);
      return () => note(`kills the helpers of ${id}`);
    },
  });
  const addChild = (group: number): (() => void) => {
    const send = (signal: string): void => note(`${group} ${signal}`);
    const stop = createGroupStop({ timers, send, release: () => {}, giveUp: () => {} });
    return registry.add({ group, begin: (ladder) => stop.begin(ladder), kill: () => stop.kill() });
  };
  return { timers, source, controller, log, interrupt, addChild };
}

describe('installInterrupt', () => {
  it('has one clock for everything that runs: INT, TERM at 5 s, KILL at 8 s', () => {
    const { timers, source, log, addChild } = setUp();
    addChild(7);
    source.emit('SIGTERM');
    timers.advance(60_000);
    expect(log).toEqual([
      '0 7 SIGINT',
      '0 carriers of run-1 but 7 SIGINT',
      '5000 7 SIGTERM',
      '5000 carriers of run-1 but 7 SIGTERM',
      '8000 7 SIGKILL',
      '8000 7 SIGKILL',
      '8000 carriers of run-1 but 7 SIGKILL',
      '8000 looks at the helpers of run-1',
      '9000 kills the helpers of run-1',
    ]);
  });

  it('cuts the run with the first signal, which it remembers with its time', () => {
    const { timers, source, controller, interrupt } = setUp();
    expect(interrupt.first()).toBeUndefined();
    source.emit('SIGHUP');
    source.emit('SIGINT');
    expect(controller.signal.reason).toEqual({ kind: 'signal', signal: 'SIGHUP' });
    expect(interrupt.first()).toEqual({ signal: 'SIGHUP', at: timers.now() });
  });

  it('kills everything at the second signal, at once and only then', () => {
    const { timers, source, log, addChild } = setUp();
    addChild(7);
    source.emit('SIGINT');
    timers.advance(1_000);
    source.emit('SIGINT');
    expect(log.slice(2)).toEqual([
      '1000 7 SIGKILL',
      '1000 carriers of run-1 but 7 SIGKILL',
      '1000 looks at the helpers of run-1',
    ]);
    timers.advance(60_000);
    expect(log.slice(5)).toEqual(['2000 kills the helpers of run-1']);
  });

  it('leaves a child alone that has been taken out', () => {
    const { source, log, addChild } = setUp();
    addChild(7)();
    source.emit('SIGINT');
    expect(log).toEqual(['0 carriers of run-1 but  SIGINT']);
  });

  it('keeps an earlier cut, and still stops what runs', () => {
    const { source, controller, log, addChild, interrupt } = setUp();
    addChild(7);
    controller.abort({ kind: 'duration' });
    source.emit('SIGINT');
    expect(controller.signal.reason).toEqual({ kind: 'duration' });
    expect(interrupt.first()?.signal).toBe('SIGINT');
    expect(log).toContain('0 7 SIGINT');
  });

  it('takes listeners and timers away', () => {
    const { timers, source, interrupt, log } = setUp();
    source.emit('SIGINT');
    interrupt.uninstall();
    expect(timers.waiting()).toBe(0);
    source.emit('SIGINT');
    expect(log).toHaveLength(1);
    expect(source.eventNames()).toEqual([]);
  });
});

describe('createChildRegistry', () => {
  it('tells the groups that run after every change', () => {
    const told: (readonly number[])[] = [];
    const registry = createChildRegistry((groups) => void told.push(groups));
    const child = { begin: () => {}, kill: () => {} };
    const remove = registry.add({ group: 1, ...child });
    registry.add({ group: 2, ...child });
    remove();
    remove();
    expect(told).toEqual([[1], [1, 2], [2]]);
  });
});
