import type { Story } from '../types.ts';
import { listOpen, pathOf } from './stories.ts';
import type { Finding, Rule } from './types.ts';
import { quote, simplify } from './wording.ts';

export const contradictoryCriteria: Rule = {
  name: 'contradictory-criteria',
  severity: 'warning',
  why: 'Nobody can meet both, and a worker has nobody to ask: it tries until its attempts are used up.',
  mend: 'Decide which of the two holds, or say in each when it holds.',
  find: ({ prd }) => listOpen(prd).flatMap(({ story, index }) => findPairs(story, index)),
};

function findPairs({ acceptanceCriteria: criteria }: Story, index: number): Finding[] {
  return criteria.flatMap((criterion, position): Finding[] => {
    const path = pathOf(index, 'acceptanceCriteria', position);
    const inside = isEmptyAndSpeaks(criterion, criterion) ? criterion : undefined;
    if (inside !== undefined) return [{ path, text: 'wants an empty file that gives something out' }];
    const earlier = criteria.slice(0, position).findIndex((other) => contradict(other, criterion));
    if (earlier === -1) return [];
    return [{ path, text: `contradicts acceptanceCriteria[${earlier}], ${quote(criteria[earlier] ?? '')}` }];
  });
}

function contradict(left: string, right: string): boolean {
  if (isEmptyAndSpeaks(left, right) || isEmptyAndSpeaks(right, left)) return true;
  if (isConditional(left) || isConditional(right)) return false;
  return isNegation(left, right) || differInValue(left, right);
}

const file = /[\w./-]*\w\.\w{1,5}\b|\/[\w./-]+\w/g;
const isEmpty =
  /\bempty (?:\w+ )?(?:file|script|module|program|page)\b|\b(?:file|script|module|program)\b[^.,;]*\b(?:is|stays?|remains?|be|left)\s+(?:completely\s+)?empty\b|[\w/-]+\.\w{1,5}`?\s+(?:is|stays?|remains?|must be|must stay)\s+(?:completely\s+)?empty\b|\b(?:0|zero) bytes?\b/i;
const speaks =
  /\b(?:prints?|outputs?|writes? to std(?:out|err)|logs?|displays?|shows|contains|exports?|returns?|says|echoes)\b/i;
const isInput =
  /\bempty (?:\w+ )?(?:file|script|module|program|page)\s+(?:prints?|outputs?|logs?|shows|displays?|returns?|says|gives?|yields?|leads? to|ends?|exits?|is)\b/i;
/** "prints nothing" and "contains no text" are what an empty file does. */
const speaksNothing =
  /\b(?:prints?|outputs?|logs?|displays?|shows|contains|exports?|returns?|says)\s+(?:nothing|no\b|an? empty|only an? empty)|\bnot\s+(?:print|output|log|contain|export|return|show)/i;

/** An empty file in the one criterion, and the same one giving something out in the other. */
function isEmptyAndSpeaks(empty: string, speaking: string): boolean {
  if (!isEmpty.test(empty) || !speaks.test(speaking) || speaksNothing.test(speaking)) return false;
  // "With an empty file it prints a message", "An empty file prints 0": an input and what comes of it.
  if (
    isInput.test(empty) ||
    /\b(?:with|for|given|on|from|of|when|if|in|reading|importing|uploading|parsing|opening|as)\s+(?:an?|the)\s+empty\b/i.test(
      empty,
    )
  )
    return false;
  const [name] = empty.match(file) ?? [];
  if (name !== undefined) return speaking.includes(name) && (empty === speaking || !isEmpty.test(speaking));
  return /\b(?:file|script|module|program|it|page)\b/i.test(speaking) && !/\b(?:error|message)\b/i.test(speaking);
}

function isConditional(text: string): boolean {
  return /\b(?:when|if|while|unless|before|after|until|otherwise|for|without|with|on|in|during|by default|once|where|wenn|falls)\b/i.test(
    text,
  );
}

const negations =
  /\b(?:not|no|never|n't|isn't|doesn't|don't|aren't|cannot|can't|does|do|kein\w*|nicht|must|should|shall)\b/gi;
const negates = /\b(?:not|no|never|isn't|doesn't|don't|aren't|cannot|can't|kein\w*|nicht)\b/i;

function isNegation(left: string, right: string): boolean {
  if (negates.test(left) === negates.test(right)) return false;
  const bare = (text: string): string =>
    simplify(text.replace(negations, ' '))
      .split(' ')
      .map((word) => word.replace(/(?<=\w{3})s$/, ''))
      .join(' ');
  return bare(left) === bare(right) && bare(left).includes(' ');
}

/** The same sentence with another number or quoted value at its end: "Page size is 20", "Page size is 50". */
function differInValue(left: string, right: string): boolean {
  const shape =
    /^(.*\b(?:is|equals|defaults to|must be|returns|answers|exits with|exits)\s+(?:exactly\s+)?)(\d[\d.]*|"[^"]+"|'[^']+'|`[^`]+`)\W*$/i;
  const [, one = '', value = ''] = shape.exec(left) ?? [];
  const [, two = '', other = ''] = shape.exec(right) ?? [];
  return one !== '' && simplify(one) === simplify(two) && value !== other;
}
