import type { Story } from '../types.ts';
import { provesLogic } from './proofs.ts';
import { listOpen, pathOf, textOf } from './stories.ts';
import type { Rule } from './types.ts';
import { withoutQuotes } from './wording.ts';

/** Words of computing and deciding; in a title one is enough. */
const strong =
  /\b(?:calculat(?:e|es|ed|ion)|comput(?:e|es|ed|ation)|pars(?:e|es|er|ing)|valid(?:ate|ates|ated|ation)|convert(?:s|ed|sion)?|dedup\w*|merg(?:e|es|ing)|round(?:s|ed|ing)|retr(?:y|ies|ied)|rate[- ]limit\w*|throttl\w*|debounc\w*|algorithm|discounts?|tax(?:es)?|expir(?:e|es|y|ation)|permissions?|authori[sz]\w*|encrypt\w*|hash(?:es|ed|ing)|pagina\w*|sort(?:s|ed|ing)?|recurr\w*|scor(?:e|es|ing)|rank(?:s|ed|ing)?|match(?:es|ing)|diff(?:s|ing)?|normali[sz]\w*)\b/gi;
const weak =
  /\b(?:filter(?:s|ed|ing)?|answer(?:s|ed)? with|answered with|returns?|responds?|rejects?|rejected|refuses?|refused|limits?|limited|at most|at least|totals?|sum|average|percent\w*|when|unless|otherwise|default(?:s)?|endpoint)\b/gi;
const requests = /\b(?:GET|POST|PUT|PATCH|DELETE)\b/g;

export const noTests: Rule = {
  name: 'no-tests',
  severity: 'warning',
  why: 'Logic without a test is a claim: the next worker breaks it without noticing.',
  mend: 'Add a criterion "Tests cover …" that names the cases, and a check that runs them.',
  find: ({ prd }) =>
    listOpen(prd)
      .filter(({ story }) => hasLogic(story) && ![...story.acceptanceCriteria, ...story.checks].some(provesLogic))
      .map(({ index }) => ({ path: pathOf(index, 'acceptanceCriteria'), text: 'has logic, and no tests' })),
};

function hasLogic(story: Story): boolean {
  const text = withoutQuotes(textOf(story));
  const weight = 3 * count(story.title, strong) + 2 * count(text, strong) + count(text, weak) + count(text, requests);
  return weight >= 4;
}

function count(text: string, pattern: RegExp): number {
  return new Set((text.match(pattern) ?? []).map((word) => word.toLowerCase().slice(0, 5))).size;
}
