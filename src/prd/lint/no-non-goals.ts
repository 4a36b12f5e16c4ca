import type { Rule } from './types.ts';

const excluded =
  /\b(?:non-?goals?|not (?:a )?goals?|out of scope|not in scope|not part of|does not include|excluded|nicht teil|kein(?:e)? ziel)\b/i;

/** Only where the document of the feature is at hand: of a prd.json alone nobody can say what was thought of. */
export const noNonGoals: Rule = {
  name: 'no-non-goals',
  severity: 'warning',
  why: 'What nobody excluded gets built: a worker fills every gap with what such features usually have.',
  mend: 'Add a section "Non-Goals" to the document, and the gist of it to the description.',
  find: ({ prd, document }) =>
    document === undefined || document.hasNonGoals || excluded.test(prd.description ?? '')
      ? []
      : [{ path: ['description'], text: `names no non-goals, nor does ${document.path}` }],
};
