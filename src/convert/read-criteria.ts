import { findCommands } from './find-commands.ts';
import { codeSpans, inlineText, toLine } from './inline-text.ts';
import { sourceOf } from './markdown.ts';
import type { List, ListItem, RootContent, Table } from './markdown.ts';
import type { Criterion } from './types.ts';

/** A list as criteria, one for each item. What stands below an item stays with it, on lines of its own. */
export function criteriaOf(list: List, text: string): Criterion[] {
  return list.children.flatMap((item) => {
    const criterion = itemText(item, text);
    return criterion === '' ? [] : [toCriterion(criterion, item)];
  });
}

export function toCriterion(text: string, node: RootContent): Criterion {
  return { text, checks: findCommands(text, codeSpans(node)) };
}

/** Struck out: the author took it back. */
export function isStruckOut(text: string): boolean {
  return /^~~[^~]*~~$/.test(text.trim());
}

/** An item with everything below it. */
export function itemText(item: ListItem, text: string): string {
  const [first, ...rest] = item.children;
  const start = first?.type === 'paragraph' ? cleanStart(toLine(inlineText(first.children))) : undefined;
  const below = (start === undefined ? item.children : rest).map((block) => blockText(block, text));
  return [...(start === undefined ? [] : [start]), ...below].filter((part) => part !== '').join('\n');
}

function cleanStart(line: string): string {
  return line.replace(/^(?:\[[ xX]?\]|[☐☑☒✅✔❌])️?\s*/u, '');
}

/** A block as text for a description or below a criterion. */
export function blockText(block: RootContent, text: string): string {
  if (block.type === 'paragraph') {
    const lines = inlineText(block.children).split('\n');
    return lines
      .map((line) => line.trim())
      .join(' ')
      .trim();
  }
  if (block.type === 'heading') return `${toLine(inlineText(block.children))}:`;
  if (block.type === 'list') return listText(block, text);
  if (block.type === 'blockquote') return block.children.map((child) => blockText(child, text)).join('\n');
  return block.type === 'thematicBreak' ? '' : sourceOf(block, text).trim();
}

function listText(list: List, text: string): string {
  return list.children
    .map((item, index) => {
      const mark = list.ordered === true ? `${(list.start ?? 1) + index}.` : '-';
      return `${mark} ${itemText(item, text).replaceAll('\n', '\n  ')}`;
    })
    .join('\n');
}

/** The cells of a table as lines of text, the header first. */
export function cellsOf(table: Table): string[][] {
  return table.children.map((row) =>
    row.children.map((cell) =>
      inlineText(cell.children)
        .split('\n')
        .map(toLine)
        .filter((line) => line !== '')
        .join('\n'),
    ),
  );
}

/** Each row of a table as a criterion: its cells, with the names of their columns where there are several. */
export function rowsAsCriteria(table: Table): Criterion[] {
  const [header = [], ...rows] = cellsOf(table);
  return rows.flatMap((row, index) => {
    const cells = row
      .map((cell, column) => ({ cell: toLine(cell), name: header[column] ?? '' }))
      .filter(({ cell, name }) => !isMark(cell) && !(/^(?:#|no\.?|nr\.?|id)$/i.test(name) && /^\d+\.?$/.test(cell)));
    const [only] = cells;
    const text =
      cells.length === 1
        ? (only?.cell ?? '')
        : cells.map(({ cell, name }) => (name === '' ? cell : `${name}: ${cell}`)).join('; ');
    const node = table.children[index + 1];
    return text === '' || node === undefined ? [] : [toCriterion(text, node)];
  });
}

/** An empty cell, a box or a tick. */
function isMark(cell: string): boolean {
  return /^(?:\[[ xX]?\]|[\p{So}\p{Sm}✓✔✗✘]|\uFE0F|[-–—]|\s)*$/u.test(cell);
}
