import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTail } from '../../../src/process/tail.ts';

function tailOf(limit: number, chunks: readonly Uint8Array[]): string {
  const tail = createTail(limit);
  for (const chunk of chunks) tail.write(chunk);
  return tail.text();
}

describe('createTail', () => {
  it('keeps the last bytes, however they came', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 20 }),
        fc.array(fc.string({ unit: 'binary-ascii', maxLength: 50 })),
        (limit, texts) => {
          const tail = tailOf(
            limit,
            texts.map((text) => Buffer.from(text)),
          );
          expect(tail).toBe(texts.join('').slice(-limit));
        },
      ),
    );
  });

  it('is cut between characters', () => {
    const euros = Buffer.from('€'.repeat(10));
    for (let limit = 3; limit < 30; limit += 1) expect(tailOf(limit, [euros])).toBe('€'.repeat(Math.floor(limit / 3)));
  });

  it('shows a character that came in two chunks', () => {
    const [a, b] = [Buffer.from([0xe2, 0x82]), Buffer.from([0xac])];
    expect(tailOf(100, [a, b])).toBe('€');
  });

  it('tolerates what is no UTF-8', () => {
    expect(tailOf(100, [Buffer.from([0x61, 0xff, 0x00, 0x62])])).toBe('a\ufffd\0b');
    expect(tailOf(4, [Buffer.alloc(20, 0x80)])).toBe('\ufffd');
  });
});
