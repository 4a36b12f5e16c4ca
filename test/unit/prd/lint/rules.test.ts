import { describe, expect, it } from 'vitest';
import { seen, lint } from './linting.ts';

const criteria = ['Prints "x"', 'Typecheck passes'];
const story = (title: string, more: object = {}): object => ({ title, acceptanceCriteria: criteria, ...more });

describe('rules between stories', () => {
  it('a story that mentions what a later one makes', () => {
    const make = story('Create the PriorityBadge component');
    const use = story('Show tasks', { acceptanceCriteria: ['Each line uses PriorityBadge', 'Typecheck passes'] });
    expect(seen([use, make])).toEqual(['mentions-later-story userStories[0].acceptanceCriteria[0]']);
    expect(seen([make, use])).toEqual([]);
  });

  it('in the order of priorities, not of the file', () => {
    const use = story('Print all', { priority: 2, description: 'Uses the export queue.' });
    const make = story('Add an export queue', { priority: 1 });
    expect(seen([use, make])).toEqual([]);
    expect(
      seen([
        { ...use, priority: 1 },
        { ...make, priority: 2 },
      ]),
    ).toEqual(['mentions-later-story userStories[0].description']);
  });

  it('by id, unless it says that it comes later', () => {
    const first = (text: string): object => story('One', { description: text });
    expect(seen([first('Reads what US-002 writes.'), story('Two')])).toEqual([
      'mentions-later-story userStories[0].description',
    ]);
    expect(seen([first('Writing is not part of this: US-002.'), story('Two')])).toEqual([]);
    expect(seen([first('Plain. The form comes later, in US-002.'), story('Two')])).toEqual([]);
  });

  it('priorities against dependsOn', () => {
    const stories = [story('One', { priority: 2 }), story('Two', { priority: 1, dependsOn: ['US-001'] })];
    expect(seen(stories)).toEqual(['priority-against-dependency userStories[1].priority']);
    expect(seen([story('One'), story('Two', { dependsOn: ['US-001'] })])).toEqual([]);
  });

  it('titles that are the same but for case and signs', () =>
    expect(seen([story('Print the date'), story('print  the date.')])).toEqual([
      'duplicate-title userStories[1].title',
    ]));
});

describe('rules about the project', () => {
  it('no gates, unless each story has checks', () => {
    expect(seen([story('One')], { gates: [] })).toEqual(['no-gates ']);
    expect(seen([story('One', { checks: ['true'] })], { gates: [] })).toEqual([]);
  });

  it('no non-goals, only where the document is at hand', () => {
    const document = { path: 'tasks/prd-x.md', hasNonGoals: false };
    expect(seen([story('One')], { document })).toEqual(['no-non-goals description']);
    expect(seen([story('One')], { document: { ...document, hasNonGoals: true } })).toEqual([]);
    expect(seen([story('One')], { document, top: { description: 'X. Not in scope: y.' } })).toEqual([]);
  });

  it.each([
    ['`npm run smoke` exits 0', 1],
    ['npm run smoke passes', 1],
    ['`npm run smoke -w other` exits 0', 0],
    ['`npm run -w other smoke` exits 0', 0],
    ['`npm test` passes', 0],
    ['`npm ci` works offline with exit 0', 0],
    ['`pnpm lint` exits 0', 0],
    ['`yarn vitest run a.test.ts` exits 0', 0],
    ['package.json has a script `smoke`; `npm run smoke` exits 0', 0],
  ])('commands that are not in package.json: %s', (criterion, count) => {
    const one = story('One', { acceptanceCriteria: [criterion, 'Typecheck passes'] });
    expect(seen([one])).toHaveLength(count);
    expect(seen([one], { scripts: undefined })).toEqual([]);
  });

  it('a script that another story adds is known', () => {
    const make = story('Make it', { acceptanceCriteria: ['package.json has the script "smoke"', 'Typecheck passes'] });
    expect(seen([make, story('Use it', { checks: ['npm run smoke'] })])).toEqual([]);
  });
});

describe('criteria with a value are not vague', () => {
  it.each([
    'Dates are properly formatted as YYYY-MM-DD, e.g. 2025-03-01',
    'Handles edge cases: an empty list, one item and two items of the same name',
    'The button says "works as expected"',
    'The answer is fast: under 200 ms for 1,000 tasks',
    '`isProperlyNested("()")` returns true',
  ])('%s', (criterion) =>
    expect(seen([story('One', { acceptanceCriteria: [criterion, 'Typecheck passes', 'Tests'] })])).toEqual([]),
  );

  it('but some words say nothing even then', () =>
    expect(seen([story('One', { acceptanceCriteria: ['Good UX on all 3 pages', 'Typecheck passes'] })])).toContain(
      'vague-criterion userStories[0].acceptanceCriteria[0]',
    ));
});

describe('contradictions', () => {
  it.each([
    [['a.txt is an empty file', 'b.txt contains "x"']],
    [['With an empty file it prints "empty"', 'It prints nothing else']],
    [['The file empty.js is empty', 'node empty.js prints nothing']],
    [['The list is visible when logged in', 'The list is not visible when logged out']],
    [['GET /a returns 200', 'GET /b returns 404']],
    [['The default is 20', 'The maximum is 50']],
  ])('none in %j', (list) =>
    expect(
      seen([story('One', { acceptanceCriteria: [...list, 'Tests', 'Typecheck passes', 'Verify in browser'] })]),
    ).toEqual([]),
  );
});

it('a remark says where, why and how to mend it', () => {
  const [remark] = lint([story('Add authentication')]);
  expect(remark).toMatchObject({ rule: 'too-big', place: 'userStories[0].title' });
  expect(remark?.why).toMatch(/memory/);
  expect(remark?.mend).toMatch(/Split/);
});
