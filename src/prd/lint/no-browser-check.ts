import type { Story } from '../types.ts';
import { provesLook } from './proofs.ts';
import { listOpen, pathOf, textOf } from './stories.ts';
import type { Rule } from './types.ts';
import { withoutQuotes } from './wording.ts';

/** Things that one sees: in a title one is enough. */
const things =
  /\b(?:buttons?|modals?|dialogs?|drop-?downs?|badges?|side-?bars?|nav-?bars?|toasts?|tooltips?|check-?boxes|check-?box|pop-?ups?|pop-?overs?|web ?pages?|screens?|ui|icons?|cards?|spinners?|banners?|carousel|widgets?|date ?picker|color picker|landing page|(?:settings|profile|home|login|detail|details|list|overview|search|start) page|task editor|form fields?|progress bar)\b/gi;
const signs =
  /\b(?:page|form|hover(?:ing)?|clicks?|clicked|clicking|colou?rs?|layout|css|renders?|rendered|visible|hidden|displayed|displays|placeholder|label|header row|menu|tabs?|above the list|select|scrolls?|animation|theme|dark mode)\b/gi;
/** What looks like such a word and is seen by nobody. */
const elsewhere =
  /\b(?:cli|command[- ]line|terminal|stdout|stderr|exit code|endpoint|graphql|http|migrations?|sql|cron|webhooks?|queue|daemon|middleware|console output|log file)\b/gi;

/** Verbs of HTTP are written in capitals; "Delete" is a word on a button. */
const requests = /\b(?:GET|POST|PUT|PATCH|DELETE|REST)\b/g;

export const noBrowserCheck: Rule = {
  name: 'no-browser-check',
  severity: 'warning',
  why: 'A worker that never looks at the page calls it done as soon as it compiles.',
  mend: 'Add a criterion "Verify in browser: …" that names what is to be seen.',
  find: ({ prd }) =>
    listOpen(prd)
      .filter(({ story }) => isVisible(story) && ![...story.acceptanceCriteria, ...story.checks].some(provesLook))
      .map(({ index }) => ({
        path: pathOf(index, 'acceptanceCriteria'),
        text: 'changes what one sees, and has no look in a browser',
      })),
};

function isVisible(story: Story): boolean {
  const text = withoutQuotes(textOf(story));
  const title = withoutQuotes(story.title);
  const weight =
    4 * count(title, things) +
    2 * count(title, signs) +
    2 * (count(text, things) - count(title, things)) +
    (count(text, signs) - count(title, signs)) -
    2 * (count(text, elsewhere) + count(text, requests)) -
    2 * (count(title, elsewhere) + count(title, requests));
  return weight >= 4;
}

/** Different words, not how often they are said. */
function count(text: string, pattern: RegExp): number {
  return new Set((text.match(pattern) ?? []).map((word) => word.toLowerCase().replace(/s$/, ''))).size;
}
