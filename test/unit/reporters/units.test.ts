import { describe, expect, it } from 'vitest';
import {
  countTokens,
  formatCount,
  formatDuration,
  formatElapsed,
  formatLeft,
  formatMoment,
  formatMoney,
  formatTokens,
} from '../../../src/reporters/units.ts';

const minute = 60_000;
const hour = 60 * minute;

describe('durations', () => {
  it.each([
    [-5, '0.0s'],
    [0, '0.0s'],
    [49, '0.0s'],
    [400, '0.4s'],
    [59_940, '59.9s'],
    [59_960, '1m 00s'],
    [65_000, '1m 05s'],
    [hour - 400, '1h 00m'],
    [2 * hour + 7 * minute + 59_000, '2h 07m'],
    [27 * hour, '1d 03h'],
  ])('%d ms is %s', (ms, text) => {
    expect(formatDuration(ms)).toBe(text);
  });

  it('of a running clock are rounded down, of a wait up', () => {
    expect([formatElapsed(4_999), formatElapsed(65_999), formatElapsed(-1)]).toEqual(['4s', '1m 05s', '0s']);
    expect([formatLeft(4_001), formatLeft(59_001), formatLeft(0), formatLeft(-1)]).toEqual([
      '5s',
      '1m 00s',
      '0s',
      '0s',
    ]);
  });
});

describe('amounts', () => {
  it.each([
    [0, '$0.00'],
    [0.004, '<$0.01'],
    [0.005, '$0.01'],
    [0.42, '$0.42'],
    [1234.5, '$1234.50'],
  ])('%d dollars are %s', (usd, text) => {
    expect(formatMoney(usd)).toBe(text);
  });

  it.each([
    [950, '950'],
    [1_000, '1k'],
    [12_340, '12.3k'],
    [999_949, '999.9k'],
    [999_950, '1M'],
    [1_250_000, '1.3M'],
  ])('a count of %d is %s', (number, text) => {
    expect(formatCount(number)).toBe(text);
  });

  it('count the cache as what went in', () => {
    const tokens = { input: 1_000, output: 500, cacheRead: 10_000, cacheCreation: 500 };
    expect(formatTokens(tokens)).toBe('12k tokens (11.5k in, 500 out)');
    expect(countTokens(tokens)).toBe(12_000);
  });
});

describe('a moment', () => {
  const now = Date.parse('2026-03-09T23:30:00Z');
  it.each([
    ['2026-03-09T23:59:00Z', 'UTC', '23:59'],
    ['2026-03-10T00:05:00Z', 'UTC', 'Tue 00:05'],
    ['2026-03-10T00:05:00Z', 'America/New_York', '20:05'],
    ['2026-03-20T08:00:00Z', 'UTC', '2026-03-20 08:00'],
  ])('%s in %s is %s', (moment, zone, text) => {
    expect(formatMoment(Date.parse(moment), now, zone)).toBe(text);
  });
});
