import { describe, expect, it } from 'vitest';
import { agentLadder, commandLadder, createGroupStop } from '../../../src/process/group.ts';
import { createFakeTimers } from './fake-timers.ts';

function setUp() {
  const timers = createFakeTimers();
  const log: string[] = [];
  const start = timers.now();
  const note = (what: string): void => void log.push(`${timers.now() - start} ${what}`);
  const stop = createGroupStop({
    timers,
    send: note,
    release: () => note('release'),
    giveUp: () => note('give up'),
  });
  return { timers, log, stop };
}

describe('createGroupStop', () => {
  it('climbs INT, TERM after 5 s, KILL after 8 s, and then lets go in bounded time', () => {
    const { timers, log, stop } = setUp();
    stop.begin(agentLadder);
    timers.advance(60_000);
    expect(log).toEqual(['0 SIGINT', '5000 SIGTERM', '8000 SIGKILL', '8500 release', '9000 give up']);
    expect(timers.waiting()).toBe(0);
  });

  it('sends TERM and KILL after 5 s to a gate', () => {
    const { timers, log, stop } = setUp();
    stop.begin(commandLadder);
    timers.advance(5_000);
    expect(log).toEqual(['0 SIGTERM', '5000 SIGKILL']);
  });

  it('keeps the ladder that is under way', () => {
    const { timers, log, stop } = setUp();
    stop.begin(commandLadder);
    timers.advance(2_000);
    stop.begin(agentLadder);
    timers.advance(10_000);
    expect(log.slice(0, 2)).toEqual(['0 SIGTERM', '5000 SIGKILL']);
    expect(log).not.toContain('2000 SIGINT');
  });

  it('kills at once, whether or not a ladder is under way', () => {
    const { timers, log, stop } = setUp();
    stop.begin(agentLadder);
    timers.advance(1_000);
    stop.kill();
    timers.advance(60_000);
    expect(log).toEqual(['0 SIGINT', '1000 SIGKILL', '1500 release', '2000 give up']);
    expect(stop.state()).toBe('killed');
  });

  it('sends nothing after the end of the child, since its number may be given away', () => {
    const { timers, log, stop } = setUp();
    stop.begin(agentLadder);
    stop.end();
    stop.kill();
    timers.advance(60_000);
    expect(log).toEqual(['0 SIGINT']);
    expect(timers.waiting()).toBe(0);
  });
});
