import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LineSplitter } from '../../../src/agent/line-splitter.ts';
import type { Line } from '../../../src/agent/line-splitter.ts';
import { cutAt } from './decode-all.ts';

function split(pieces: readonly Uint8Array[], options = { maxBytes: 100, loneCr: true }): Line[] {
  const lines: Line[] = [];
  const splitter = new LineSplitter(options, (line) => lines.push(line));
  for (const piece of pieces) splitter.push(Buffer.from(piece));
  splitter.end();
  return lines;
}
const texts = (lines: readonly Line[]): string[] => lines.map((line) => line.text);

describe('LineSplitter', () => {
  it('gives the lines of the whole, however the bytes are cut', () => {
    const piece = fc.oneof(fc.constantFrom('\n', '\r', '\r\n', '\0', '🚀', 'é', ''), fc.string({ maxLength: 5 }));
    fc.assert(
      fc.property(fc.array(piece), fc.array(fc.nat(200)), (parts, cuts) => {
        const whole = parts.join('');
        const expected = whole.split(/\r\n|\r|\n/);
        if (expected.at(-1) === '') expected.pop();
        expect(texts(split(cutAt(Buffer.from(whole), cuts), { maxBytes: 10_000, loneCr: true }))).toEqual(expected);
      }),
    );
  });

  it('keeps a lone carriage return in a line of events', () => {
    expect(texts(split([Buffer.from('a\rb\nc')], { maxBytes: 100, loneCr: false }))).toEqual(['a\rb', 'c']);
  });

  it('keeps only the beginning of a line that is too long, and says so', () => {
    const lines = split([Buffer.from(`${'x'.repeat(250)}\nshort`)]);
    expect(lines).toEqual([
      { text: 'x'.repeat(100), cut: true, end: 251 },
      { text: 'short', cut: false, end: 256 },
    ]);
  });

  it('does not hold a line of 100 MB in memory', () => {
    const block = Buffer.alloc(1024 * 1024, 'x');
    let kept = 0;
    const splitter = new LineSplitter({ maxBytes: 1000, loneCr: false }, (line) => (kept = line.text.length));
    const before = process.memoryUsage().arrayBuffers;
    for (let i = 0; i < 100; i += 1) splitter.push(block);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(8 * 1024 * 1024);
    splitter.push(Buffer.from('\n'));
    expect(kept).toBe(1000);
  });

  it('takes a long line in very small pieces', () => {
    const lines: string[] = [];
    const splitter = new LineSplitter({ maxBytes: 1_000_000, loneCr: false }, (line) => lines.push(line.text));
    for (let i = 0; i < 300_000; i += 1) splitter.push(Buffer.from('ab'));
    splitter.end();
    expect(lines).toEqual(['ab'.repeat(300_000)]);
  });

  it('shows what is waiting for its end', () => {
    const splitter = new LineSplitter({ maxBytes: 100, loneCr: true }, () => {});
    splitter.push(Buffer.from('done\nName? '));
    expect(splitter.pending()).toBe('Name? ');
  });

  it('turns what is no UTF-8 into replacement characters', () => {
    expect(texts(split([Buffer.from([0x61, 0x00, 0xff, 0xfe, 0x0a])]))).toEqual(['a\0\ufffd\ufffd']);
  });
});
