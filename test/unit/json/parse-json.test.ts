import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JsonSyntaxError, positionOf } from '../../../src/json/json-syntax-error.ts';
import { formatPlace, isSameJson, nodeAt, valueOf } from '../../../src/json/json-tree.ts';
import { parseJson } from '../../../src/json/parse-json.ts';
import { reindentJson } from '../../../src/json/reindent-json.ts';

function errorOf(text: string): JsonSyntaxError {
  try {
    parseJson(text);
  } catch (error) {
    if (error instanceof JsonSyntaxError) return error;
    throw error;
  }
  throw new Error(`no error in ${text}`);
}

function outcome(parse: () => unknown): { value: unknown } | 'error' {
  try {
    return { value: parse() };
  } catch {
    return 'error';
  }
}

describe('parseJson', () => {
  it('gives the values of JSON.parse', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 4 }), fc.constantFrom(undefined, 2, '\t'), (json, indent) => {
        const text = JSON.stringify(JSON.parse(json), null, indent);
        expect(valueOf(parseJson(text).root)).toEqual(JSON.parse(text));
      }),
    );
  });

  it('accepts and refuses what JSON.parse accepts and refuses', () => {
    const pieces = [
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"a"',
      '"\\u00e9"',
      '"\\x"',
      '"',
      '\\',
      '0',
      '01',
      '-',
      '1.',
      '1e5',
      '.5',
      'true',
      'nul',
      'null',
      ' ',
      '\n',
      '\t',
      '\u00a0',
      '//',
      "'a'",
    ];
    const soup = fc.array(fc.constantFrom(...pieces), { maxLength: 8 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(soup, (text) => {
        expect(outcome(() => valueOf(parseJson(text).root))).toEqual(outcome(() => JSON.parse(text)));
      }),
      { numRuns: 3000 },
    );
  });

  it('accepts and refuses a damaged document as JSON.parse does', () => {
    const text = '{"a": [1, -2.5e+3, true, {"b": "x\\n\\u00e9"}], "c": null}';
    fc.assert(
      fc.property(
        fc.nat(text.length),
        fc.nat(3),
        fc.constantFrom('', '"', ',', '}', '\n', '\u0001', '0'),
        (at, cut, put) => {
          const damaged = text.slice(0, at) + put + text.slice(at + cut);
          expect(outcome(() => valueOf(parseJson(damaged).root))).toEqual(outcome(() => JSON.parse(damaged)));
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('keeps the place of keys and values', () => {
    const text = '\uFEFF{ "a" : [ 1, "zwei" ] }';
    const { root } = parseJson(text);
    const node = nodeAt(root, ['a', 1]);
    expect(text.slice(node?.start, node?.end)).toBe('"zwei"');
    const member = root.kind === 'object' ? root.members[0] : undefined;
    expect(text.slice(member?.start, member?.end)).toBe('"a"');
    expect(nodeAt(root, ['a', 2])).toBeUndefined();
    expect(nodeAt(root, ['b'])).toBeUndefined();
  });

  it('takes "__proto__" for an ordinary key', () => {
    const value = valueOf(parseJson('{"__proto__": {"x": 1}}').root);
    expect(Object.keys(value ?? {})).toEqual(['__proto__']);
    expect(({} as { x?: number }).x).toBeUndefined();
  });

  it('lists keys that stand twice, and the last one counts', () => {
    const { duplicates, root } = parseJson('{"a": [{"b": 1, "b": 2}]}');
    expect(duplicates.map(({ path }) => formatPlace(path))).toEqual(['a[0].b']);
    expect(valueOf(root)).toEqual({ a: [{ b: 2 }] });
  });

  it('refuses endless nesting instead of overflowing', () => {
    expect(errorOf('['.repeat(100_000)).expected).toContain('400 levels');
  });
});

describe('a syntax error', () => {
  it('has line, column and what is still open', () => {
    const line = '    { "id": "US-001", "title": , "passes": false }';
    const error = errorOf(`{\n  "project": "Test",\n  "userStories": [\n${line}\n  ]\n}\n`);
    expect([error.line, error.column]).toEqual([4, line.indexOf(', "passes"') + 1]);
    expect(error.message).toBe(
      'expected a value for "title", but found ","; the object that begins at line 4 column 5 is still open',
    );
    expect(error.open).toEqual({ kind: 'object', at: { line: 4, column: 5 } });
  });

  it.each([
    ['', 'expected a value, but found the end of the file'],
    [
      '{"a": 1',
      'expected "," or "}", but found the end of the file; the object that begins at line 1 column 1 is still open',
    ],
    [
      '[1, 2',
      'expected "," or "]", but found the end of the file; the list that begins at line 1 column 1 is still open',
    ],
    [
      '{"a": 1,}',
      'expected the end of the object, but found "," (JSON allows no comma before "}"); the object that begins at line 1 column 1 is still open',
    ],
    [
      '{"a": "x',
      'expected the closing double quote, but found the end of the file (in a); the text that begins at line 1 column 7 is still open',
    ],
    [
      '{"a": "x\n"}',
      'expected the closing double quote, but found the end of the line; the text that begins at line 1 column 7 is still open',
    ],
    ['{"a": "\\d"}', 'but found the escape \\d; the text that begins at line 1 column 7 is still open'],
    ['{"a" 1}', 'expected ":" after the key "a", but found "1"'],
    ["{'a': 1}", 'but found a single quote (JSON wants plain double quotes)'],
    ['{a: 1}', 'expected a key in double quotes or "}", but found "a"'],
    ['[1] // x', 'expected the end of the file, but found "/" (JSON has no comments)'],
    ['[True]', 'expected a value or "]", but found "True" (JSON knows true, false and null)'],
    ['<<<<<<< HEAD', '(the mark of a merge conflict)'],
    ['[1\u00a0]', 'but found the character U+00A0'],
  ])('says what is wrong in %j', (text, message) => {
    expect(errorOf(text).message).toContain(message);
  });

  it('names the inner object that a missing brace left open', () => {
    const error = errorOf('{\r\n  "userStories": [\r\n    { "id": "1",\r\n    { "id": "2" }\r\n  ]\r\n}');
    expect([error.line, error.column]).toEqual([4, 5]);
    expect(error.message).toContain('the object that begins at line 3 column 5 is still open');
  });
});

describe('positionOf', () => {
  it('counts characters, not UTF-16 units, and no byte order mark', () => {
    expect(positionOf('\uFEFFab', 2)).toEqual({ line: 1, column: 2 });
    expect(positionOf('x\n😀é!', 5)).toEqual({ line: 2, column: 3 });
  });

  it('knows LF, CR LF and CR', () => {
    expect(positionOf('a\r\nb\rc\nd', 7)).toEqual({ line: 4, column: 1 });
    expect(positionOf('a\r\nb', 1)).toEqual({ line: 1, column: 2 });
  });
});

describe('formatPlace', () => {
  it('writes paths as people do', () => {
    expect(formatPlace(['userStories', 2, 'passes'])).toBe('userStories[2].passes');
    expect(formatPlace([0, 'odd key', 'x'])).toBe('[0]["odd key"].x');
    expect(formatPlace([])).toBe('');
  });
});

describe('isSameJson', () => {
  it('does not care for the order of keys and for nothing else', () => {
    expect(isSameJson({ a: 1, b: [1, 2] }, { b: [1, 2], a: 1 })).toBe(true);
    expect(isSameJson({ a: [1, 2] }, { a: [2, 1] })).toBe(false);
    expect(isSameJson({ a: 1 }, { b: 1 })).toBe(false);
    expect(isSameJson([], {})).toBe(false);
    expect(isSameJson(null, {})).toBe(false);
    expect(isSameJson({ a: 1 }, { a: 1, b: 1 })).toBe(false);
  });
});

describe('reindentJson', () => {
  it('keeps numbers, escapes and order, and leaves out what it is told to', () => {
    const text = '{"b":1.0,"ralph":{"attempts":1},"a":["\\u00e9",{}],"c":[],"d":{"ralph":1}}';
    expect(reindentJson(text, parseJson(text).root, ['ralph'])).toBe(
      '{\n  "b": 1.0,\n  "a": [\n    "\\u00e9",\n    {}\n  ],\n  "c": [],\n  "d": {\n    "ralph": 1\n  }\n}',
    );
  });
});
