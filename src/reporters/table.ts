/** A table as lines of text that fit a width. Pure. */
import { displayWidth, ellipsize, padColumns } from './display-width.ts';

export interface Column {
  readonly head: string;
  readonly align: 'start' | 'end';
  readonly cells: readonly string[];
}

const gap = 2;
const narrowest = 12;

/**
 * The first column takes what the others leave and is cut with an ellipsis; where that is too little, columns are left out
 * from the right. The first line is the head. No line is wider than `columns` (unless that is less than the first two need).
 */
export function layOutTable(all: readonly Column[], columns: number): string[] {
  const [first, ...rest] = all;
  if (first === undefined) return [];
  const shown = [...rest];
  while (shown.length > 1 && columns - widthOf(shown) < Math.min(narrowest, columnWidth(first))) shown.pop();
  const room = Math.max(1, columns - widthOf(shown));
  const widths = [Math.min(columnWidth(first), room), ...shown.map(columnWidth)];
  const rows = [first, ...shown];
  const height = Math.max(...rows.map((column) => column.cells.length));
  return Array.from({ length: height + 1 }, (_, index) => {
    const cells = rows.map((column, number) => {
      const text = index === 0 ? column.head : (column.cells[index - 1] ?? '');
      const width = widths[number] ?? 0;
      return padColumns(ellipsize(text, width), width, column.align);
    });
    return cells.join(' '.repeat(gap)).trimEnd();
  });
}

function columnWidth(column: Column): number {
  return Math.max(...[column.head, ...column.cells].map(displayWidth));
}

function widthOf(columns: readonly Column[]): number {
  return columns.reduce((sum, column) => sum + gap + columnWidth(column), 0);
}
