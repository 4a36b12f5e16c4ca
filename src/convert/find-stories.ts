import { inlineText, toLine } from './inline-text.ts';
import { findSectionKind, findStoryLabel } from './labels.ts';
import { linesOf } from './markdown.ts';
import type { List, ListItem, RootContent } from './markdown.ts';
import { splitLead } from './outline.ts';
import type { Section } from './outline.ts';
import { isStorySentence, readStoryTitle } from './story-title.ts';

/** Where a section stands: under a heading like "User Stories", and beside stories that have ids. */
export interface Surroundings {
  readonly inStories: boolean;
  readonly besideIds: boolean;
  /** Under a heading like "Functional Requirements", where only what has the id of a story is one. */
  readonly inKnown: boolean;
}

/** Is this section one story? By its id, else by what stands in it. */
export function isStory(section: Section, { inStories, besideIds, inKnown }: Surroundings): boolean {
  if (section.level === 0) return false;
  const { sign, title } = readStoryTitle(section.heading);
  if (sign === 'sure') return !isGroup(section);
  if (inKnown) return false;
  const kind = findSectionKind(section.heading);
  if (kind === 'stories' && title !== '' && !inStories) return false;
  const hasCriteria =
    section.body.some((block) => saysCriteria(block)) ||
    section.children.some((child) => findStoryLabel(child.heading) === 'criteria');
  if (sign === 'maybe') return hasCriteria || inStories;
  if (kind === 'known' || kind === 'non-goals' || kind === 'introduction') return false;
  if (section.children.some((child) => isStory(child, { inStories, besideIds, inKnown }))) return false;
  if (hasCriteria) return inStories || section.level > 1;
  if (!inStories || section.body.some((block) => block.type === 'list' && isStoryList(block, false))) return false;
  if (section.body.some((block) => block.type === 'paragraph' && isStorySentence(firstLine(block)))) return true;
  return !besideIds && section.body.some((block) => block.type === 'list');
}

/** An epic: it holds stories, and no criteria of its own. */
function isGroup(section: Section): boolean {
  const hasStories = section.children.some((child) => readStoryTitle(child.heading).sign === 'sure');
  return hasStories && !section.body.some((block) => saysCriteria(block));
}

function saysCriteria(block: RootContent): boolean {
  if (block.type === 'list')
    return block.children.some((item) =>
      item.children.some((child) => child.type === 'paragraph' && saysCriteria(child)),
    );
  if (block.type !== 'paragraph') return false;
  return inlineText(block.children)
    .split('\n')
    .some((line) => findStoryLabel(line.replace(/[:：].*$/, '')) === 'criteria' && /[:：]|^\S+(?:\s\S+)?$/.test(line));
}

function firstLine(block: RootContent): string {
  return block.type === 'paragraph' ? toLine(inlineText(block.children)) : '';
}

/** Is each item of a list a story, or nearly each? `mayBePlain`: under "User Stories" also those with nothing but a title. */
export function isStoryList(list: List, mayBePlain: boolean): boolean {
  const like = list.children.filter(isStoryItem).length;
  if (like > 0 && like >= list.children.length / 2) return true;
  const isBoxed = list.children.every(({ checked }) => typeof checked === 'boolean');
  return mayBePlain && (list.ordered === true || isBoxed);
}

function isStoryItem({ children }: ListItem): boolean {
  const [first, ...rest] = children;
  if (first?.type !== 'paragraph') return false;
  const line = firstLine(first);
  if (isStorySentence(line) || readStoryTitle(line).sign === 'sure') return true;
  const lead = splitLead(first);
  if (lead === undefined || findStoryLabel(lead.heading) !== undefined) return false;
  return (
    lead.rest.some((block) => isStorySentence(firstLine(block))) ||
    rest.some((block) => block.type === 'list' && saysCriteria(block))
  );
}

/** The stories in the blocks under a heading, as sections; `rest` is what belongs to none of them. */
export function splitBody(
  body: readonly RootContent[],
  inStories: boolean,
): { found: (Section | RootContent)[]; rest: RootContent[] } {
  const found: (Section | RootContent)[] = [];
  const rest: RootContent[] = [];
  let open: Section | undefined;
  for (const block of body) {
    if (block.type === 'list' && isStoryList(block, inStories && open === undefined)) {
      open = undefined;
      found.push(...block.children.map(itemSection));
    } else if (block.type === 'table') {
      open = undefined;
      found.push(block);
    } else if (inStories && block.type === 'paragraph' && beginsStory(block)) {
      open = paragraphSection(block);
      found.push(open);
    } else if (open === undefined) rest.push(block);
    else open.body.push(block);
  }
  return { found, rest };
}

function beginsStory(block: RootContent): boolean {
  const line = firstLine(block);
  return isStorySentence(line) || readStoryTitle(line).sign === 'sure';
}

function paragraphSection(block: RootContent): Section {
  const line = linesOf(block).from;
  const { sign } = readStoryTitle(firstLine(block));
  return sign === 'sure'
    ? { heading: firstLine(block), level: 7, line, end: line, body: [], children: [] }
    : { heading: '', level: 7, line, end: line, body: [block], children: [] };
}

function itemSection(item: ListItem): Section {
  const [first, ...rest] = item.children;
  const line = linesOf(item).from;
  if (first?.type !== 'paragraph')
    return { heading: '', level: 7, line, end: line, body: [...item.children], children: [] };
  const lead = splitLead(first);
  if (lead !== undefined && !/^as an?$/i.test(lead.heading)) {
    return {
      heading: lead.heading.replace(/[.:：]$/, ''),
      level: 7,
      line,
      end: line,
      body: [...lead.rest, ...rest],
      children: [],
    };
  }
  if (isStorySentence(firstLine(first)))
    return { heading: '', level: 7, line, end: line, body: [...item.children], children: [] };
  const [heading = '', ...lines] = inlineText(first.children).split('\n');
  const below: RootContent[] =
    lines.length === 0 ? [] : [{ ...first, children: [{ type: 'text', value: lines.join('\n') }] }];
  return { heading: toLine(heading), level: 7, line, end: line, body: [...below, ...rest], children: [] };
}
