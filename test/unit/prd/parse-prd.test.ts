import { describe, expect, it } from 'vitest';
import { parsePrd } from '../../../src/prd/parse-prd.ts';
import { documentOf, errorOf, readingOf } from './readings.ts';

const warningsOf = (stories: readonly object[], more: object = {}): string[] =>
  readingOf(stories, more).warnings.map(({ place, text }) => `${place}: ${text}`);
const problemsOf = (stories: readonly object[], more: object = {}): readonly string[] =>
  errorOf(documentOf(stories, more)).problems;

describe('parsePrd', () => {
  it('fills in defaults', () => {
    const { prd } = parsePrd('{"userStories": [{"id": "a", "title": "A"}]}', 'prd.json');
    expect(prd.stories).toEqual([
      {
        id: 'a',
        title: 'A',
        description: '',
        acceptanceCriteria: [],
        checks: [],
        dependsOn: [],
        priority: Infinity,
        passes: false,
        notes: '',
        attempts: 0,
        blocked: undefined,
        json: '{\n  "id": "a",\n  "title": "A"\n}',
      },
    ]);
  });

  it('has no warning for a file of snarktank/ralph, with unknown keys and odd ids', () => {
    const story = {
      id: 'login form/3 Ä',
      description: 'As a user…',
      priority: 1,
      notes: '',
      status: 'todo',
      estimate: { points: 5 },
      labels: ['ui'],
    };
    expect(warningsOf([story], { project: 'X', description: 'Y', $comment: 'z', version: 3 })).toEqual([]);
  });

  it("shows a story as its own text without ralph's key", () => {
    const text =
      '\uFEFF{"userStories":[{"ralph":{"attempts":1},"title":"Gr\\u00f6\\/e","id":"a","n":1.0,"ok":[1,{}]}]}';
    expect(parsePrd(text, 'x').prd.stories[0]?.json).toBe(
      '{\n  "title": "Gr\\u00f6\\/e",\n  "id": "a",\n  "n": 1.0,\n  "ok": [\n    1,\n    {}\n  ]\n}',
    );
  });

  it('names file, line, column and what is still open for a syntax error', () => {
    const error = errorOf('{\n  "userStories": [\n    { "id": "US-001", "title": , "passes": false }\n  ]\n}');
    expect(error).toMatchObject({ reason: 'usage', message: 'prd.json is not valid JSON' });
    expect(error.problems).toEqual([
      'prd.json:3:32: expected a value for "title", but found ","; the object that begins at line 3 column 5 is still open',
    ]);
    expect(errorOf('').problems[0]).toMatch(/^prd\.json:1:1: expected a value, but found the end of the file/);
  });

  it('lists all problems at once, each with its place, story by story', () => {
    const error = errorOf(
      documentOf(
        [
          { checks: 'npm test', priority: 'high' },
          { id: 'US-001', dependsOn: ['US-9', 7] },
          { id: '', title: ' ', passes: 'no', acceptanceCriteria: [{ text: 'x' }] },
          { id: 4, passes: null, checks: ['', 'a\0b'], ralph: { attempts: -1 } },
        ],
        { branchName: '--orphan' },
      ),
    );
    expect(error.message).toBe('prd.json has 15 problems');
    expect(error.problems.map((line) => line.split(':')[0])).toEqual([
      'branchName',
      'userStories[0].priority',
      'userStories[0].checks',
      'userStories[1].dependsOn[1]',
      'userStories[1].id',
      'userStories[1].dependsOn[0]',
      'userStories[2].id',
      'userStories[2].title',
      'userStories[2].acceptanceCriteria[0]',
      'userStories[2].passes',
      'userStories[3].id',
      'userStories[3].passes',
      'userStories[3].checks[0]',
      'userStories[3].checks[1]',
      'userStories[3].ralph.attempts',
    ]);
  });

  it.each([
    [{ passes: 'no' }, 'userStories[0].passes: must be true or false, not a text'],
    [{ passes: 1 }, 'userStories[0].passes: must be true or false, not the number 1'],
    [{ passes: null }, 'userStories[0].passes: must be true or false, not null'],
    [{ id: undefined }, 'userStories[0].id: is missing: a text belongs here'],
    [{ id: 1 }, 'userStories[0].id: must be a text, not the number 1: put it in quotes, "1"'],
    [{ id: '  ' }, 'userStories[0].id: must not be empty'],
    [{ title: '' }, 'userStories[0].title: must be a text, not an empty one'],
    [
      { dependsOn: 'US-002' },
      'userStories[0].dependsOn: must be a list of story ids, not a text: put it in brackets, ["…"]',
    ],
    [{ dependsOn: ['us-1'] }, 'userStories[0].dependsOn[0]: no story has the id "us-1"'],
    [{ dependsOn: ['US-01'] }, 'userStories[0].dependsOn[0]: no story has the id "US-01" (did you mean "US-001"?)'],
    [{ dependsOn: ['US-001'] }, 'userStories[0].dependsOn: US-001 waits for itself'],
    [{ checks: [''] }, 'userStories[0].checks[0]: must be a shell command, not an empty one'],
    [{ ralph: 'x' }, 'userStories[0].ralph: must be an object, not a text'],
  ])('refuses a story with %j', (story, problem) => {
    expect(problemsOf([story])).toEqual([problem]);
  });

  it('names the ids of a cycle', () => {
    expect(problemsOf([{ dependsOn: ['US-002'] }, { dependsOn: ['US-003'] }, { dependsOn: ['US-002'] }])).toEqual([
      'userStories[1].dependsOn: these stories wait for each other: US-002 → US-003 → US-002',
    ]);
  });

  it('bears a chain of ten thousand stories', () => {
    const stories = Array.from({ length: 10_000 }, (_, index) => ({
      id: `S${index}`,
      dependsOn: index < 9999 ? [`S${index + 1}`] : [],
    }));
    expect(readingOf(stories).prd.stories).toHaveLength(10_000);
  });

  it.each([[{}], [{ userStories: [] }], [{ userStories: {} }], ['"x"'], ['null'], [{ userStories: ['x'] }]])(
    'refuses %j',
    (document) => {
      expect(errorOf(document).problems.join()).toMatch(/userStories|stories/);
    },
  );
});

