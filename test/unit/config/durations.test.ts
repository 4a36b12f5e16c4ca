import { assert, oneof, property, string, stringMatching } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DURATION_PATTERN, MAX_DURATION_MS, readDuration } from '../../../src/config/durations.ts';

const read = (value: unknown, zero = true): unknown => {
  const reading = readDuration(value, { zero });
  return reading.ok ? reading.ms : reading.problem;
};

function isSound(text: string): boolean {
  const reading = readDuration(text, { zero: true });
  if (!reading.ok) return /^(must|has) /.test(reading.problem);
  return Number.isInteger(reading.ms) && reading.ms >= 0 && reading.ms <= MAX_DURATION_MS;
}

function isReadOrTooLong(text: string): boolean {
  const reading = readDuration(text, { zero: true });
  return reading.ok || reading.problem === 'must be at most 24d';
}

describe('readDuration', () => {
  it.each([
    ['90s', 90_000],
    ['15m', 900_000],
    ['8h', 28_800_000],
    ['500ms', 500],
    ['2d', 172_800_000],
    ['1.5h', 5_400_000],
    ['0.1s', 100],
    ['0', 0],
    ['0s', 0],
    [0, 0],
    ['24d', MAX_DURATION_MS],
  ])('%j is %d ms', (text, ms) => expect(read(text)).toBe(ms));

  it('names the units to a number without one', () => {
    expect(read('600')).toBe('has no unit: 600s for seconds, 600m for minutes, 600h for hours');
    expect(read(600)).toBe('has no unit: 600s for seconds, 600m for minutes, 600h for hours');
  });

  it.each(['soon', '-1s', '+1s', '1 h', '15M', '1e3s', '1h30m', '.5s', '5.s', '', 'ms', '1sec', ' 3s', null, true, -1])(
    '%j is no duration',
    (value) => expect(read(value)).toBe(`must be a duration like 90s, 15m or 8h, not ${JSON.stringify(value)}`),
  );

  it('refuses zero where it means nothing', () => {
    expect(read('0', false)).toBe('must be longer than 0');
    expect(read('0m', false)).toBe('must be longer than 0');
    expect(read('1ms', false)).toBe(1);
  });

  it('makes no zero of what is more than zero', () => expect(read('0.0001s', false)).toBe(1));

  it('refuses what a timer of Node could not hold', () => {
    expect(MAX_DURATION_MS).toBeLessThan(2 ** 31);
    expect(read('25d')).toBe('must be at most 24d');
    expect(read('577h')).toBe('must be at most 24d');
    expect(read(`${'9'.repeat(400)}s`)).toBe('must be at most 24d');
  });

  it('gives whole milliseconds within the bounds, or says what is wrong, for any text', () => {
    const texts = oneof(string(), stringMatching(/^\d{1,6}(\.\d{1,3})?(ms|s|m|h|d)?$/));
    expect(() => assert(property(texts, isSound))).not.toThrow();
  });

  it('reads everything that the pattern of the JSON Schema lets through, but for the bounds', () => {
    expect(() => assert(property(stringMatching(DURATION_PATTERN), isReadOrTooLong))).not.toThrow();
  });
});
