import { UsageError } from '../errors.ts';
import { findStoryLabel, findSectionKind, isAboutStories } from './labels.ts';
import { inlineText, toLine } from './inline-text.ts';
import { linesOf } from './markdown.ts';
import type { RootContent } from './markdown.ts';
import { isStory, splitBody } from './find-stories.ts';
import type { Surroundings } from './find-stories.ts';
import { lastLineOf, outline } from './outline.ts';
import type { Section } from './outline.ts';
import { addFoldedHeadings, addPlainHeadings } from './plain-headings.ts';
import { blockText, isStruckOut } from './read-criteria.ts';
import { readStory } from './read-story.ts';
import { readStoryTable } from './read-story-table.ts';
import { readStoryTitle } from './story-title.ts';
import type { Passage, ReadDocument, StoryDraft } from './types.ts';
import { openDocument } from './unwrap.ts';

/** What is gathered on the way through a document. */
interface Open {
  readonly text: string;
  readonly stories: StoryDraft[];
  readonly kept: Passage[];
  readonly unplaced: Passage[];
  readonly introduction: string[];
  readonly nonGoals: string[];
  /** Headings that stand above stories. */
  readonly parents: Set<string>;
  preamble: string[];
  project: string | undefined;
  branch: string | undefined;
}

/**
 * Reads a document. Every block of it ends up in a story, in the introduction, or among what was kept out or not placed.
 * Throws UsageError where lists or quotes are nested thousands deep.
 */
export function readDocument(file: string): ReadDocument {
  try {
    return read(file);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new UsageError('the document is nested too deeply', { cures: ['take lists out of lists'], cause: error });
  }
}

function read(file: string): ReadDocument {
  const { text, blocks, frontMatter, frontEnd, around } = openDocument(file);
  const root = outline(addPlainHeadings(addFoldedHeadings(blocks)));
  const titled = findTitle(root);
  const open: Open = {
    text,
    stories: [],
    kept: [...(frontEnd === 0 ? [] : [{ from: 1, to: frontEnd, words: 'front matter' }]), ...around],
    unplaced: [],
    introduction: [],
    nonGoals: [],
    parents: new Set(),
    preamble: [],
    project: frontMatter.get('project'),
    branch: frontMatter.get('branch') ?? frontMatter.get('branchname') ?? frontMatter.get('branch_name'),
  };
  walk(open, root, { inStories: false, title: titled, parent: root });
  const title = titled === undefined ? frontMatter.get('title') : cleanTitle(titled.heading);
  const introduction = open.introduction.length > 0 ? open.introduction : open.preamble;
  return {
    title,
    project: open.project,
    branch: open.branch,
    introduction: introduction[0] ?? '',
    nonGoals: open.nonGoals,
    stories: open.stories,
    kept: inOrder(open.kept),
    unplaced: inOrder(open.unplaced),
    features: open.parents.size > 1 ? [...open.parents] : [],
  };
}

function inOrder(passages: readonly Passage[]): Passage[] {
  return [...passages].sort((a, b) => a.from - b.from);
}

function findTitle(root: Section): Section | undefined {
  const [first] = root.children;
  if (first === undefined || readStoryTitle(first.heading).sign === 'sure') return undefined;
  const kind = findSectionKind(first.heading);
  // "# Notes" with everything under it is an app for notes.
  if (first.level === 1 && first.children.length > 0 && kind !== 'stories') return first;
  const isTitle = first.level === 1 || first.children.length > 0 || /\bPRD\b|requirements/i.test(first.heading);
  return isTitle && kind === 'other' ? first : undefined;
}

function cleanTitle(heading: string): string {
  return heading
    .replace(
      /^(?:PRD|product requirements(?: document)?|feature(?: specification)?|spec(?:ification)?|epic|pflichtenheft|lastenheft|cahier des charges|documento de requisitos|(?:产品)?需求文档|要件定義書?)\s*[:：–—-]\s*/i,
      '',
    )
    .replace(/\s*[-–—:(]*\s*(?:PRD|product requirements document)\)?$/i, '')
    .trim();
}

interface Way {
  readonly inStories: boolean;
  readonly title: Section | undefined;
  readonly parent: Section;
}

function walk(open: Open, section: Section, way: Way): void {
  const kind = section.level === 0 || section === way.title ? 'other' : findSectionKind(section.heading);
  const inStories = kind === 'stories' || (way.inStories && kind === 'other');
  if (kind !== 'stories' && !inStories && !hasStories(section)) return leave(open, section, kind, way);
  if (kind === 'stories') open.parents.add(way.parent.heading);
  if (section.level > 0 && (kind !== 'stories' || /\s/.test(section.heading.replace(/\b(?:the|user) /i, '')))) {
    // A group of stories, or the document itself: its heading is no part of any story.
    const isTop = section === way.title || kind !== 'other';
    (isTop ? open.kept : open.unplaced).push({ from: section.line, to: section.end, words: section.heading });
  }
  readBody(open, section, inStories, section.level === 0 || section === way.title);
  const around = surroundingsOf(section, inStories, way.title);
  for (const child of section.children) {
    if (isStory(child, around)) takeStory(open, child);
    else if (inStories && !hasStories(child) && !mayHoldStories(child)) leave(open, child, 'other', way);
    else walk(open, child, { inStories, title: way.title, parent: section });
  }
  if (kind !== 'stories' && section.level === 1 && section.children.some((child) => isStory(child, around)))
    open.parents.add(section.heading);
}

