import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dateOf, slugOf } from '../../../src/archive/slug.ts';

describe('slugOf', () => {
  it.each([
    ['ralph/feature', 'feature'],
    ['ralph/ralph/x', 'ralph-x'],
    ['feature', 'feature'],
    ['feat/api/v2', 'feat-api-v2'],
    ['foo/ralph/bar', 'foo-ralph-bar'],
    ['ralph/größe & mehr', 'gr-e-mehr'],
    ['a//b  c', 'a-b-c'],
    ['ralph/.hidden', 'hidden'],
    ['...', 'feature'],
    ['ralph/', 'feature'],
    ['', 'feature'],
    [' ralph/x\r\n', 'x'],
    ['Under_score.1.2-x', 'Under_score.1.2-x'],
    ['../../../../escape', '-..-..-..-escape'],
  ])('%j → %s', (branch, slug) => expect(slugOf(branch)).toBe(slug));

  it('is always a plain, visible folder name of at most 80 characters', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: 'binary', maxLength: 200 }), fc.string({ unit: 'grapheme' })),
        (branch) => {
          expect(slugOf(branch)).toMatch(/^[A-Za-z0-9_-][A-Za-z0-9._-]{0,79}$/);
        },
      ),
    );
  });

  it('keeps a name that is fit already', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Za-z0-9_-][A-Za-z0-9._-]{0,79}$/), (name) => {
        expect(slugOf(name)).toBe(name);
        expect(slugOf(`ralph/${name}`)).toBe(name);
      }),
    );
  });
});

describe('dateOf', () => {
  it('is the local date, not that of UTC', () => {
    const date = new Date(2026, 0, 5, 0, 30);
    expect(dateOf(date.getTime())).toBe('2026-01-05');
    expect(dateOf(new Date(2026, 11, 31, 23, 59).getTime())).toBe('2026-12-31');
  });
});
