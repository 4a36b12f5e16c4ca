import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { numberedName, safeName } from '../../../src/run-folder/safe-name.ts';

describe('safeName', () => {
  it('leaves plain names alone', () => {
    for (const name of ['gate-lint.log', 'output-2.log', 'prompt.md']) expect(safeName(name)).toBe(name);
  });

  it('makes a file name of anything', () => {
    expect(safeName('gate-npm run "lint" && ../../x.log')).toBe('gate-npm-run-lint-..-..-x.log');
    expect(safeName('../..')).toBe('unnamed');
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (name) => {
        expect(safeName(name)).toMatch(/^[A-Za-z0-9_][A-Za-z0-9._-]{0,79}$/);
      }),
    );
  });

  it('keeps the extension of a name that is too long', () => {
    const name = safeName(`gate-${'x'.repeat(300)}.log`);
    expect(name).toHaveLength(80);
    expect(name).toMatch(/x\.log$/);
  });
});

describe('numberedName', () => {
  it('puts the number before the extension', () => {
    expect([1, 2, 3].map((number) => numberedName('gate-a.log', number))).toEqual([
      'gate-a.log',
      'gate-a-2.log',
      'gate-a-3.log',
    ]);
    expect(numberedName('stop', 2)).toBe('stop-2');
  });
});
