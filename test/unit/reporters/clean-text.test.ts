import { array, assert, constantFrom, oneof, property, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cleanLine, cleanLines, cleanText } from '../../../src/reporters/clean-text.ts';

const controls = new RegExp(String.raw`[\u0000-\u0008\u000b-\u001f\u007f-\u009f]`, 'u');

describe('cleanText', () => {
  it.each([
    ['colours', '\u001b[32mgreen\u001b[0m', 'green'],
    ['cursor moves and modes', '\u001b[1A\u001b[2K\u001b[?25lx', 'x'],
    ['a window title', '\u001b]0;owned\u0007x', 'x'],
    ['a link', '\u001b]8;;http://a.b\u001b\\text\u001b]8;;\u001b\\', 'text'],
    ['a title that never ends', 'x\u001b]0;title\ny', 'x\ny'],
    ['eight-bit codes', '\u009b31mred\u009d0;t\u009cx', 'redx'],
    ['short escapes', '\u001bM\u001b(B\u001b=x\u001b', 'x'],
    ['a lone carriage return', '10%\r50%\r\n100%', '10%\n50%\n100%'],
    ['bell, backspace, NUL and DEL', 'a\u0007\u0008\u0000\u007fb', 'ab'],
    ['tabs and other text', 'a\tb 🚀 日本', 'a\tb 🚀 日本'],
  ])('%s', (_, text, clean) => {
    expect(cleanText(text)).toBe(clean);
  });

  it('never leaves a control code, whatever it is given', () => {
    const piece = constantFrom(
      '\u001b',
      '[',
      ']',
      '0',
      ';',
      'm',
      '\u0007',
      '\u009b',
      '\u009c',
      '\r',
      '\n',
      'a',
      '\\',
      'é',
    );
    assert(
      property(array(oneof(piece, string()), { maxLength: 30 }), (pieces) => {
        expect(cleanText(pieces.join(''))).not.toMatch(controls);
      }),
    );
  });

  it('is quick on hostile text', () => {
    const text = `${'\u001b['.repeat(100_000)}${'\u001b]'.repeat(100_000)}`;
    const start = performance.now();
    cleanText(text);
    expect(performance.now() - start).toBeLessThan(1_000);
  });
});

describe('lines', () => {
  it('have none for the final line feed, and keep empty ones within', () => {
    expect(cleanLines('a\n\nb\n')).toEqual(['a', '', 'b']);
    expect(cleanLines('')).toEqual(['']);
  });

  it('can be made one', () => {
    expect(cleanLine(' a\u001b[1m\r\n\tb  c ')).toBe('a b c');
  });
});
