import { listOpen, pathOf } from './stories.ts';
import type { Rule } from './types.ts';

export const priorityAgainstDependency: Rule = {
  name: 'priority-against-dependency',
  severity: 'warning',
  why: 'priority says one order and dependsOn another: the story waits, and whoever reads the list expects it earlier.',
  mend: 'Give the story that is needed the lower number.',
  find: ({ prd }) => {
    const priorities = new Map(prd.stories.map((story) => [story.id, story.priority]));
    return listOpen(prd).flatMap(({ story, index }) =>
      story.dependsOn
        .filter((id) => (priorities.get(id) ?? 0) > story.priority)
        .map((id) => ({
          path: pathOf(index, 'priority'),
          text: `${story.priority} comes before ${id} (${show(priorities.get(id))}), on which it depends`,
        })),
    );
  },
};

function show(priority: number | undefined): string {
  return priority === undefined || priority === Infinity ? 'no priority: last' : String(priority);
}
