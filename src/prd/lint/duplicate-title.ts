import { pathOf } from './stories.ts';
import type { Finding, Rule } from './types.ts';
import { simplify } from './wording.ts';

export const duplicateTitle: Rule = {
  name: 'duplicate-title',
  severity: 'warning',
  why: 'Commits and log entries are found by their titles: a worker that reads them takes the second story for done.',
  mend: 'Say in the title what is different, or drop one of the two.',
  find: ({ prd }) => {
    const first = new Map<string, number>();
    const found: Finding[] = [];
    prd.stories.forEach((story, index) => {
      const title = simplify(story.title);
      const earlier = first.get(title);
      if (earlier === undefined) first.set(title, index);
      else found.push({ path: pathOf(index, 'title'), text: `is the title of userStories[${earlier}], too` });
    });
    return found;
  },
};
