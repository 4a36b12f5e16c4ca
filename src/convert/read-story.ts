import { boldEnd, boldStart, inlineText, toLine } from './inline-text.ts';
import { findStoryLabel } from './labels.ts';
import type { StoryLabel } from './labels.ts';
import type { List, ListItem, Paragraph, RootContent } from './markdown.ts';
import { addText, namesStories, takeCriteria, takeDependencies, takeText } from './open-story.ts';
import type { OpenStory } from './open-story.ts';
import type { Section } from './outline.ts';
import { blockText, isStruckOut, itemText, rowsAsCriteria } from './read-criteria.ts';
import { readStoryTitle, titleFrom } from './story-title.ts';
import type { StoryDraft } from './types.ts';

/** Reads a section that is a story; everything in it ends up in the story or in its remarks. */
export function readStory(section: Section, text: string): StoryDraft {
  const comment = /\s*<!--.*?-->/g;
  const { id, title, priority } = readStoryTitle(section.heading.replace(comment, ''));
  const open: OpenStory = {
    text,
    description: [],
    criteria: [],
    dependsOn: [],
    checks: [],
    remarks: (section.heading.match(comment) ?? []).map((words) => `a comment is left out: ${toLine(words)}`),
    lists: [],
    id,
    title,
    priority,
    label: undefined,
    hasCriteria: false,
    leadIn: undefined,
    boxes: { ticked: 0, all: 0 },
  };
  const [, words = ''] = dependsInTitle.exec(title) ?? [];
  if (words !== '') takeDependencies(open, words);
  if (open.dependsOn.length > 0) open.title = title.replace(dependsInTitle, '');
  readSection(open, section);
  return close(open, section.line);
}

/** "Parse the rows (depends on T001)". */
const dependsInTitle = /\s*\((?:depends on|requires|blocked by|after|needs)\s+([^()]+)\)$/i;

function close(open: OpenStory, line: number): StoryDraft {
  placeLists(open);
  if (open.boxes.all > 0 && open.boxes.ticked === open.boxes.all) {
    open.remarks.push('all its boxes are ticked; passes stays false: only what ralph has checked is passed');
  }
  const kept = open.criteria.filter(({ text }) => !isStruckOut(text));
  for (const { text } of open.criteria.filter((criterion) => isStruckOut(criterion.text)))
    open.remarks.push(`a criterion is struck out, and left out: ${text}`);
  const description = open.description.filter((part) => part !== '').join('\n');
  const title = open.title === '' && description !== '' ? titleFrom(description) : open.title;
  return {
    id: open.id,
    title: title === '' ? (open.id ?? 'Story') : title,
    description,
    criteria: kept,
    dependsOn: [...new Set(open.dependsOn)],
    checks: [...new Set([...open.checks, ...kept.flatMap(({ checks }) => checks)])],
    priority: open.priority,
    line,
    remarks: open.remarks,
  };
}

function placeLists(open: OpenStory): void {
  let shift = 0;
  for (const { list, at } of open.lists) {
    if (open.hasCriteria) {
      open.description.splice(at + shift, 0, blockText(list, open.text));
      shift += 1;
    } else takeCriteria(open, list);
  }
}

function readSection(open: OpenStory, section: Section): void {
  for (const block of section.body) readBlock(open, block);
  for (const child of section.children) {
    open.label = findStoryLabel(child.heading);
    if (open.label === undefined) open.description.push(`${child.heading.replace(/[:：]$/, '')}:`);
    readSection(open, child);
    open.label = undefined;
  }
}

function readBlock(open: OpenStory, block: RootContent): void {
  if (block.type === 'paragraph') readParagraph(open, block);
  else if (block.type === 'list') readList(open, block);
  else if (block.type === 'code') readCode(open, block, block.value);
  else if (block.type === 'blockquote') for (const child of block.children) readBlock(open, child);
  else if (block.type === 'html' && /^<!--[^]*-->$/.test(block.value.trim())) {
    open.remarks.push(`a comment is left out: ${toLine(block.value)}`);
  } else if (block.type === 'table' && open.label === 'criteria') {
    open.hasCriteria = true;
    open.criteria.push(...rowsAsCriteria(block));
  } else if (block.type !== 'thematicBreak') addText(open, blockText(block, open.text), block);
}

/** A fence belongs to the criterion above it; under `Checks` each of its lines is a command. */
function readCode(open: OpenStory, block: RootContent, value: string): void {
  if (open.label === 'checks') {
    const lines = value.split('\n').map((line) => line.replace(/^\$\s+/, '').trim());
    open.checks.push(...lines.filter((line) => line !== '' && !line.startsWith('#')));
    return;
  }
  const last = open.criteria.at(-1);
  const source = blockText(block, open.text);
  if (open.label === 'criteria' && last !== undefined)
    open.criteria[open.criteria.length - 1] = { ...last, text: `${last.text}\n${source}` };
  else addText(open, source, block);
}

