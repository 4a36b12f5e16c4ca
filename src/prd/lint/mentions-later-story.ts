import type { Story } from '../types.ts';
import { inRunOrder, listOpen, pathOf } from './stories.ts';
import type { Finding, PlacedStory, Rule } from './types.ts';
import { simplify } from './wording.ts';

export const mentionsLaterStory: Rule = {
  name: 'mentions-later-story',
  severity: 'warning',
  why: 'A worker can only use what is there: what a later story makes it invents for itself, or it gets stuck.',
  mend: 'Put the story that makes it first (priority, dependsOn), or take the mention out.',
  find: ({ prd }) => {
    const order = inRunOrder(prd);
    const open = new Set(listOpen(prd).map(({ index }) => index));
    return order.flatMap((placed, position) =>
      open.has(placed.index) ? findMentions(placed, order.slice(0, position), order.slice(position + 1)) : [],
    );
  },
};

/** One finding for each later story at most. */
function findMentions({ story, index }: PlacedStory, before: PlacedStory[], later: PlacedStory[]): Finding[] {
  const known = [...before.map((placed) => placed.story.title), story.title].join('\n');
  return later.flatMap(({ story: other }) => {
    if (story.dependsOn.includes(other.id)) return [];
    const names = namesOf(other).filter((name) => !mentions(known, name));
    for (const [part, text] of partsOf(story)) {
      const name = [other.id, ...names].find((candidate) => mentions(text, candidate) && !isLeftOut(text, candidate));
      if (name === undefined) continue;
      const path = typeof part === 'number' ? pathOf(index, 'acceptanceCriteria', part) : pathOf(index, part);
      return [
        {
          path,
          text: name === other.id ? `speaks of ${name}, a later story` : `needs "${name}": ${other.id} makes it`,
        },
      ];
    }
    return [];
  });
}

function partsOf(story: Story): [number | 'title' | 'description', string][] {
  return [
    ['title', story.title],
    ['description', story.description],
    ...story.acceptanceCriteria.map((text, position): [number, string] => [position, text]),
  ];
}

const creation =
  /^(?:add|build|create|implement|introduce|define|make|write|set up)\s+(?:an?\s+|the\s+|new\s+|another\s+)*(.+)$/i;
const narrowing = /\s+(?:to|on|in|of|for|from|into|with|through|that|which|so|by|when|and|as|at|via|using)\s+.*$/i;

/** What a story makes, as others may call it: the object of its title, and names in it that are no plain words. */
function namesOf(story: Story): string[] {
  const [, made = ''] = creation.exec(story.title.trim()) ?? [];
  if (made === '') return [];
  const object = made.replace(narrowing, '').trim();
  const words = simplify(object).split(' ');
  const identifiers = made.match(/`[^`]+`|\b[A-Z][a-z0-9]+[A-Z]\w*|\b[a-z]+[A-Z]\w*|\b\w+_\w+\b/g) ?? [];
  const plain = identifiers.map((name) => name.replaceAll('`', '')).filter((name) => name.length > 3);
  return [...plain, ...(words.length >= 2 && object.length >= 8 ? [object] : [])];
}

function mentions(text: string, name: string): boolean {
  const wanted = simplify(name);
  return wanted !== '' && ` ${simplify(text)} `.includes(` ${wanted} `);
}

/** "not part of this: US-003", "comes with US-003" says that it is not needed. */
function isLeftOut(text: string, name: string): boolean {
  const sentence = text.split(/(?<=[.;!?])\s/).find((part) => mentions(part, name)) ?? text;
  return /\b(?:not|no|without|never|later|until|follows?|comes? (?:with|in)|out of scope|left to|left for|leaves?|except|nicht|ohne|erst)\b/i.test(
    sentence,
  );
}
