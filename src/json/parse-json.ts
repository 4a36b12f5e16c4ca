import { JsonSyntaxError } from './json-syntax-error.ts';
import type { OpenPart } from './json-syntax-error.ts';
import { formatPlace } from './json-tree.ts';
import type { DuplicateKey, JsonDocument, JsonMember, JsonNode } from './json-tree.ts';

/** Deeper nesting is refused instead of overflowing the stack. */
const MAX_DEPTH = 400;

interface Scanner {
  readonly text: string;
  offset: number;
  /** Objects and lists that have begun and not ended, the innermost last. */
  readonly open: { kind: OpenPart['kind']; start: number }[];
  readonly path: (string | number)[];
  readonly duplicates: DuplicateKey[];
}

/**
 * Parses strict JSON (RFC 8259; it accepts exactly what `JSON.parse` accepts, and a byte order mark in front) and keeps the
 * place of every key and value.
 *
 * @throws {JsonSyntaxError} with line, column, what was expected and found, and what is still open
 */
export function parseJson(text: string): JsonDocument {
  const scanner: Scanner = {
    text,
    offset: text.startsWith('\uFEFF') ? 1 : 0,
    open: [],
    path: [],
    duplicates: [],
  };
  const root = readValue(scanner, 'a value');
  skipBlank(scanner);
  if (scanner.offset < text.length) throw failure(scanner, 'the end of the file');
  return { text, root, duplicates: scanner.duplicates };
}

function readValue(scanner: Scanner, expected: string): JsonNode {
  skipBlank(scanner);
  const char = scanner.text[scanner.offset];
  if (char === '{') return readObject(scanner);
  if (char === '[') return readArray(scanner);
  const start = scanner.offset;
  if (char === '"') {
    const value = readString(scanner);
    return { kind: 'scalar', start, end: scanner.offset, value };
  }
  const word = /true(?![\w$])|false(?![\w$])|null(?![\w$])/y;
  word.lastIndex = start;
  const literal = word.exec(scanner.text)?.[0] ?? readNumber(scanner);
  if (literal === undefined) throw failure(scanner, expected);
  scanner.offset = start + literal.length;
  return { kind: 'scalar', start, end: scanner.offset, value: JSON.parse(literal) };
}

/** The text of a number at the offset; what follows it is judged by whoever expects a comma or bracket there. */
function readNumber(scanner: Scanner): string | undefined {
  const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
  number.lastIndex = scanner.offset;
  return number.exec(scanner.text)?.[0];
}

function readObject(scanner: Scanner): JsonNode {
  const start = enter(scanner, 'object');
  const members: JsonMember[] = [];
  const seen = new Set<string>();
  skipBlank(scanner);
  if (scanner.text[scanner.offset] !== '}') {
    do {
      members.push(
        readMember(scanner, seen, members.length === 0 ? 'a key in double quotes or "}"' : 'a key in double quotes'),
      );
    } while (readSeparator(scanner, '}'));
  }
  return { kind: 'object', start, end: leave(scanner), members };
}

function readMember(scanner: Scanner, seen: Set<string>, expected: string): JsonMember {
  skipBlank(scanner);
  const start = scanner.offset;
  if (scanner.text[start] !== '"') throw failure(scanner, expected);
  const key = readString(scanner);
  const end = scanner.offset;
  scanner.path.push(key);
  if (seen.has(key)) scanner.duplicates.push({ path: [...scanner.path], start });
  seen.add(key);
  skipBlank(scanner);
  if (scanner.text[scanner.offset] !== ':') throw failure(scanner, `":" after the key ${JSON.stringify(key)}`);
  scanner.offset += 1;
  const value = readValue(scanner, `a value for ${JSON.stringify(key)}`);
  scanner.path.pop();
  return { key, start, end, value };
}

function readArray(scanner: Scanner): JsonNode {
  const start = enter(scanner, 'list');
  const items: JsonNode[] = [];
  skipBlank(scanner);
  if (scanner.text[scanner.offset] !== ']') {
    do {
      scanner.path.push(items.length);
      items.push(readValue(scanner, items.length === 0 ? 'a value or "]"' : 'a value'));
      scanner.path.pop();
    } while (readSeparator(scanner, ']'));
  }
  return { kind: 'array', start, end: leave(scanner), items };
}