/** Lines of a paragraph, each under its own label where it has one. */
function readParagraph(open: OpenStory, block: Paragraph): void {
  const lines = inlineText(block.children, 'marked').split('\n');
  let words: string[] = [];
  const flush = (): void => {
    const line = toLine(words.join(' '));
    words = [];
    if (line !== '') takeText(open, line, block);
  };
  if (!lines.some((line) => labelOf(line) !== undefined) && open.label === 'criteria' && open.criteria.length > 0) {
    // Prose behind the criteria is about the story, unless it leads on to more of them.
    if (!/[:：]\s*$/.test(unmarked(lines.join(' ')))) open.label = undefined;
  }
  for (const line of lines) {
    const found = labelOf(line);
    if (found === undefined) words.push(unmarked(line));
    else {
      flush();
      open.label = found.label;
      if (found.label === undefined) open.description.push(toLine(`${found.name}: ${found.rest}`));
      else words.push(found.rest);
      if (found.label === 'criteria') open.hasCriteria = true;
    }
  }
  flush();
}

interface Labelled {
  /** Undefined: bold words of the document's own. */
  readonly label: StoryLabel | undefined;
  readonly name: string;
  readonly rest: string;
}

const boldLabel = new RegExp(`^\\s*${boldStart}([^${boldEnd}]+?)\\s*([:：]?)\\s*${boldEnd}\\s*([:：]?)\\s*(.*)$`);

function labelOf(line: string): Labelled | undefined {
  const [, bold, inside, behind, after = ''] = boldLabel.exec(line) ?? [];
  if (bold !== undefined) {
    const label = findStoryLabel(bold);
    if (/^as a\b/i.test(bold) || (inside === '' && behind === '' && after !== '')) return undefined;
    if (label === undefined && inside === '' && behind === '') return undefined;
    return { label, name: bold, rest: unmarked(after) };
  }
  const [, name = '', rest = ''] = /^\s*([^:：]{2,40}?)\s*[:：]\s*(.*)$/.exec(unmarked(line)) ?? [];
  const label = findStoryLabel(name);
  return label === undefined ? bareLabelOf(unmarked(line).trim()) : { label, name, rest };
}

/** Without a colon: "Acceptance Criteria" alone on its line, "Blocked by US-2". */
function bareLabelOf(line: string): Labelled | undefined {
  if (findStoryLabel(line) === 'criteria') return { label: 'criteria', name: line, rest: '' };
  const [, name = '', rest = ''] =
    /^(\p{L}[\p{L} ]{3,20}?)\s+((?:[A-Z][A-Z0-9]*-\d+[a-z]?|#\d+|story \d+)(?:(?:\s*,\s*|\s+(?:and|und|et|y)\s+)(?:[A-Z][A-Z0-9]*-\d+[a-z]?|#\d+|story \d+))*)\.?$/iu.exec(
      line,
    ) ?? [];
  return findStoryLabel(name) === 'depends' ? { label: 'depends', name, rest } : undefined;
}

function unmarked(text: string): string {
  return text.replaceAll(boldStart, '').replaceAll(boldEnd, '');
}

function readList(open: OpenStory, list: List): void {
  // "Depends on: US-001", and the criteria below it without a label of their own.
  const isOther = open.label === 'depends' && open.dependsOn.length > 0 && !namesStories(listWords(list, open.text));
  if (isOther) open.label = undefined;
  const { label } = open;
  if (label === 'criteria') {
    open.hasCriteria = true;
    takeCriteria(open, list);
  } else if (label === 'depends' || label === 'checks') {
    for (const item of list.children) takeText(open, toLine(itemText(item, open.text)), item);
    open.label = undefined;
  } else if (list.children.some(isLabelled)) {
    for (const item of list.children) readItem(open, item);
    open.label = undefined;
  } else if (list.children.some(({ checked }) => typeof checked === 'boolean')) {
    open.hasCriteria = true;
    takeCriteria(open, list);
  } else open.lists.push({ list, at: open.description.length });
}

function listWords(list: List, text: string): string {
  return list.children.map((item) => itemText(item, text)).join('\n');
}

/** An item like "**Priority:** High": the story's parts are told as a list. */
function isLabelled(item: ListItem): boolean {
  const [first] = item.children;
  return (
    first?.type === 'paragraph' &&
    labelOf(inlineText(first.children, 'marked').split('\n')[0] ?? '')?.label !== undefined
  );
}

function readItem(open: OpenStory, item: ListItem): void {
  open.label = undefined;
  for (const block of item.children) readBlock(open, block);
}
