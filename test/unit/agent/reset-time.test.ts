import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { epochToMs, parseReset } from '../../../src/agent/reset-time.ts';

const monday = '2026-11-30T11:10:30Z';
const read = (text: string, now = monday, zone = 'UTC'): string | undefined => {
  const ms = parseReset(text, Date.parse(now), zone);
  return ms === undefined ? undefined : new Date(ms).toISOString().replace('.000Z', 'Z');
};

describe('parseReset', () => {
  it.each<[text: string, wanted: string | undefined]>([
    ["You've hit your limit · resets 12:45pm (UTC)", '2026-11-30T12:45:00Z'],
    ["You've hit your limit · resets 1pm (Europe/Lisbon)", '2026-11-30T13:00:00Z'],
    ["You've hit your session limit · resets 3pm (America/New_York)", '2026-11-30T20:00:00Z'],
    ['5-hour limit reached ∙ resets 2am', '2026-12-01T02:00:00Z'],
    ['resets 12am (UTC)', '2026-12-01T00:00:00Z'],
    ['resets 12pm (UTC)', '2026-11-30T12:00:00Z'],
    ['resets at 13:05 UTC', '2026-11-30T13:05:00Z'],
    ['resets 11:09am (UTC)', '2026-12-01T11:09:00Z'],
    ['resets 11:10am (UTC)', '2026-11-30T11:11:00Z'],
    ['Your limit resets 3 p.m. (UTC).', '2026-11-30T15:00:00Z'],
    ['purchase more credits or try again at 1:04 PM.', '2026-11-30T13:04:00Z'],
    ['try again at Dec 4th, 2026 1:04 PM.', '2026-12-04T13:04:00Z'],
    ['resets Jan 5, 3pm (Europe/Berlin)', '2027-01-05T14:00:00Z'],
    ['resets Jan 5 at 3pm (UTC)', '2027-01-05T15:00:00Z'],
    ['resets December 2 (UTC)', '2026-12-02T00:00:00Z'],
    ['resets Nov 29, 3pm (UTC)', undefined],
    ['resets Mon 3pm (UTC)', '2026-11-30T15:00:00Z'],
    ['resets Monday at 9am (UTC)', '2026-12-07T09:00:00Z'],
    ['resets Thu, 9:30am (UTC)', '2026-12-03T09:30:00Z'],
    ['resets tomorrow at 9am (UTC)', '2026-12-01T09:00:00Z'],
    ['Claude AI usage limit reached|1796050800', '2026-11-30T15:00:00Z'],
    ['Claude AI usage limit reached|1796050800000', '2026-11-30T15:00:00Z'],
    ['resets at 2026-12-01T10:00:00+02:00', '2026-12-01T08:00:00Z'],
    ['resets in 2h', '2026-11-30T13:10:30Z'],
    ['try again in 2 hours 30 minutes', '2026-11-30T13:40:30Z'],
    ['Try again in 3 days, 4 hours and 12 minutes.', '2026-12-03T15:22:30Z'],
    ['retry after 90s', '2026-11-30T11:12:00Z'],
    ["You've hit your limit · resets 1pm (Mars/Olympus)", undefined],
    ["You've hit your limit", undefined],
    ['resets 13pm (UTC)', undefined],
    ['resets 12:75pm (UTC)', undefined],
    ['resets 25:00 (UTC)', undefined],
    ['resets 3 (UTC)', undefined],
    ['resets soon', undefined],
    ['try again in a moment', undefined],
    ['it was 3pm when it failed', undefined],
    ['reached|12', undefined],
  ])('%j: %s', (text, wanted) => expect(read(text)).toBe(wanted));

  it('means a clock without a zone to be local', () => {
    expect(read('resets 2am', monday, 'Asia/Tokyo')).toBe('2026-11-30T17:00:00Z');
    expect(read('resets 9pm', monday, 'Asia/Tokyo')).toBe('2026-11-30T12:00:00Z');
    expect(read('resets 8pm', monday, 'Asia/Tokyo')).toBe('2026-12-01T11:00:00Z');
  });

  it('takes the day from the zone, not from UTC', () => {
    // 23:30 UTC on the 30th is the 1st in Tokyo and still the 30th in New York.
    expect(read('resets 9am (Asia/Tokyo)', '2026-11-30T23:30:00Z')).toBe('2026-12-01T00:00:00Z');
    expect(read('resets 7pm (America/New_York)', '2026-11-30T23:30:00Z')).toBe('2026-12-01T00:00:00Z');
    expect(read('resets Dec 1, 8am (Asia/Tokyo)', '2026-11-30T20:30:00Z')).toBe('2026-11-30T23:00:00Z');
    expect(read('resets 1am (UTC)', '2026-12-31T23:59:00Z')).toBe('2027-01-01T01:00:00Z');
  });

  it('knows when clocks are changed', () => {
    // Berlin: put forward on 2026-03-29 at 2:00, put back on 2026-10-25 at 3:00.
    expect(read('resets 3am (Europe/Berlin)', '2026-03-28T23:00:00Z')).toBe('2026-03-29T01:00:00Z');
    expect(read('resets 2:30am (Europe/Berlin)', '2026-03-28T23:00:00Z')).toBe('2026-03-29T01:30:00Z');
    expect(read('resets 2:30am (Europe/Berlin)', '2026-10-24T22:00:00Z')).toBe('2026-10-25T00:30:00Z');
    expect(read('resets 2:30am (Europe/Berlin)', '2026-10-25T00:45:00Z')).toBe('2026-10-25T01:30:00Z');
    expect(read('resets 4am (Europe/Berlin)', '2026-10-24T22:00:00Z')).toBe('2026-10-25T03:00:00Z');
    expect(read('resets 11pm (Australia/Lord_Howe)', '2026-11-30T11:10:30Z')).toBe('2026-11-30T12:00:00Z');
  });

  it('gives a clock within the next day that shows what was said', () => {
    const zones = ['UTC', 'Europe/Lisbon', 'America/New_York', 'Asia/Kolkata', 'Pacific/Auckland', 'America/Sao_Paulo'];
    fc.assert(
      fc.property(
        fc.integer({ min: 1_767_225_600, max: 1_830_000_000 }),
        fc.constantFrom(...zones),
        fc.nat(1439),
        (second, zone, minutes) => {
          const now = second * 1000;
          const hour = Math.floor(minutes / 60);
          const said = `resets ${hour % 12 === 0 ? 12 : hour % 12}:${String(minutes % 60).padStart(2, '0')}${hour < 12 ? 'am' : 'pm'} (${zone})`;
          const at = parseReset(said, now, 'UTC') ?? Number.NaN;
          expect(at).toBeGreaterThanOrEqual(now);
          expect(at - now).toBeLessThanOrEqual(25 * 3_600_000);
        },
      ),
    );
  });

  it('costs no more than its length', () => {
    const start = performance.now();
    for (const part of ['try again in ', 'resets 1', 'resets mon ', 'resets jan 5, ', '1 h and ', 'resets in 1h '])
      parseReset(part.repeat(5_000), 0, 'UTC');
    expect(performance.now() - start).toBeLessThan(2_000);
  });
});

describe('epochToMs', () => {
  it('knows seconds from milliseconds, and neither from anything else', () => {
    expect([1_796_044_016, 1_796_044_016_000, 0, -5, undefined].map(epochToMs)).toEqual([
      1_796_044_016_000,
      1_796_044_016_000,
      undefined,
      undefined,
      undefined,
    ]);
  });
});
