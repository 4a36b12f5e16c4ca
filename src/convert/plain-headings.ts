import { inlineText, toLine } from './inline-text.ts';
import { findSectionKind } from './labels.ts';
import { linesOf } from './markdown.ts';
import type { Heading, Paragraph, PhrasingContent, RootContent } from './markdown.ts';
import { readStoryTitle } from './story-title.ts';

/** What is folded, `<details><summary>Title</summary>`, as a section below the one it stands in. */
export function addFoldedHeadings(blocks: readonly RootContent[]): RootContent[] {
  let depth = 0;
  return blocks.flatMap((block): RootContent[] => {
    if (block.type === 'heading') ({ depth } = block);
    if (block.type !== 'html') return [block];
    if (/^\s*<\/details>\s*$/i.test(block.value)) return [];
    const [, words] = /^\s*<details[^>]*>\s*<summary[^>]*>([^<>]+)<\/summary>\s*$/i.exec(block.value) ?? [];
    if (words === undefined) return [block];
    const title: Paragraph = { type: 'paragraph', children: [{ type: 'text', value: toLine(words) }] };
    return [headingOf(block.position === undefined ? title : { ...title, position: block.position }, below(depth))];
  });
}

function below(depth: number): Heading['depth'] {
  const depths = [1, 2, 3, 4, 5, 6] as const;
  return depths[depth] ?? 6;
}

/**
 * Text without any Markdown heading, as it is pasted from a word processor: lines of a paragraph that name a section ("USER
 * STORIES") or a story ("US-001: Scan a code") become headings, and a short first line the title. Every other document, and
 * one in which no line names a story or the stories, stays as it is.
 */
export function addPlainHeadings(blocks: readonly RootContent[]): readonly RootContent[] {
  if (blocks.some((block) => block.type === 'heading')) return blocks;
  const found = blocks.map((block) => (block.type === 'paragraph' ? splitParagraph(block) : [block]));
  const all = found.flat();
  if (!all.some((block) => block.type === 'heading' && block.depth === 3)) return blocks;
  const [first, ...rest] = all;
  return first?.type === 'paragraph' && isTitle(first) ? [headingOf(first, 1), ...rest] : all;
}

function isTitle({ children }: Paragraph): boolean {
  const line = inlineText(children);
  return line.length <= 80 && !/[\n:：]|[.!?;,]$/.test(line);
}

function splitParagraph(block: Paragraph): RootContent[] {
  const { from } = linesOf(block);
  const parts: RootContent[] = [];
  let open: Paragraph | undefined;
  for (const [index, children] of splitLines(block.children).entries()) {
    const depth = depthOf(toLine(inlineText(children)));
    const line = { ...block, children, position: at(block, from + index) };
    if (depth !== undefined) {
      open = undefined;
      parts.push(headingOf(line, depth));
    } else if (open === undefined) {
      open = line;
      parts.push(open);
    } else {
      open.children = [...open.children, { type: 'text', value: '\n' }, ...children];
      open.position = at(block, linesOf(open).from, from + index);
    }
  }
  return parts;
}

function depthOf(line: string): 2 | 3 | undefined {
  const { sign, title } = readStoryTitle(line);
  if (sign === 'sure') return title === '' ? undefined : 3;
  return findSectionKind(line) === 'other' ? undefined : 2;
}

function headingOf({ children, position }: Paragraph, depth: Heading['depth']): Heading {
  return { type: 'heading', depth, children, ...(position === undefined ? {} : { position }) };
}

/** The place of some lines of a block. Offsets are those of the whole: nothing is cut out of the text by them. */
function at(block: Paragraph, from: number, to = from): NonNullable<Paragraph['position']> {
  const { start, end } = block.position ?? { start: { line: from, column: 1 }, end: { line: to, column: 1 } };
  return { start: { ...start, line: from }, end: { ...end, line: to } };
}

function splitLines(nodes: readonly PhrasingContent[]): PhrasingContent[][] {
  const lines: PhrasingContent[][] = [[]];
  for (const node of nodes) {
    if (node.type === 'break') lines.push([]);
    else if (node.type !== 'text') lines.at(-1)?.push(node);
    else {
      const [first = '', ...others] = node.value.split('\n');
      lines.at(-1)?.push({ ...node, value: first });
      for (const value of others) lines.push([{ ...node, value }]);
    }
  }
  return lines;
}
