import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { editJson } from '../../../src/json/edit-json.ts';
import type { JsonEdit } from '../../../src/json/edit-json.ts';
import { valueOf } from '../../../src/json/json-tree.ts';
import type { JsonValue } from '../../../src/json/json-tree.ts';
import { parseJson } from '../../../src/json/parse-json.ts';

const edit = (text: string, ...edits: JsonEdit[]): string => editJson(parseJson(text), edits);
const set = (key: string, value: JsonValue | undefined): JsonEdit => ({ path: [key], value });

/** Writes a value with random white space, so that nothing of it may be taken for granted. */
function writeOddly(value: JsonValue, blanks: () => string): string {
  if (Array.isArray(value))
    return `[${blanks()}${value.map((item) => writeOddly(item, blanks)).join(`${blanks()},${blanks()}`)}${blanks()}]`;
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(
      ([key, item]) => `${JSON.stringify(key)}${blanks()}:${blanks()}${writeOddly(item, blanks)}`,
    );
    return `{${blanks()}${members.join(`${blanks()},${blanks()}`)}${blanks()}}`;
  }
  if (typeof value !== 'string') return JSON.stringify(value);
  return JSON.stringify(value)
    .replaceAll('/', '\\/')
    .replaceAll(/[é-ü]/g, (char) => `\\u00${char.charCodeAt(0).toString(16)}`);
}

const key = fc.constantFrom('id', 'passes', 'notes', 'ralph', 'größe', 'a/b', '');
const plain = fc.json({ maxDepth: 2 }).map((json): JsonValue => JSON.parse(JSON.stringify(JSON.parse(json))));
const object = fc.dictionary(key, plain, { noNullPrototype: true });

describe('editJson', () => {
  it('gives the intended value, and touches nothing else, however the text is written', () => {
    const blanks = fc.array(fc.constantFrom('', ' ', '\n', '\r\n    ', '\t'), { minLength: 1, maxLength: 50 });
    fc.assert(
      fc.property(
        object,
        blanks,
        fc.dictionary(key, fc.option(plain, { nil: undefined })),
        fc.boolean(),
        (before, some, changes, mark) => {
          let at = 0;
          const next = (): string => some[at++ % some.length] ?? '';
          const text = (mark ? '\uFEFF' : '') + writeOddly([before, before], next) + '\n';
          const edits = Object.entries(changes).map(([name, value]) => ({ path: [1, name], value }));
          const edited = editJson(parseJson(text), edits);
          const wanted: { [key: string]: JsonValue } = { ...before };
          for (const [name, value] of Object.entries(changes)) {
            if (value === undefined) delete wanted[name];
            else wanted[name] = value;
          }
          expect(valueOf(parseJson(edited).root)).toEqual([before, wanted]);
          const first = parseJson(text).root;
          const end = first.kind === 'array' ? (first.items[0]?.end ?? 0) : 0;
          expect(edited.slice(0, end)).toBe(text.slice(0, end));
          expect(edited.endsWith('\n')).toBe(true);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('gives the same text where nothing changes', () => {
    fc.assert(
      fc.property(object, fc.constantFrom(undefined, 2, '\t'), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        expect(edit(text)).toBe(text);
        expect(edit(text, ...Object.entries(value).map(([name, item]) => set(name, item)))).toBe(text);
      }),
    );
  });

  it('leaves a value alone that says the same in another way', () => {
    expect(
      edit(
        '{"a": "\\u00e9\\/", "b": 1.0, "c": { "y":1,"x":2 }}',
        set('a', 'é/'),
        set('b', 1),
        set('c', { x: 2, y: 1 }),
      ),
    ).toBe('{"a": "\\u00e9\\/", "b": 1.0, "c": { "y":1,"x":2 }}');
  });

  it('replaces a value and nothing around it', () => {
    expect(edit('{ "a" : false , "b":[1,\n2] }', set('a', true))).toBe('{ "a" : true , "b":[1,\n2] }');
  });

  it.each([
    ['{ "a": 1 }', '{ "a": 1, "n": true }'],
    ['{"a":1}', '{"a":1,"n":true}'],
    ['{"a":1,"b":2}', '{"a":1,"b":2,"n":true}'],
    ['{\n    "a": 1\n}', '{\n    "a": 1,\n    "n": true\n}'],
    ['{\r\n\t"a" : 1,\r\n\t"b" : 2\r\n}\r\n', '{\r\n\t"a" : 1,\r\n\t"b" : 2,\r\n\t"n" : true\r\n}\r\n'],
    ['{\n  "a": 1,\n\n\n  "b": 2\n}', '{\n  "a": 1,\n\n\n  "b": 2,\n  "n": true\n}'],
    ['{ "a": 1\n, "b": 2\n}', '{ "a": 1\n, "b": 2\n, "n": true\n}'],
    ['{}', '{\n  "n": true\n}'],
    ['{ }\r\n', '{\r\n  "n": true\r\n}\r\n'],
  ])('writes a new member as its siblings are: %j', (text, wanted) => {
    expect(edit(text, set('n', true))).toBe(wanted);
  });

  it('indents a new object by the step of the file', () => {
    expect(edit('{\n   "a": 1\n}', set('r', { x: [1], y: {} }))).toBe(
      '{\n   "a": 1,\n   "r": {\n      "x": [\n         1\n      ],\n      "y": {}\n   }\n}',
    );
    expect(edit('{\n\t"a": 1\n}', set('r', { x: 1 }))).toBe('{\n\t"a": 1,\n\t"r": {\n\t\t"x": 1\n\t}\n}');
    const wide = ' '.repeat(12);
    expect(edit(`{\n${wide}"a": 1\n}`, set('r', { x: 1 }))).toBe(
      `{\n${wide}"a": 1,\n${wide}"r": {\n${wide}${wide}"x": 1\n${wide}}\n}`,
    );
  });

  it('keeps an object on one line that is on one line', () => {
    expect(edit('{ "a": 1 }', set('r', { x: 1, y: [1, 2] }))).toBe('{ "a": 1, "r": { "x": 1, "y": [1, 2] } }');
    expect(edit('{"a":1}', set('r', { x: 1, y: [] }))).toBe('{"a":1,"r":{"x":1,"y":[]}}');
  });

  it.each([
    ['a', '{ "b": 2, "c": 3 }'],
    ['b', '{ "a": 1, "c": 3 }'],
    ['c', '{ "a": 1, "b": 2 }'],
  ])('removes the member %s with its comma', (name, wanted) => {
    expect(edit('{ "a": 1, "b": 2, "c": 3 }', set(name, undefined))).toBe(wanted);
  });

  it('removes the last, adds another, removes all', () => {
    expect(edit('{\n  "a": 1,\n  "b": 2\n}', set('b', undefined), set('n', 3))).toBe('{\n  "a": 1,\n  "n": 3\n}');
    expect(edit('{ "a": 1, "b": 2 }', set('a', undefined), set('b', undefined))).toBe('{}');
    expect(edit('{ "a": 1 }', set('x', undefined))).toBe('{ "a": 1 }');
  });

  it('sets the one that counts of a key that stands twice, and removes both', () => {
    expect(edit('{ "a": 1, "a": 2 }', set('a', 3))).toBe('{ "a": 1, "a": 3 }');
    expect(edit('{ "a": 1, "b": 0, "a": 2 }', set('a', undefined))).toBe('{ "b": 0 }');
  });

  it('throws for a path that leads to no object', () => {
    expect(() => editJson(parseJson('{"a": 1}'), [{ path: ['a', 'b'], value: 1 }])).toThrow('no object to edit at a.b');
  });
});
