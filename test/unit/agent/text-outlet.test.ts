import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { displayText, shorten } from '../../../src/agent/display-text.ts';
import { TextOutlet, splitText } from '../../../src/agent/text-outlet.ts';
import { summarizeTool } from '../../../src/agent/tool-summary.ts';

const KIB = 1024;

function collect(feed: (outlet: TextOutlet) => void): string[] {
  const texts: string[] = [];
  feed(new TextOutlet((text) => texts.push(text)));
  return texts;
}

describe('splitText', () => {
  it('loses nothing, tears no character and keeps to the bound', () => {
    const text = fc
      .array(fc.oneof(fc.constantFrom('\n', '🚀', 'é'), fc.string({ unit: 'grapheme', maxLength: 5 })))
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, fc.integer({ min: 4, max: 20 }), (whole, max) => {
        const pieces = [...splitText(whole, max)];
        for (const piece of pieces) expect(Buffer.byteLength(piece)).toBeLessThanOrEqual(max);
        // Only the line breaks at which it was cut may be missing.
        expect(pieces.join('').replaceAll('\n', '')).toBe(Buffer.from(whole).toString().replaceAll('\n', ''));
      }),
    );
  });
});

describe('TextOutlet', () => {
  it('hands out at most 16 KiB at once and 8 MiB in all, and says once that there is more', () => {
    const texts = collect((outlet) => {
      for (let i = 0; i < 30; i += 1) outlet.show('é'.repeat(300 * KIB));
    });
    expect(Math.max(...texts.map((text) => Buffer.byteLength(text)))).toBeLessThanOrEqual(16 * KIB);
    expect(texts.map((text) => Buffer.byteLength(text)).reduce((a, b) => a + b)).toBeLessThanOrEqual(8 * KIB * KIB);
    expect(texts.filter((text) => text.includes('there is more'))).toHaveLength(1);
    expect(texts.at(-1)).toContain('there is more');
  });

  it('counts what an event costs, so that very short lines are bounded, too', () => {
    const texts = collect((outlet) => {
      for (let i = 0; i < 100_000; i += 1) outlet.show('x');
    });
    expect(texts.length).toBeLessThan(60_000);
  });

  it('shows no control codes and nothing for nothing', () => {
    expect(
      collect((outlet) =>
        ['\u001b[31mred\u001b[0m\u0007', '', '\n\n', '\u001b[2K'].forEach((text) => outlet.show(text)),
      ),
    ).toEqual(['red']);
  });
});

describe('displayText', () => {
  it.each([
    ['a\rb\r\nc', 'a\nb\nc'],
    ['\u001b[1;32mx\u001b[0m\u001b[?25l', 'x'],
    ['\u001b]0;title\u0007x\u001b]8;;http://a\u001b\\y', 'xy'],
    ['\u001bPdata\u001b\\x\u001b(By\u001b=z', 'xyz'],
    ['a\0b\u0008c\u007fd\u009b31me\tf', 'abcde\tf'],
    ['\u001b', ''],
    ['\u001b]0;no end\nthe next line', '\nthe next line'],
  ])('%j is shown as %j', (text, wanted) => expect(displayText(text)).toBe(wanted));

  it('leaves no control code of any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(displayText(text)).not.toMatch(/[^\P{Cc}\t\n]/u);
      }),
    );
  });
});

describe('shorten', () => {
  it('cuts between characters', () => {
    expect(shorten('ab🚀cd', 4)).toBe('ab…');
    expect(shorten('abcd', 4)).toBe('abcd');
  });
});

describe('summarizeTool', () => {
  it.each([
    [{ description: 'run tests', command: 'npm test' }, 'npm test'],
    [{ file_path: 'src/a.ts', content: 'x'.repeat(1e6) }, 'src/a.ts'],
    [{ command: 'cat <<EOF\n  one\n\ttwo\u001b[0m\nEOF' }, 'cat <<EOF one two EOF'],
    [{ other: 7, text: 'hello' }, 'hello'],
    [{ command: ['bash', '-c'] }, ''],
    [{}, ''],
  ])('%# is one line', (input, wanted) => expect(summarizeTool(input)).toBe(wanted));

  it('is bounded', () => expect(summarizeTool({ command: 'x'.repeat(10_000) })).toHaveLength(200));
});
