/** A log in its three regions; joined they are the text. */
export interface LogRegions {
  /** What stands in front of patterns and entries. */
  readonly header: string;
  /** The `## Codebase Patterns` part where it is on top, in front of the first entry; else undefined. */
  readonly patterns: string | undefined;
  readonly entries: string;
}

const PATTERNS = /^\uFEFF?\s*#{1,3}[ \t]+codebase[ \t]+patterns\b/i;
const HEADER = /^\uFEFF?\s*#[ \t]+ralph progress log\b/i;

/** Is this part one of patterns (`## Codebase Patterns`)? */
export function isPatterns(part: string): boolean {
  return PATTERNS.test(part);
}

/** Is this part the header of a log (`# Ralph Progress Log`)? */
export function isHeader(part: string): boolean {
  return HEADER.test(part);
}

/** Looks no further than to the end of the patterns, or to the first other heading of level two. */
export function splitLog(text: string): LogRegions {
  for (let start = 0; start < text.length; start = nextLine(text, start)) {
    if (!/^\uFEFF?#/.test(text.slice(start, start + 2))) continue;
    const line = text.slice(start, nextLine(text, start));
    if (isPatterns(line)) {
      const end = partEnd(text, start);
      return { header: text.slice(0, start), patterns: text.slice(start, end), entries: text.slice(end) };
    }
    if (/^\uFEFF?##[ \t]/.test(line)) break;
  }
  const end = isHeader(text) ? partEnd(text, text.indexOf('#')) : 0;
  return { header: text.slice(0, end), patterns: undefined, entries: text.slice(end) };
}

/**
 * The parts of a text; joined they are the text. A part begins at the start, at a heading of level one or two, or behind a line
 * `---`; it ends with its own `---` and the blank lines behind it.
 */
export function cutParts(text: string): string[] {
  const parts: string[] = [];
  for (let start = 0; start < text.length;) {
    const end = partEnd(text, start);
    parts.push(text.slice(start, end));
    start = end;
  }
  return parts;
}

/** Where the part that holds this offset ends. */
function partEnd(text: string, offset: number): number {
  let start = offset;
  while (start < text.length && !isSeparator(text, start)) {
    start = nextLine(text, start);
    if (isHeading(text, start)) return start;
  }
  while (start < text.length && (isBlankLine(text, start) || isSeparator(text, start))) start = nextLine(text, start);
  return start;
}

function isBlankLine(text: string, start: number): boolean {
  const code = text.charCodeAt(start);
  return code === 0x0a || (code <= 0x20 && text.slice(start, nextLine(text, start)).trim() === '');
}

function nextLine(text: string, offset: number): number {
  const end = text.indexOf('\n', offset);
  return end === -1 ? text.length : end + 1;
}

function isHeading(text: string, start: number): boolean {
  return text[start] === '#' && /^##?[ \t]/.test(text.slice(start, start + 3));
}

function isSeparator(text: string, start: number): boolean {
  return text.startsWith('---', start) && /^-{3,}\s*$/.test(text.slice(start, nextLine(text, start)));
}

/** A text behind which another one begins a part of its own, put to the front of it. */
export function closePart(part: string, next: string, lineBreak: string): string {
  if (part === '' || next === '' || isHeading(next.trimStart(), 0) || /(?:^|\n)-{3,}\s*$/.test(part.slice(-200)))
    return part;
  return `${part}${part.endsWith('\n') ? '' : lineBreak}---${lineBreak}`;
}

/** Nothing but white space and separators. */
export function isBlank(part: string): boolean {
  return !/[^\s\uFEFF-]/.test(part) && linesOf(part).length === 0;
}

/** The lines of a part that say something, without white space at their ends: parts with the same ones count as the same. */
export function linesOf(part: string): string[] {
  return part
    .replace(/^\uFEFF/, '')
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '' && !/^-{3,}$/.test(line));
}

/** The line break that a text uses. */
export function lineBreakOf(text: string): string {
  return /\r?\n/.exec(text)?.[0] ?? '\n';
}
