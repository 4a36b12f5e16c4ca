import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { listOpenIds, selectStory } from '../../../src/prd/select.ts';
import { readingOf } from './readings.ts';

const select = (...stories: object[]) => selectStory(readingOf(stories).prd);
const idOf = (...stories: object[]): string | undefined => {
  const selection = select(...stories);
  return selection.kind === 'story' ? selection.story.id : undefined;
};

describe('selectStory', () => {
  it('takes the lowest priority, ties in file order, those without one last', () => {
    expect(idOf({ priority: 2 }, { priority: 1 }, {}, { priority: 1 })).toBe('US-002');
    expect(idOf({}, { priority: 9 })).toBe('US-002');
    expect(idOf({}, {})).toBe('US-001');
    expect(idOf({ priority: 0 }, { priority: -1.5 })).toBe('US-002');
  });

  it('passes over what has passed, is blocked or waits', () => {
    expect(idOf({ passes: true }, { ralph: { blocked: 'x' } }, { dependsOn: ['US-004'] }, { priority: 9 })).toBe(
      'US-004',
    );
    expect(idOf({ passes: true }, { dependsOn: ['US-001'], priority: 1 }, {})).toBe('US-002');
  });

  it('is complete when all have passed, even blocked ones', () => {
    expect(select({ passes: true }, { passes: true, ralph: { blocked: 'x' } })).toEqual({ kind: 'complete' });
  });

  it('says who is blocked and who waits for whom', () => {
    const selection = select(
      { passes: true },
      { ralph: { blocked: 'no key' } },
      { dependsOn: ['US-001', 'US-002'] },
      { dependsOn: ['US-003'] },
    );
    if (selection.kind !== 'blocked') throw new Error(selection.kind);
    expect(selection.blocked.map((story) => [story.id, story.blocked])).toEqual([['US-002', 'no key']]);
    expect(selection.waiting.map(({ story, on }) => [story.id, on])).toEqual([
      ['US-003', ['US-002']],
      ['US-004', ['US-003']],
    ]);
  });

  it('never gives a story that may not be worked at, and gives one whenever there is one', () => {
    const story = fc.record({ passes: fc.boolean(), priority: fc.nat(3), block: fc.boolean(), on: fc.nat(9) });
    fc.assert(
      fc.property(fc.array(story, { minLength: 1, maxLength: 9 }), (facts) => {
        const stories = facts.map(({ passes, priority, block, on }, index) => ({
          passes,
          priority,
          ...(block ? { ralph: { blocked: 'x' } } : {}),
          dependsOn: on < index ? [`US-00${on + 1}`] : [],
        }));
        const { prd } = readingOf(stories);
        const isPassed = (id: string): boolean => prd.stories.some((other) => other.id === id && other.passes);
        const workable = prd.stories.filter(
          (other) => !other.passes && other.blocked === undefined && other.dependsOn.every(isPassed),
        );
        const best = Math.min(...workable.map((other) => other.priority));
        const selection = selectStory(prd);
        const wanted = workable.find((other) => other.priority === best);
        expect(selection.kind === 'story' ? selection.story : undefined).toBe(wanted);
        expect(selection.kind === 'complete').toBe(listOpenIds(prd).length === 0);
      }),
    );
  });
});
