import type { Story } from '../types.ts';
import { listOpen, pathOf } from './stories.ts';
import type { Finding, Rule } from './types.ts';
import { withoutQuotes } from './wording.ts';

const MOST_CRITERIA = 7;
const LONGEST_DESCRIPTION = 700;
const LONGEST_STORY = 2_400;

const makes = String.raw`(?:add|build|create|develop|design|implement|introduce|make|set up|provide|support|write)`;
const article = String.raw`(?:(?:an?|the|our|new|basic|complete|full|whole|entire|simple|user|customer|admin|main)\s+)*`;
/** What can't be named in one sentence when it is made as a whole. */
const areas = String.raw`(?:authentication|authorization|auth|login|registration|sign-?up|onboarding|billing|payments?|checkout|notifications?|search|sorting|filters?|reporting|analytics|permissions|user management|profiles?|password reset|dashboards?|settings(?: page)?|data model|backend|frontend|api|app|application|website|admin panel|ui|pipeline|infrastructure|platform|framework|module)`;

const wholeArea = new RegExp(String.raw`^(?:${makes}\s+)?${article}${areas}$`, 'i');
const makesSystem = new RegExp(
  String.raw`^(?:${makes}\s+)?${article}(?:[\w-]+\s+){0,3}(?:system|dashboard|platform|framework|engine|subsystem|suite|application)s?(?:\s+(?:with|and|including|from scratch)\b.*)?$`,
  'i',
);
const narrows = /\b(?:to|on|in|of|for|from|into|through|between|behind|above|under)\b/i;
const wholeThing =
  /\b(?:entire|whole|complete|full)\s+(?:[\w-]+\s+){0,2}(?:app|application|system|dashboard|code ?base|site|website|project|product|module|feature|flow|backend|frontend|api|stack|ui|experience|page|suite|workflow)\b/i;
const rework =
  /^(?:refactor|rewrite|re-write|redesign|rework|overhaul|restructure|rearchitect|moderni[sz]e|revamp|port|migrate)\b/i;
const oneThing = /`[^`]+`|\b\w+\.\w{2,4}\b|\b\w+\(\)|\b[a-z]+[A-Z]\w*|\b[A-Z][a-z]+[A-Z]\w*|\w\/\w/;
const everything =
  /\b(?:everything|all (?:the )?(?:features|pages|screens|endpoints|modules|components|services)|end[- ]to[- ]end (?:feature|flow|solution)|from scratch)\b/i;
const verb =
  /\b(?:add|build|create|implement|show|display|store|save|read|change|update|delete|remove|send|import|export|filter|sort|search|validate|parse|migrate|refactor|move|rename|integrate|deploy|configure|test|document|list|edit|render|sync|upload|download|notify|generate|calculate|track|log|archive|schedule)\b/gi;
/** Many small parts of one thing are no sign of many things. */
const parts = /\b(?:columns?|fields?|options?|values?|propert(?:y|ies)|keys?|flags?|types?|tests?|links?|labels?)\b/i;

export const tooBig: Rule = {
  name: 'too-big',
  severity: 'warning',
  why: 'A worker starts with an empty memory: what does not fit into one context window is left half done, and the next one starts again from nothing.',
  mend: 'Split it: by layer (store, serve, show), by operation (read, create, change, delete), or by case; each part with its own criteria.',
  find: ({ prd }) => listOpen(prd).flatMap(({ story, index }) => findSigns(story, index)),
};

function findSigns(story: Story, index: number): Finding[] {
  const title = findTitleSign(story.title);
  const all = story.description.length + story.acceptanceCriteria.join('').length;
  const found: Finding[] = [];
  if (title !== undefined) found.push({ path: pathOf(index, 'title'), text: title });
  const criteria = story.acceptanceCriteria.length;
  if (criteria > MOST_CRITERIA) {
    found.push({
      path: pathOf(index, 'acceptanceCriteria'),
      text: `has ${criteria} criteria: more than ${MOST_CRITERIA}`,
    });
  }
  const whole = wholeThing.exec(withoutQuotes(story.description))?.[0] ?? everything.exec(story.description)?.[0];
  if (whole !== undefined && title === undefined)
    found.push({ path: pathOf(index, 'description'), text: `speaks of "${whole}"` });
  if (story.description.length > LONGEST_DESCRIPTION) {
    found.push({ path: pathOf(index, 'description'), text: `is ${story.description.length} characters long` });
  } else if (all > LONGEST_STORY) found.push({ path: pathOf(index), text: `is ${all} characters long` });
  return found;
}

function findTitleSign(original: string): string | undefined {
  const title = withoutQuotes(original).trim().replace(/[.!]$/, '');
  const whole = wholeThing.exec(title)?.[0] ?? everything.exec(title)?.[0];
  if (whole !== undefined) return `speaks of "${whole}"`;
  if (rework.test(title) && !oneThing.test(original)) {
    return `begins with "${rework.exec(title)?.[0] ?? ''}" and names no single file or function: there is no point at which it is done`;
  }
  if (wholeArea.test(title)) return 'names a whole area, not one change in it';
  const system = makesSystem.exec(title);
  if (system !== null && !narrows.test(title)) return 'names a whole system, not one change in it';
  return findManyThings(title);
}

/** Several verbs, or several areas, joined into one title. */
function findManyThings(title: string): string | undefined {
  const joints = title.match(/,|;|\s&\s|\s\+\s|\b(?:and|plus|as well as|then|und|et|y)\b/gi)?.length ?? 0;
  if (joints === 0) return undefined;
  const verbs = new Set((title.match(verb) ?? []).map((word) => word.toLowerCase()));
  if (verbs.size >= 3 && !parts.test(title)) return `joins several things: ${[...verbs].join(', ')}`;
  const named = title.split(/,|;|\s&\s|\s\+\s|\b(?:and|plus|as well as|then)\b/i);
  const whole = new RegExp(String.raw`^\s*(?:${makes}\s+)?${article}${areas}(?:\s+(?:for|to|on|in)\b.*)?\s*$`, 'i');
  const found = named.filter((part) => whole.test(part));
  if (found.length >= 2) return `joins several areas: ${found.map((part) => part.trim()).join(', ')}`;
  const makesMany = /^(?:build|create|develop|design|implement|introduce|make|set up)\b/i.test(title);
  const most = makesMany && !narrows.test(title) && !/\bwith\b/i.test(title) ? 3 : 4;
  return joints >= most && !parts.test(title) ? `joins ${joints + 1} things` : undefined;
}
