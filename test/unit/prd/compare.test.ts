import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isBlockNote } from '../../../src/prd/block-note.ts';
import { comparePrd } from '../../../src/prd/compare.ts';
import type { PrdComparison } from '../../../src/prd/types.ts';
import { readingOf } from './readings.ts';

type Story = Record<string, unknown>;
interface Document {
  [key: string]: unknown;
  userStories: Story[];
}

const given = readingOf(
  [
    { checks: ['true'], notes: 'old' },
    { passes: true, ralph: { attempts: 1, verified: { at: 'x', run: 'r' } } },
    { extra: { a: 1 }, dependsOn: ['US-001'] },
  ],
  { project: 'P', $comment: 'mine' },
);

/** What is found after an agent changed the document this way. */
function after(change: (document: Document, stories: [Story, Story, Story]) => unknown): PrdComparison {
  const document: Document = JSON.parse(given.text);
  const [first = {}, second = {}, third = {}] = document.userStories;
  const made = change(document, [first, second, third]);
  return comparePrd(given, { kind: 'text', text: made === '[]' ? made : JSON.stringify(document) });
}

const nothing: PrdComparison = { ticked: [], withdrawn: [], notes: new Map(), tampering: undefined };

describe('comparePrd', () => {
  it('finds ticks, ticks taken back and notes', () => {
    const found = after((_, [first, second, third]) => {
      first['passes'] = true;
      second['passes'] = false;
      third['notes'] = 'BLOCKED: no key';
    });
    expect(found).toEqual({
      ticked: ['US-001'],
      withdrawn: ['US-002'],
      notes: new Map([['US-003', 'BLOCKED: no key']]),
      tampering: undefined,
    });
  });

  it('takes another way of writing for no change', () => {
    const document: Document = JSON.parse(given.text);
    const userStories = document.userStories.map((story) => Object.fromEntries(Object.entries(story).reverse()));
    const reversed = Object.fromEntries(Object.entries({ ...document, userStories }).reverse());
    for (const text of [
      given.text,
      `\uFEFF${given.text}`,
      given.text.replaceAll('\n', '\r\n'),
      `${given.text}\n\n`,
      JSON.stringify(document),
      JSON.stringify(document, null, '\t'),
      JSON.stringify(reversed),
      given.text.replace('it works', 'it w\\u006frks'),
    ]) {
      expect(comparePrd(given, { kind: 'text', text })).toEqual(nothing);
    }
  });

  it.each<[string, (document: Document, stories: [Story, Story, Story]) => unknown]>([
    ['story US-002 was removed', (d) => d.userStories.splice(1, 1)],
    ['stories US-001, US-003 were removed', (d) => (d.userStories = d.userStories.slice(1, 2))],
    ['stories US-001, US-002, US-003 were removed', (d) => (d.userStories = [])],
    ['story US-009 was added', (d) => d.userStories.push({ id: 'US-009', title: 'x', passes: false })],
    ['story without an id was added', (d) => d.userStories.push({ title: 'x' })],
    ['story US-001 is there twice', (d, [first]) => d.userStories.push(first)],
    ['story US-001 was removed', (_, [first]) => (first['id'] = 'X')],
    ['the order of the stories was changed', (d) => d.userStories.reverse()],
    ['the title of US-001 was changed', (_, [first]) => (first['title'] = 'x')],
    ['the description of US-001 was changed', (_, [first]) => (first['description'] = 'x')],
    ['the criteria of US-001 were changed', (_, [first]) => (first['acceptanceCriteria'] = [])],
    ['the criteria of US-001 were changed', (_, [first]) => delete first['acceptanceCriteria']],
    ['the checks of US-001 were changed', (_, [first]) => delete first['checks']],
    ['the checks of US-003 were changed', (_, [, , third]) => (third['checks'] = ['true'])],
    ['the dependencies of US-003 were changed', (_, [, , third]) => (third['dependsOn'] = [])],
    ['the priority of US-003 was changed', (_, [, , third]) => (third['priority'] = 1)],
    ["ralph's own record of US-002 was changed", (_, [, second]) => delete second['ralph']],
    ["ralph's own record of US-001 was changed", (_, [first]) => (first['ralph'] = { attempts: 0 })],
    ['the key "extra" of US-003 was changed', (_, [, , third]) => (third['extra'] = { a: 2 })],
    ['the key "extra" of US-003 was removed', (_, [, , third]) => delete third['extra']],
    ['the key "done" of US-001 was added', (_, [first]) => (first['done'] = true)],
    ['branchName was changed', (d) => (d['branchName'] = 'main')],
    ['the key "project" was changed', (d) => (d['project'] = 'Q')],
    ['the key "$comment" was removed', (d) => delete d['$comment']],
    ['"passes" of US-001 is neither true nor false', (_, [first]) => (first['passes'] = 'yes')],
    ['"passes" of US-002 was removed', (_, [, second]) => delete second['passes']],
    ['"notes" of US-001 is not a text', (_, [first]) => (first['notes'] = ['x'])],
    ['"userStories" is no longer a list', (d) => delete (d as Partial<Document>).userStories],
    ['the file is no longer an object with "userStories"', () => '[]'],
  ])('%s', (tampering, change) => {
    expect(after(change).tampering).toBe(tampering);
  });

  it('says what an unreadable file is, and finds no tick in it', () => {
    const text = given.text.replace('"passes": false', '"passes": true').slice(0, -10);
    const lines = text.split('\n').length;
    expect(comparePrd(given, { kind: 'text', text })).toEqual({
      ...nothing,
      tampering: `the file is not valid JSON (line ${lines})`,
    });
    expect(comparePrd(given, { kind: 'gone' })).toEqual({ ...nothing, tampering: 'the file was deleted' });
    expect(comparePrd(given, { kind: 'folder' }).tampering).toBe('a folder was put in the place of the file');
    expect(comparePrd(given, { kind: 'no-utf8' }).tampering).toBe('the file is not valid UTF-8');
    expect(comparePrd(given, { kind: 'text', text: '' }).tampering).toBe('the file is not valid JSON (line 1)');
  });

  it('counts ticks and block notes of a tampered file, but nothing taken back and no other note', () => {
    const found = after((document, [first, second, third]) => {
      document.userStories.reverse();
      first['passes'] = true;
      first['notes'] = 'please look';
      second['passes'] = false;
      second['notes'] = 'gone';
      third['notes'] = 'BLOCKER - no key';
    });
    expect(found.ticked).toEqual(['US-001']);
    expect(found.withdrawn).toEqual([]);
    expect([...found.notes]).toEqual([
      ['US-001', 'please look'],
      ['US-003', 'BLOCKER - no key'],
    ]);
    expect(found.tampering).toBe('the order of the stories was changed');
  });

  it('takes an older version for tampering: it withdraws nothing', () => {
    const found = after((_, [, second, third]) => {
      second['passes'] = false;
      delete second['ralph'];
      third['passes'] = true;
    });
    expect(found).toMatchObject({
      ticked: ['US-003'],
      withdrawn: [],
      tampering: "ralph's own record of US-002 was changed",
    });
  });

  it('takes a note that was removed for an empty one', () => {
    expect(after((_, [first]) => delete first['notes']).notes).toEqual(new Map([['US-001', '']]));
  });

  it('never throws, whatever an agent wrote', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json(),
          fc.array(fc.json()).map((items) => `{"userStories": [${items.join()}]}`),
        ),
        (text) => {
          expect(comparePrd(given, { kind: 'text', text }).tampering).toMatch(/\S/);
        },
      ),
    );
  });
});

describe('isBlockNote', () => {
  it('wants the word at the start', () => {
    for (const note of ['BLOCKED', 'BLOCKED: x', 'BLOCKER - x', '\n BLOCKED by x'])
      expect(isBlockNote(note)).toBe(true);
    for (const note of ['', 'blocked', 'Was BLOCKED', 'BLOCKERS are gone', 'UNBLOCKED'])
      expect(isBlockNote(note)).toBe(false);
  });
});