function surroundingsOf(section: Section, inStories: boolean, title: Section | undefined): Surroundings {
  const kind = section === title ? 'other' : findSectionKind(section.heading);
  return {
    inStories,
    besideIds: section.children.some((child) => readStoryTitle(child.heading).sign === 'sure'),
    inKnown: section.level > 1 && kind !== 'other' && kind !== 'stories',
  };
}

/** Does anything below this section look like a story, wherever it stands? */
function hasStories(section: Section): boolean {
  const around = surroundingsOf(section, false, undefined);
  if (section.level > 0 && isAboutStories(section.heading)) return false;
  return (
    section.level === 0 ||
    splitBody(section.body, false).found.some((found) => 'heading' in found) ||
    section.body.some((block) => block.type === 'table' && readStoryTable(block, false) !== undefined) ||
    section.children.some(
      (child) => isStory(child, around) || findSectionKind(child.heading) === 'stories' || hasStories(child),
    )
  );
}

/** A group under "User Stories": its own lists and paragraphs may be stories. */
function mayHoldStories(section: Section): boolean {
  return (
    findSectionKind(section.heading) === 'other' &&
    (section.children.length > 0 || splitBody(section.body, true).found.length > 0)
  );
}

/** A story, and stories that were put below it by their headings. */
function takeStory(open: Open, section: Section): void {
  const isOther = (child: Section): boolean => readStoryTitle(child.heading).sign === 'sure';
  // The author took it back, with everything in it.
  if (isStruckOut(section.heading.replace(/\s*\([^()]*\)$/, ''))) {
    open.kept.push({ from: section.line, to: lastLineOf(section), words: section.heading });
    return;
  }
  open.stories.push(
    readStory({ ...section, children: section.children.filter((child) => !isOther(child)) }, open.text),
  );
  for (const child of section.children.filter(isOther)) takeStory(open, child);
}

function readBody(open: Open, section: Section, inStories: boolean, isTop: boolean): void {
  const { found, rest } = splitBody(section.body, inStories);
  for (const part of found) {
    if ('heading' in part) takeStory(open, part);
    else {
      const rows = part.type === 'table' ? readStoryTable(part, inStories) : undefined;
      if (rows === undefined) note(open.unplaced, part, open.text);
      else open.stories.push(...rows);
    }
  }
  for (const block of rest) {
    if (block.type === 'thematicBreak') continue;
    if (isTop && !inStories) readPreamble(open, block);
    else note(open.unplaced, block, open.text);
  }
}

/** What stands between the title and the first section: facts about the document, or its introduction. */
function readPreamble(open: Open, block: RootContent): void {
  const lines =
    block.type === 'paragraph' ? inlineText(block.children).split('\n') : blockText(block, open.text).split('\n');
  let isFact = false;
  for (const line of lines) {
    const [, name = '', value = ''] = /^[-*\s]*([\p{L} -]{2,24}?)\s*[:：]\s*(.+?)\s*$/u.exec(line) ?? [];
    if (/^(?:project|projekt|proyecto|projet|projeto)$/i.test(name)) open.project ??= value;
    else if (/^(?:(?:git |feature )?branch|branch ?name)$/i.test(name)) open.branch ??= value.replaceAll('`', '');
    if (name !== '') isFact = true;
  }
  if (isFact)
    note(
      lines.every((line) => /^[-*\s]*(?:project|branch(?: ?name)?)\s*:/i.test(line)) ? [] : open.kept,
      block,
      open.text,
    );
  else {
    if (block.type === 'paragraph') open.preamble.push(toLine(blockText(block, open.text)));
    note(block.type === 'paragraph' ? open.kept : open.unplaced, block, open.text);
  }
}

/** A section without stories stays in the document; of two kinds the gist is taken along. */
function leave(open: Open, section: Section, kind: ReturnType<typeof findSectionKind>, way: Way): void {
  const passage = { from: section.line, to: lastLineOf(section), words: section.heading };
  if (kind === 'introduction') {
    const paragraphs = section.body.filter((block) => block.type === 'paragraph');
    open.introduction.push(...paragraphs.map((block) => toLine(blockText(block, open.text))));
  }
  if (kind === 'non-goals') open.nonGoals.push(...itemsOf(section, open.text));
  const isKnown = kind !== 'other' || (!way.inStories && findStoryLabel(section.heading) === 'depends');
  if (section === way.title) for (const block of section.body) readPreamble(open, block);
  else (isKnown ? open.kept : open.unplaced).push(passage);
  if (section === way.title) for (const child of section.children) walk(open, child, { ...way, parent: section });
}

function itemsOf(section: Section, text: string): string[] {
  const own = section.body.flatMap((block) =>
    block.type === 'list'
      ? block.children.map((item) => toLine(item.children.map((child) => blockText(child, text)).join(' ')))
      : [toLine(blockText(block, text))],
  );
  return [...own, ...section.children.flatMap((child) => itemsOf(child, text))].filter(
    (item) => item !== '' && !/^(?:none|n\/a|keine)\W*$/i.test(item),
  );
}

function note(passages: Passage[], block: RootContent, text: string): void {
  const words = toLine(blockText(block, text));
  if (words === '') return;
  const { from, to } = linesOf(block);
  passages.push({ from, to, words });
}
