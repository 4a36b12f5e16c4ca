import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutHead, cutTail } from '../../../src/prompt/cut.ts';

const texts = fc.string({ unit: 'grapheme', maxLength: 60 });
const limits = fc.integer({ min: 0, max: 100 });

describe('cutHead and cutTail', () => {
  it('keep within the limit, between characters, and lose no more than a part of one character', () => {
    fc.assert(
      fc.property(texts, limits, (text, limit) => {
        const size = Buffer.byteLength(text);
        for (const cut of [cutHead(text, limit), cutTail(text, limit)]) {
          const kept = Buffer.byteLength(cut);
          expect(kept).toBeLessThanOrEqual(limit);
          expect(kept).toBeGreaterThanOrEqual(Math.min(size, limit - 3));
        }
        expect(text.startsWith(cutHead(text, limit))).toBe(true);
        expect(text.endsWith(cutTail(text, limit))).toBe(true);
      }),
    );
  });

  it('leave a text that fits alone', () => {
    expect(cutHead('é€😀', 9)).toBe('é€😀');
    expect(cutTail('é€😀', 9)).toBe('é€😀');
    expect(cutHead('é€😀', 8)).toBe('é€');
    expect(cutTail('é€😀', 8)).toBe('€😀');
  });
});
