import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { editPrd } from '../../../src/prd/edit-prd.ts';
import { parsePrd } from '../../../src/prd/parse-prd.ts';
import type { StoryChange } from '../../../src/prd/types.ts';
import { documentOf, readingOf } from './readings.ts';
import type { PrdLike } from './readings.ts';

const edit = (text: string, ...changes: StoryChange[]): string =>
  editPrd(parsePrd(text, 'prd.json'), changes, 'prd.json').text;
const ofPattern = /"of": ?"[\da-f]{16}"/;
const aHash: unknown = expect.stringMatching(/^[\da-f]{16}$/);

describe('editPrd', () => {
  it('changes only what changes', () => {
    const text =
      '\uFEFF{\r\n  "userStories": [\r\n    { "id": "a", "title": "Gr\\u00f6\\/e", "passes": false, "x": [1,2] },\r\n    {\r\n      "id": "b",\r\n      "title": "B"\r\n    }\r\n  ]\r\n}';
    expect(edit(text, { id: 'a', passes: true }, { id: 'b', passes: true, notes: 'ü\n' })).toBe(
      text
        .replace('"passes": false', '"passes": true')
        .replace('"title": "B"', '"title": "B",\r\n      "passes": true,\r\n      "notes": "ü\\n"'),
    );
  });

  it('gives the very reading back where nothing changes', () => {
    const reading = readingOf([{ notes: 'x' }, {}]);
    expect(editPrd(reading, [], 'x')).toBe(reading);
    expect(
      editPrd(
        reading,
        [
          { id: 'US-001', passes: false, notes: 'x' },
          { id: 'US-002', notes: '', ralph: null },
        ],
        'x',
      ),
    ).toBe(reading);
  });

  it('writes a record with the hash of the wording, so that it counts when read again', () => {
    const reading = editPrd(readingOf([{}]), [{ id: 'US-001', ralph: { attempts: 2, blocked: 'why' } }], 'x');
    expect(reading.text).toMatch(ofPattern);
    expect(reading.prd.stories[0]).toMatchObject({ attempts: 2, blocked: 'why' });
    const changed = parsePrd(reading.text.replace('Story 1', 'Another'), 'x');
    expect(changed.prd.stories[0]).toMatchObject({ attempts: 0, blocked: undefined });
  });

  it('writes a one-line story on one line and a record over lines as the file is indented', () => {
    expect(edit('{"userStories":[{"id":"a","title":"A"}]}', { id: 'a', ralph: { attempts: 1 } })).toMatch(
      /^\{"userStories":\[\{"id":"a","title":"A","ralph":\{"attempts":1,"of":"[\da-f]{16}"\}\}\]\}$/,
    );
    const text = JSON.stringify(documentOf([{}]), null, 4);
    const record =
      '            "ralph": {\n                "verified": {\n                    "at": "t",\n                    "run": "r"\n                },\n                "of": "';
    expect(edit(text, { id: 'US-001', ralph: { verified: { at: 't', run: 'r' } } })).toContain(record);
  });

  it('removes the record for null and for one that says nothing: the text is as it was before', () => {
    const reading = readingOf([{}, {}]);
    const blocked = editPrd(reading, [{ id: 'US-001', ralph: { blocked: 'x' } }], 'x');
    expect(editPrd(blocked, [{ id: 'US-001', ralph: null }], 'x').text).toBe(reading.text);
    expect(editPrd(blocked, [{ id: 'US-001', ralph: {} }], 'x').text).toBe(reading.text);
  });

  it('throws for an id that is not there', () => {
    expect(() => editPrd(readingOf([{}]), [{ id: 'X', passes: true }], 'prd.json')).toThrow('no story X in prd.json');
  });

  it('gives the intended value and keeps every other line, for random files and changes', () => {
    const story = fc.record(
      {
        notes: fc.string(),
        description: fc.string(),
        priority: fc.integer(),
        extra: fc.jsonValue({ maxDepth: 1 }),
        ralph: fc.record({ attempts: fc.nat() }),
      },
      { requiredKeys: [] },
    );
    const change = fc.record(
      { passes: fc.boolean(), notes: fc.string(), ralph: fc.option(fc.record({ attempts: fc.nat(5) })) },
      { requiredKeys: [] },
    );
    const layout = fc.record({
      indent: fc.constantFrom(2, 4, '\t', undefined),
      eol: fc.constantFrom('\n', '\r\n'),
      mark: fc.boolean(),
      end: fc.boolean(),
    });
    fc.assert(
      fc.property(
        fc.array(story, { minLength: 1, maxLength: 4 }),
        change,
        fc.nat(3),
        layout,
        (stories, wanted, pick, { indent, eol, mark, end }) => {
          // JSON has no -0
          const document: PrdLike = JSON.parse(JSON.stringify(documentOf(stories)));
          const text =
            (mark ? '\uFEFF' : '') + (JSON.stringify(document, null, indent) + (end ? '\n' : '')).replaceAll('\n', eol);
          const index = pick % stories.length;
          const edited = edit(text, { id: `US-00${index + 1}`, ...wanted });
          const value: unknown = JSON.parse(edited.replace(/^\uFEFF/, ''));
          const target = document.userStories[index] ?? {};
          if (wanted.passes !== undefined) target['passes'] = wanted.passes;
          if (wanted.notes !== undefined && wanted.notes !== (target['notes'] ?? '')) target['notes'] = wanted.notes;
          if (wanted.ralph === null) delete target['ralph'];
          else if (wanted.ralph !== undefined) target['ralph'] = { ...wanted.ralph, of: aHash };
          expect(value).toEqual(document);
          expect(edited.startsWith('\uFEFF')).toBe(mark);
          expect(edited.endsWith('\n')).toBe(end);
          expect(new Set(edited.match(/\r?\n/g))).toEqual(new Set(text.match(/\r?\n/g)));
        },
      ),
    );
  });
});
