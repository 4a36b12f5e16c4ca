import { describe, expect, it } from 'vitest';
import { convertJson } from '../../../src/convert/convert-json.ts';
import type { JsonValue } from '../../../src/json/json-tree.ts';

function convert(value: JsonValue): { stories: unknown; mapped: readonly string[]; unread: readonly string[] } {
  const { prd, mapped = [], unread = [] } = convertJson(value, { file: 'x.json', branch: undefined }) ?? {};
  return { stories: prd?.['userStories'], mapped, unread };
}

describe('stories inside of groups', () => {
  const epic = { id: 'E1', title: 'Cart' };

  it('come out, each with what the group says of itself', () => {
    const { stories, mapped } = convert({
      epics: [
        { ...epic, stories: [{ id: 'S1', title: 'Add' }] },
        { id: 'E2', title: 'Alone' },
      ],
    });
    expect(stories).toMatchObject([
      { id: 'S1', title: 'Add', epic },
      { id: 'E2', title: 'Alone' },
    ]);
    expect(mapped).toContain('stories of a group → userStories, with the group as "epic"');
  });

  it('stay where the group has criteria of its own', () => {
    const tasks = [{ title: 'a', done: true }];
    const { stories, unread } = convert({ features: [{ ...epic, criteria: ['x'], tasks }] });
    expect([stories, unread]).toMatchObject([[{ id: 'E1', acceptanceCriteria: ['x'], tasks }], ['tasks']]);
  });
});

describe('other shapes', () => {
  it('a list kept as an object', () => {
    expect(convert({ tasks: { auth: { title: 'Auth', done: true }, pay: { title: 'Pay' } } }).stories).toMatchObject([
      { id: 'auth', title: 'Auth', passes: true },
      { id: 'pay', title: 'Pay', passes: false },
    ]);
    expect(convertJson({ tasks: { a: 1 } }, { file: 'x.json', branch: undefined })).toBeUndefined();
  });

  it('an issue whose keys are in fields, with objects as values', () => {
    const fields = { summary: 'Login', status: { name: 'Done' }, priority: { name: 'High' } };
    const { stories, mapped } = convert({ issues: [{ key: 'APP-1', fields }] });
    expect(stories).toMatchObject([{ id: 'APP-1', title: 'Login', passes: true, priority: 2 }]);
    expect(mapped).toEqual(
      expect.arrayContaining(['what is in fields → the story itself', 'status "Done" → passes true']),
    );
  });

  it('a sentence in three keys, and criteria with numbers as keys', () => {
    const story = { Name: 'Import', 'As a': 'clerk', 'I want': 'to import', 'So that': 'nobody types' };
    const { stories, unread } = convert([{ ...story, 'Acceptance Criteria': { 1: 'CSV', 2: 'errors' } }]);
    expect(stories).toMatchObject([{ description: 'As a clerk, I want to import, so that nobody types' }]);
    expect(stories).toMatchObject([{ acceptanceCriteria: ['CSV', 'errors'] }]);
    expect(unread).toEqual([]);
    expect(convert([{ ...story, description: 'Other' }])).toMatchObject({
      stories: [{ description: 'Other', 'As a': 'clerk' }],
      unread: ['As a', 'I want', 'So that'],
    });
  });

  it('a step with an action, a to-do with content, and dependencies as objects', () => {
    const links = [{ issue_id: 'b', depends_on_id: 'a', type: 'blocks' }];
    const items = [
      { id: 'a', content: 'Parse', status: 'completed' },
      { id: 'b', step: 2, action: 'Print', dependencies: links },
    ];
    expect(convert({ todos: items }).stories).toMatchObject([
      { title: 'Parse', passes: true },
      { title: 'Print', priority: 2, dependsOn: ['a'] },
    ]);
  });
});

describe('what is called a verification', () => {
  it('is a check where it is a command, and a criterion where it is a sentence', () => {
    const sentence = 'Log in with a wrong password';
    expect(convert([{ title: 'a', verify: 'npm test' }]).stories).toMatchObject([{ checks: ['npm test'] }]);
    const { stories } = convert([{ title: 'a', verification: sentence }]);
    expect(stories).toMatchObject([{ acceptanceCriteria: [sentence] }]);
    expect(JSON.stringify(stories)).not.toContain('checks');
    expect(convert([{ title: 'a', verifyCommand: './own x' }]).stories).toMatchObject([{ checks: ['./own x'] }]);
    expect(convert([{ title: 'a', criteria: ['b'], verification: sentence }])).toMatchObject({
      stories: [{ acceptanceCriteria: ['b'], verification: sentence }],
      unread: ['verification'],
    });
    expect(convert([{ title: 'a', testStrategy: sentence }]).stories).toMatchObject([
      { acceptanceCriteria: [sentence] },
    ]);
  });
});