describe('known wrong shapes', () => {
  const story = { id: 'US-001', title: '', passes: 'no' };

  it.each([
    [[story], 'the top level is a list; an object with the list under "userStories" belongs here', '[0]'],
    [{ prd: [story] }, 'prd: the list of stories is called "userStories"', 'prd[0]'],
    [
      { prd: { userStories: [story] } },
      'prd: the PRD is inside "prd"; "userStories" belongs at the top level',
      'prd.userStories[0]',
    ],
    [{ tasks: [story] }, 'tasks: the list of stories is called "userStories"', 'tasks[0]'],
    [{ user_stories: [story] }, 'user_stories: the list of stories is called "userStories"', 'user_stories[0]'],
    [{ features: [story], other: [] }, 'features: the list of stories is called "userStories"', 'features[0]'],
    [{ anything: [story] }, 'anything: the list of stories is called "userStories"', 'anything[0]'],
  ])('are named with the cure, and so is what is behind them: %j', (document, problem, place) => {
    const error = errorOf(document);
    expect(error.problems).toContain(problem);
    expect(error.problems).toContain(`${place}.passes: must be true or false, not a text`);
    expect(error.problems).toContain(`${place}.title: must be a text, not an empty one`);
    expect(error.cures.join()).toContain('ralph convert prd.json');
  });

  it('"status" without "passes" and "name" without "title" are errors, with them they are keys like others', () => {
    const error = errorOf(
      documentOf([
        { passes: undefined, status: 'done' },
        { title: undefined, name: 'X' },
      ]),
    );
    expect(error.problems).toEqual([
      'userStories[0].status: is not read: whether a story is done is "passes", true or false',
      'userStories[1].name: is called "title" here',
    ]);
    expect(error.cures.join()).toContain('ralph convert prd.json');
    expect(warningsOf([{ status: 'done', name: 'X' }])).toEqual([]);
  });
});

describe('warnings', () => {
  it('name what is missing or ignored, with its place', () => {
    expect(
      warningsOf([{ passes: undefined, acceptanceCriteria: [] }], {
        branchName: undefined,
        project: 7,
        description: ['x'],
      }),
    ).toEqual([
      'project: is the number 7, not a text; it is ignored',
      'description: is a list, not a text; it is ignored',
      'branchName: is missing: the current branch is used, and nothing is archived by itself',
      'userStories[0].passes: is missing; it counts as false',
      'userStories[0].acceptanceCriteria: is empty: the agent is not told when the story is done',
    ]);
  });

  it.each([
    ['dependencies', 'dependsOn'],
    ['deps', 'dependsOn'],
    ['depends_on', 'dependsOn'],
    ['DependsOn', 'dependsOn'],
    ['acceptance_criteria', 'acceptanceCriteria'],
    ['acceptanceCriterias', 'acceptanceCriteria'],
    ['acceptanceCritera', 'acceptanceCriteria'],
    ['verifyCommands', 'checks'],
    ['check', 'checks'],
    ['passed', 'passes'],
    ['done', 'passes'],
    ['Notes', 'notes'],
    ['pirority', 'priority'],
    ['tilte', 'title'],
  ])('%s looks like %s', (key, meant) => {
    expect(warningsOf([{ [key]: true }])).toEqual([`userStories[0].${key}: is ignored; the key is called "${meant}"`]);
  });

  it.each(['status', 'labels', 'estimate', 'phases', 'type', 'owner', 'size', 'tags', 'id2', 'epic'])(
    '%s looks like none of ours',
    (key) => {
      expect(warningsOf([{ [key]: 'x' }])).toEqual([]);
    },
  );

  it('a key that stands twice is one', () => {
    const text =
      '{"branchName": "b", "userStories": [{"id": "a", "title": "A", "acceptanceCriteria": ["x"], "passes": false, "passes": true}]}';
    const { prd, warnings } = parsePrd(text, 'prd.json');
    expect(warnings).toEqual([
      { place: 'userStories[0].passes', text: 'is there more than once; the last one counts' },
    ]);
    expect(prd.stories[0]?.passes).toBe(true);
  });

  it('null for an optional key counts as missing', () => {
    const { prd } = readingOf([
      { notes: null, dependsOn: null, priority: null, checks: null, ralph: null, description: null },
    ]);
    expect(prd.stories[0]).toMatchObject({ notes: '', dependsOn: [], priority: Infinity, checks: [], attempts: 0 });
  });
});