/** True after a comma, false before the closing bracket, which is left to `leave`. */
function readSeparator(scanner: Scanner, close: '}' | ']'): boolean {
  skipBlank(scanner);
  const char = scanner.text[scanner.offset];
  if (char === close) return false;
  if (char !== ',') throw failure(scanner, `"," or "${close}"`);
  const comma = scanner.offset;
  scanner.offset += 1;
  skipBlank(scanner);
  if (scanner.text[scanner.offset] === close) {
    scanner.offset = comma;
    const expected = close === '}' ? 'the end of the object' : 'the end of the list';
    throw failure(scanner, expected, `JSON allows no comma before "${close}"`);
  }
  return true;
}

function enter(scanner: Scanner, kind: 'object' | 'list'): number {
  const start = scanner.offset;
  if (scanner.open.length >= MAX_DEPTH) throw failure(scanner, `at most ${MAX_DEPTH} levels of objects and lists`);
  scanner.open.push({ kind, start });
  scanner.offset += 1;
  return start;
}

function leave(scanner: Scanner): number {
  scanner.open.pop();
  scanner.offset += 1;
  return scanner.offset;
}

/** Reads a text from its opening to its closing quote. */
function readString(scanner: Scanner): string {
  const { text } = scanner;
  const start = scanner.offset;
  let escaped = false;
  for (let at = start + 1; ; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x22) {
      scanner.offset = at + 1;
      return escaped ? parseEscapes(text.slice(start, at + 1)) : text.slice(start + 1, at);
    }
    if (code === 0x5c) {
      escaped = true;
      at = skipEscape(scanner, start, at);
    } else if (!(code >= 0x20)) throw unclosed(scanner, start, at);
  }
}

function parseEscapes(source: string): string {
  return String(JSON.parse(source));
}

/** The offset of an escape's last character; `at` is that of its backslash. */
function skipEscape(scanner: Scanner, start: number, at: number): number {
  const escape = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y;
  escape.lastIndex = at;
  if (escape.test(scanner.text)) return escape.lastIndex - 1;
  if (at + 1 >= scanner.text.length) throw unclosed(scanner, start, at + 1);
  scanner.offset = at;
  scanner.open.push({ kind: 'text', start });
  const [found = ''] = scanner.text.slice(at, at + (scanner.text[at + 1] === 'u' ? 6 : 2)).split(/[\p{C}"]/u);
  throw failure(scanner, 'one of \\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX', undefined, `the escape ${found}`);
}

/** A text that meets the end of its line, the end of the file, or a raw control character. */
function unclosed(scanner: Scanner, start: number, at: number): JsonSyntaxError {
  scanner.offset = at;
  scanner.open.push({ kind: 'text', start });
  return failure(scanner, 'the closing double quote');
}

function failure(
  scanner: Scanner,
  expected: string,
  hint = hintFor(scanner),
  found = foundAt(scanner),
): JsonSyntaxError {
  const { text, offset, open } = scanner;
  return new JsonSyntaxError({ text, offset, expected, found, hint, open: open.at(-1) });
}

function foundAt({ text, offset }: Scanner): string {
  if (offset >= text.length) return 'the end of the file';
  const rest = text.slice(offset, offset + 40);
  if (/^[\r\n]/.test(rest)) return 'the end of the line';
  const word = /^[\p{L}\p{N}_$.+-]+/u.exec(rest)?.[0] ?? String.fromCodePoint(rest.codePointAt(0) ?? 0);
  if (word === '"') return 'a text in double quotes';
  const code = word.codePointAt(0) ?? 0;
  if (/^[\p{C}\p{Z}]/u.test(word)) return `the character U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
  return word === "'" ? 'a single quote' : `"${word}"`;
}

function hintFor({ text, offset, path }: Scanner): string | undefined {
  const rest = text.slice(offset, offset + 16);
  if (/^\/[/*]/.test(rest) || rest.startsWith('#')) return 'JSON has no comments';
  if (/^['‘’“”`]/.test(rest)) return 'JSON wants plain double quotes';
  if (/^(?:True|False|None|undefined|NaN|Infinity|yes|no)\b/.test(rest)) return 'JSON knows true, false and null';
  if (/^(?:<<<<<<<|=======|>>>>>>>)/.test(rest)) return 'the mark of a merge conflict';
  return path.length > 0 && offset >= text.length ? `in ${formatPlace(path)}` : undefined;
}

function skipBlank(scanner: Scanner): void {
  const { text } = scanner;
  for (; scanner.offset < text.length; scanner.offset += 1) {
    const code = text.charCodeAt(scanner.offset);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
  }
}
