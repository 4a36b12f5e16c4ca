import { describe, expect, it } from 'vitest';
import { createIdleClock } from '../../../src/process/idle-clock.ts';
import type { Silence } from '../../../src/process/idle-clock.ts';
import { createFakeTimers } from './fake-timers.ts';

const MINUTE = 60_000;

const quarter: Silence = { ms: 15 * MINUTE, why: 'idle' };

function setUp(first: Silence | undefined) {
  const timers = createFakeTimers();
  const ends: string[] = [];
  const start = timers.now();
  let allowed = first;
  const clock = createIdleClock(
    timers,
    () => allowed,
    (why) => void ends.push(`${Math.round((timers.now() - start) / 1_000)} ${why}`),
  );
  const allow = (silence: Silence | undefined): void => {
    allowed = silence;
  };
  return { timers, ends, clock, allow };
}

describe('createIdleClock', () => {
  it('calls once after a silence of the allowed length', () => {
    const { timers, ends } = setUp(quarter);
    timers.advance(15 * MINUTE - 1);
    expect(ends).toEqual([]);
    timers.advance(30 * MINUTE);
    expect(ends).toEqual(['900 idle']);
    expect(timers.waiting()).toBe(0);
  });

  it('counts from the newest byte', () => {
    const { timers, ends, clock } = setUp(quarter);
    for (let i = 0; i < 10; i += 1) {
      timers.advance(14 * MINUTE);
      clock.touch();
    }
    expect(ends).toEqual([]);
  });

  it('starts anew when the clock has jumped, at each jump', () => {
    const { timers, ends } = setUp(quarter);
    timers.advance(14 * MINUTE);
    timers.jump(8 * 60 * MINUTE);
    timers.advance(14 * MINUTE);
    timers.jump(2 * MINUTE);
    timers.advance(14 * MINUTE);
    expect(ends).toEqual([]);
    timers.advance(2 * MINUTE);
    expect(ends).toHaveLength(1);
  });

  it('sees a jump that ends before the silence would have been too long', () => {
    const { timers, ends } = setUp(quarter);
    timers.advance(MINUTE);
    timers.jump(13 * MINUTE);
    timers.advance(14 * MINUTE);
    expect(ends).toEqual([]);
  });

  it('waits for output that came while ralph itself was held up', () => {
    const { timers, ends, clock } = setUp({ ms: 3_000, why: 'idle' });
    timers.jump(4_000);
    clock.touch();
    timers.advance(2_000);
    expect(ends).toEqual([]);
  });

  it('needs only a short silence once the result has been seen', () => {
    const { timers, ends, clock, allow } = setUp(quarter);
    timers.advance(MINUTE);
    allow({ ms: 10_000, why: 'silent-after-result' });
    clock.touch();
    timers.advance(9_000);
    clock.touch();
    timers.advance(9_000);
    expect(ends).toEqual([]);
    timers.advance(2_000);
    expect(ends).toEqual(['79 silent-after-result']);
  });

  it('never calls while silence is allowed for ever, but does once it no longer is', () => {
    const { timers, ends, clock, allow } = setUp(undefined);
    timers.advance(24 * 60 * MINUTE);
    expect(ends).toEqual([]);
    allow({ ms: 10_000, why: 'silent-after-result' });
    clock.touch();
    timers.advance(11_000);
    expect(ends).toHaveLength(1);
  });

  it('takes its timer away', () => {
    const { timers, clock } = setUp(quarter);
    clock.stop();
    expect(timers.waiting()).toBe(0);
  });
});
