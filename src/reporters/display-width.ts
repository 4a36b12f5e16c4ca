/**
 * How wide a text is on a terminal, and cutting it to a width. Clean text is assumed (no control codes).
 *
 * A few lines of its own instead of a package: it decides only where a line is cut, and the tables of emoji and combining
 * marks are in the regular expressions of the engine.
 */

let segmenter: Intl.Segmenter | undefined;
/** Making a segmenter takes 20 ms: only a text that is not plain has need of one. */
function graphemesOf(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  return segmenter.segment(text);
}

const asciiOnly = /^[\u0020-\u007e]*$/u;
const invisible = /^[\p{Mark}\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}]+$/u;
const emoji = /^(?:\p{Emoji_Presentation}|\p{RI}\p{RI}|\p{Extended_Pictographic}\p{Emoji_Modifier}|.\u{fe0f})/u;
// East Asian Wide and Fullwidth (Unicode Standard Annex 11) outside of the emoji
const wide =
  /^[\u1100-\u115f\u2329\u232a\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6b\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18aff}\u{1aff0}-\u{1b2fb}\u{1f200}-\u{1f265}\u{20000}-\u{3fffd}]/u;

/** Columns that a text takes on a terminal. */
export function displayWidth(text: string): number {
  if (asciiOnly.test(text)) return text.length;
  let width = 0;
  for (const { segment } of graphemesOf(text)) width += graphemeWidth(segment);
  return width;
}

function graphemeWidth(grapheme: string): number {
  if (invisible.test(grapheme)) return 0;
  return emoji.test(grapheme) || wide.test(grapheme) ? 2 : 1;
}

/** The text, cut between characters so that it takes at most `columns`; what was cut ends with an ellipsis. */
export function ellipsize(text: string, columns: number): string {
  if (displayWidth(text) <= columns) return text;
  return columns < 1 ? '' : `${takeColumns(text, columns - 1).trimEnd()}…`;
}

/** The text with blanks up to a width; `end` moves it to the right. */
export function padColumns(text: string, columns: number, align: 'start' | 'end'): string {
  const blanks = ' '.repeat(Math.max(0, columns - displayWidth(text)));
  return align === 'start' ? text + blanks : blanks + text;
}

/** Breaks one line into pieces of at most `columns`, between words where there is one; nothing but blanks at a break is lost. */
export function wrapLine(line: string, columns: number): string[] {
  const pieces: string[] = [];
  let rest = line;
  for (;;) {
    const taken = takeColumns(rest, columns) || firstGrapheme(rest);
    if (taken.length === rest.length) break;
    const blank = rest[taken.length] === ' ' ? taken.length : taken.lastIndexOf(' ');
    const isWordBreak = blank > 0 && taken.slice(0, blank).trim() !== '';
    const end = isWordBreak ? blank : taken.length;
    pieces.push(rest.slice(0, end).trimEnd());
    rest = isWordBreak ? rest.slice(end).trimStart() : rest.slice(end);
  }
  if (rest !== '' || pieces.length === 0) pieces.push(rest);
  return pieces;
}

function takeColumns(text: string, columns: number): string {
  const head = text.slice(0, columns + 1);
  if (asciiOnly.test(head)) return text.slice(0, columns);
  let width = 0;
  let end = 0;
  for (const { segment } of graphemesOf(text)) {
    width += graphemeWidth(segment);
    if (width > columns) break;
    end += segment.length;
  }
  return text.slice(0, end);
}

function firstGrapheme(text: string): string {
  for (const { segment } of graphemesOf(text)) return segment;
  return '';
}
