import type { JsonPath } from '../../json/json-tree.ts';
import type { Prd, Story } from '../types.ts';
import type { Finding, PlacedStory } from './types.ts';

/** The stories that are still to be worked on: about those that have passed there is nothing left to mend. */
export function listOpen(prd: Prd): PlacedStory[] {
  return prd.stories.map((story, index) => ({ story, index })).filter(({ story }) => !story.passes);
}

/** All stories in the order in which a run takes them. */
export function inRunOrder(prd: Prd): PlacedStory[] {
  return prd.stories
    .map((story, index) => ({ story, index }))
    .sort((a, b) => (a.story.priority === b.story.priority ? a.index - b.index : a.story.priority - b.story.priority));
}

export function pathOf(index: number, ...rest: JsonPath): JsonPath {
  return ['userStories', index, ...rest];
}

/** Everything that a story says, as one text. */
export function textOf({ title, description, acceptanceCriteria }: Story): string {
  return [title, description, ...acceptanceCriteria].join('\n');
}

/** What `find` has to say about each criterion of each open story. */
export function findInCriteria(prd: Prd, find: (criterion: string, story: Story) => string | undefined): Finding[] {
  return listOpen(prd).flatMap(({ story, index }) =>
    story.acceptanceCriteria.flatMap((criterion, position) => {
      const text = find(criterion, story);
      return text === undefined ? [] : [{ path: pathOf(index, 'acceptanceCriteria', position), text }];
    }),
  );
}
