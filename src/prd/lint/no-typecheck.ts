import { provesTypes } from './proofs.ts';
import { listOpen, pathOf } from './stories.ts';
import type { Rule } from './types.ts';

export const noTypecheck: Rule = {
  name: 'no-typecheck',
  severity: 'warning',
  why: 'A worker that is not told to runs no typecheck before it says that it is done, and the next one inherits what is broken.',
  mend: 'Add the criterion "Typecheck passes", or what takes its place in this language ("ruff check passes").',
  find: ({ prd }) =>
    listOpen(prd)
      .filter(({ story }) => ![...story.acceptanceCriteria, ...story.checks].some(provesTypes))
      .map(({ index }) => ({ path: pathOf(index, 'acceptanceCriteria'), text: 'has no typecheck criterion' })),
};
