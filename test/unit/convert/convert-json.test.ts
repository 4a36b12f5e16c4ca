import { describe, expect, it } from 'vitest';
import { convertJson } from '../../../src/convert/convert-json.ts';
import { printPrd } from '../../../src/convert/print-prd.ts';
import type { JsonValue } from '../../../src/json/json-tree.ts';
import { parsePrd } from '../../../src/prd/parse-prd.ts';
import type { Story } from '../../../src/prd/types.ts';

function convert(value: JsonValue): ReturnType<typeof convertJson> {
  return convertJson(value, { file: 'tasks.json', branch: undefined });
}

function storiesOf(value: JsonValue): readonly Story[] {
  const { prd } = convert(value) ?? {};
  return parsePrd(printPrd(prd ?? {}), 'prd.json').prd.stories;
}

describe('lists of other tools', () => {
  it.each([
    ['at the top level', [{ id: 'A', title: 'One' }]],
    ['under tasks', { tasks: [{ id: 'A', title: 'One' }] }],
    ['under features', { features: [{ id: 'A', title: 'One' }] }],
    ['inside prd', { prd: { userStories: [{ id: 'A', title: 'One' }] } }],
    ['inside master, under tasks', { master: { tasks: [{ id: 'A', title: 'One' }] } }],
    ['under a name of its own', { plan: [{ id: 'A', name: 'One', status: 'open' }] }],
  ])('%s', (_, value) => expect(storiesOf(value)).toMatchObject([{ id: 'A', title: 'One', passes: false, notes: '' }]));

  it('keys and values of many kinds', () => {
    const value = {
      name: 'App',
      branch: 'feature/x',
      tasks: [
        {
          id: 1,
          name: 'One',
          status: 'done',
          priority: 'high',
          acceptance_criteria: ['a', { text: 'b', done: true }],
          verifyCommands: 'npm test',
        },
        { id: 2, name: 'Two', status: 'in_progress', priority: 'low', dependencies: [1], acceptance: '- c\n- [x] d' },
        { id: 3, name: 'Three', status: 'pending', priority: 'P0', deps: '1, 2', verify: ['make check'] },
      ],
    };
    expect(storiesOf(value)).toMatchObject([
      { id: '1', title: 'One', passes: true, priority: 2, acceptanceCriteria: ['a', 'b'], checks: ['npm test'] },
      { id: '2', title: 'Two', passes: false, priority: 4, dependsOn: ['1'], acceptanceCriteria: ['c', 'd'] },
      { id: '3', title: 'Three', passes: false, priority: 1, dependsOn: ['1', '2'], checks: ['make check'] },
    ]);
    const { prd, mapped } = convert(value) ?? {};
    expect(prd).toMatchObject({ project: 'App', branchName: 'feature/x' });
    expect(mapped).toEqual(
      expect.arrayContaining([
        'tasks → userStories',
        'branch → branchName',
        'name → title (3 times)',
        'status "done" → passes true',
        'status "in_progress" → passes false',
        'priority "high" → priority 2',
        'id as a number → id as a text (3 times)',
        'acceptance_criteria → acceptanceCriteria',
        'dependencies → dependsOn',
        'verifyCommands → checks',
      ]),
    );
  });

  it('a list of features with steps, without ids and titles', () =>
    expect(
      storiesOf([
        { category: 'ui', description: 'User can open a chat. Then more.', steps: ['Open', 'See'], passes: false },
      ]),
    ).toMatchObject([{ id: 'US-001', title: 'User can open a chat', acceptanceCriteria: ['Open', 'See'] }]));

  it('keys that are not ours stay, and are named', () => {
    const { prd, unread } = convert({ tasks: [{ id: 'A', title: 'One', owner: 'Ann' }], meta: { v: 2 } }) ?? {};
    expect(prd).toMatchObject({ meta: { v: 2 }, userStories: [{ owner: 'Ann' }] });
    expect(unread).toEqual(['meta', 'owner']);
  });

  it('what stands beside a wrapper stays', () =>
    expect(convert({ version: 3, prd: { tasks: [{ id: 'A', title: 'One' }] } })?.prd).toMatchObject({ version: 3 }));

  it('dependencies by title', () =>
    expect(
      storiesOf([
        { id: 1, name: 'One', status: 'open' },
        { id: 2, name: 'Two', status: 'open', dependsOn: ['One'] },
      ])[1]?.dependsOn,
    ).toEqual(['1']));

  it('a value that fits nowhere stays and is named', () => {
    const { prd, remarks } = convert([{ id: 'A', title: 'One', priority: 'soonish' }]) ?? {};
    expect(prd).toMatchObject({ userStories: [{ priority: 'soonish' }] });
    expect(remarks?.join()).toMatch(/userStories\[0\]\.priority/);
  });

  it.each([[{}], [{ a: 1 }], [[]], [[1, 2]], ['text'], [null]])('%j holds no stories', (value) =>
    expect(convert(value)).toBeUndefined(),
  );
});
