import { inlineText, toLine } from './inline-text.ts';
import { linesOf } from './markdown.ts';
import type { Paragraph, RootContent } from './markdown.ts';
import { readStoryTitle } from './story-title.ts';

/** A heading with what stands under it. Level 0 is the document itself; a bold line that names a story counts as level 7. */
export interface Section {
  readonly heading: string;
  readonly level: number;
  readonly line: number;
  /** Last line of the heading: an underlined one may have several. */
  readonly end: number;
  readonly body: RootContent[];
  readonly children: Section[];
}

/** The tree of a document's sections, whatever levels its headings have. */
export function outline(blocks: readonly RootContent[]): Section {
  const root: Section = { heading: '', level: 0, line: 1, end: 1, body: [], children: [] };
  const open = [root];
  const takes = signsTaken(blocks);
  for (const block of blocks) {
    const found = readHeading(block, takes);
    if (found === undefined) {
      (open.at(-1) ?? root).body.push(block);
      continue;
    }
    const { rest, ...start } = found;
    const section: Section = {
      ...start,
      line: linesOf(block).from,
      end: block.type === 'heading' ? linesOf(block).to : linesOf(block).from,
      body: rest,
      children: [],
    };
    while ((open.at(-1)?.level ?? 0) >= section.level && open.length > 1) open.pop();
    (open.at(-1) ?? root).children.push(section);
    open.push(section);
  }
  return root;
}

/**
 * Ids that make a story of a bold line: "US-001" always; another one ("SHOP-12") where several bold lines have one, and
 * nothing has the former.
 */
function signsTaken(blocks: readonly RootContent[]): readonly string[] {
  const bold = blocks.flatMap((block) => (block.type === 'paragraph' ? (splitLead(block)?.heading ?? []) : []));
  const headings = blocks.flatMap((block) => (block.type === 'heading' ? toLine(inlineText(block.children)) : []));
  const signOf = (heading: string): string => readStoryTitle(heading).sign;
  const isSure = [...bold, ...headings].some((heading) => signOf(heading) === 'sure');
  return !isSure && bold.filter((heading) => signOf(heading) === 'maybe').length > 1 ? ['sure', 'maybe'] : ['sure'];
}

function readHeading(
  block: RootContent,
  takes: readonly string[],
): (Pick<Section, 'heading' | 'level'> & { rest: RootContent[] }) | undefined {
  if (block.type === 'heading') return { heading: toLine(inlineText(block.children)), level: block.depth, rest: [] };
  const lead = block.type === 'paragraph' ? splitLead(block) : undefined;
  if (lead === undefined || !takes.includes(readStoryTitle(lead.heading).sign)) return undefined;
  return { ...lead, level: 7 };
}

/** The bold words with which a paragraph begins, and what stands behind them as a paragraph of its own. */
export function splitLead(block: Paragraph): { heading: string; rest: RootContent[] } | undefined {
  const [first, second, ...more] = block.children;
  if (first?.type !== 'strong') return undefined;
  const bold = toLine(inlineText(first.children));
  const behind = second?.type === 'text' ? second.value : '';
  const { id, title } = readStoryTitle(bold);
  if (id !== undefined && title === '' && behind.trim() !== '') {
    // "**US-001:** Title", with more on the lines below.
    const [line = '', ...below] = behind.split('\n');
    const children = below.length === 0 ? more : [{ type: 'text' as const, value: below.join('\n') }, ...more];
    const isWhole = below.length > 0 || more.length === 0;
    if (isWhole) return { heading: toLine(`${bold} ${line}`), rest: asParagraph(block, children) };
  }
  const value = behind.replace(/^\s*[:：–—-]*\s*/, '');
  const children = second?.type === 'text' ? [{ ...second, value }, ...more] : block.children.slice(1);
  return { heading: bold, rest: asParagraph(block, children) };
}

function asParagraph(block: Paragraph, children: Paragraph['children']): RootContent[] {
  return inlineText(children).trim() === '' ? [] : [{ ...block, children }];
}

/** The last line of a section, with everything under it. */
export function lastLineOf(section: Section): number {
  const last = section.body.at(-1);
  return Math.max(section.end, last === undefined ? 0 : linesOf(last).to, ...section.children.map(lastLineOf));
}
