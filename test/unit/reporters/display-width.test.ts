import { assert, integer, property, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { displayWidth, ellipsize, padColumns, wrapLine } from '../../../src/reporters/display-width.ts';

describe('displayWidth', () => {
  it.each([
    ['', 0],
    ['plain', 5],
    ['naïve', 5],
    ['nai\u0308ve', 5],
    ['日本語', 6],
    ['ﾊﾝｶｸ', 4],
    ['한국', 4],
    ['🚀', 2],
    ['👩‍👩‍👧', 2],
    ['🇩🇪', 2],
    ['❤️', 2],
    ['✓✗·│', 4],
    ['a\u200bb', 2],
  ])('of %s is %d', (text, width) => {
    expect(displayWidth(text)).toBe(width);
  });
});

describe('ellipsize', () => {
  it.each([
    ['short', 5, 'short'],
    ['longer', 5, 'long…'],
    ['two words', 5, 'two…'],
    ['日本語', 4, '日…'],
    ['日本語', 5, '日本…'],
    ['👩‍👩‍👧👩‍👩‍👧', 3, '👩‍👩‍👧…'],
    ['x', 0, ''],
    ['xy', 1, '…'],
    ['xy', -3, ''],
  ])('%s at %d columns is %s', (text, columns, cut) => {
    expect(ellipsize(text, columns)).toBe(cut);
  });

  it('never gives more columns than asked for', () => {
    assert(
      property(string({ unit: 'grapheme' }), integer({ min: 0, max: 40 }), (text, columns) => {
        expect(displayWidth(ellipsize(text, columns))).toBeLessThanOrEqual(columns);
      }),
    );
  });
});

describe('padColumns', () => {
  it('counts columns, not characters', () => {
    expect([padColumns('日', 4, 'start'), padColumns('日', 4, 'end'), padColumns('long', 2, 'end')]).toEqual([
      '日  ',
      '  日',
      'long',
    ]);
  });
});

describe('wrapLine', () => {
  it.each([
    ['', 10, ['']],
    ['short', 10, ['short']],
    ['one two three', 7, ['one two', 'three']],
    ['one two three', 8, ['one two', 'three']],
    ['abcdefghij', 4, ['abcd', 'efgh', 'ij']],
    ['日本語です', 4, ['日本', '語で', 'す']],
    ['日', 1, ['日']],
    ['    indented', 6, ['    in', 'dented']],
  ])('%j at %d columns', (line, columns, pieces) => {
    expect(wrapLine(line, columns)).toEqual(pieces);
  });

  it('loses nothing but blanks, and each piece fits', () => {
    assert(
      property(string({ unit: 'grapheme', maxLength: 60 }), integer({ min: 2, max: 20 }), (line, columns) => {
        const pieces = wrapLine(line, columns);
        expect(pieces.join('').replace(/\s/gu, '')).toBe(line.replace(/\s/gu, ''));
        for (const piece of pieces) expect(displayWidth(piece)).toBeLessThanOrEqual(columns);
      }),
    );
  });

  it('is quick on a long line of wide characters', () => {
    const start = performance.now();
    wrapLine('日'.repeat(5_000), 80);
    expect(performance.now() - start).toBeLessThan(1_000);
  });
});
