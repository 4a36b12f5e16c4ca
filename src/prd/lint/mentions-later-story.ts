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
    const open = new Set(listOpen(prd).map(({ index }) => index));
    const order = inRunOrder(prd).map(readWords);
    return order.flatMap((words, position) => (open.has(words.index) ? findMentions(words, position, order) : []));
  },
};

/** What a story says and makes, made ready for comparing once: a list may hold hundreds. */
interface StoryWords extends PlacedStory {
  readonly title: string;
  readonly parts: readonly {
    readonly part: number | 'title' | 'description';
    readonly text: string;
    readonly plain: string;
  }[];
  /** By which others may call it, its id first. */
  readonly names: readonly { readonly name: string; readonly plain: string }[];
}

function readWords(placed: PlacedStory): StoryWords {
  const { story } = placed;
  const parts = [
    { part: 'title' as const, text: story.title },
    { part: 'description' as const, text: story.description },
    ...story.acceptanceCriteria.map((text, part) => ({ part, text })),
  ];
  return {
    ...placed,
    title: padded(story.title),
    parts: parts.map(({ part, text }) => ({ part, text, plain: padded(text) })),
    names: [story.id, ...namesOf(story)]
      .map((name) => ({ name, plain: padded(name) }))
      .filter(({ plain }) => plain.trim() !== ''),
  };
}

function padded(text: string): string {
  return ` ${simplify(text)} `;
}

/** One finding for each later story at most. */
function findMentions({ story, index, parts }: StoryWords, position: number, order: readonly StoryWords[]): Finding[] {
  return order.slice(position + 1).flatMap(({ story: other, names }) => {
    if (story.dependsOn.includes(other.id)) return [];
    for (const { name, plain } of names) {
      const found = parts.find((part) => part.plain.includes(plain) && !isLeftOut(part.text, plain));
      const isId = name === other.id;
      // What an earlier title or the own one says is there, or made here.
      if (found === undefined || (!isId && order.slice(0, position + 1).some(({ title }) => title.includes(plain))))
        continue;
      const path =
        typeof found.part === 'number' ? pathOf(index, 'acceptanceCriteria', found.part) : pathOf(index, found.part);
      return [{ path, text: isId ? `speaks of ${name}, a later story` : `needs "${name}": ${other.id} makes it` }];
    }
    return [];
  });
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

/** "not part of this: US-003", "comes with US-003" says that it is not needed. */
function isLeftOut(text: string, plain: string): boolean {
  const sentence = text.split(/(?<=[.;!?])\s/).find((part) => padded(part).includes(plain)) ?? text;
  return /\b(?:not|no|without|never|later|until|follows?|comes? (?:with|in)|out of scope|left to|left for|leaves?|except|nicht|ohne|erst)\b/i.test(
    sentence,
  );
}
