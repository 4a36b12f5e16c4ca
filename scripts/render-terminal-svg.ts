/**
 * Draws recorded terminal output as an SVG picture, so that the pictures in the documents are made of real output. Pure.
 * Known are line feeds and SGR codes (bold, dim, the 16 colours and their reset); every other control code is left out.
 */
import { cleanText } from '../src/reporters/clean-text.ts';
import { displayWidth } from '../src/reporters/display-width.ts';

export interface TerminalPicture {
  /** Columns of the window; longer lines go on in the next row. */
  readonly columns: number;
  readonly title: string;
}

interface Style {
  readonly color: string;
  readonly isBold: boolean;
  readonly isDim: boolean;
}

/** A piece of one row: text of one style that starts at a column. */
interface Run {
  readonly column: number;
  readonly text: string;
  readonly style: Style;
}

const cell = { width: 8.4, height: 19 };
const margin = 16;
const bar = 34;
const background = '#11151c';
const foreground = '#d7dce4';
const normal = ['#5b6470', '#f07178', '#8fce7e', '#e6c07b', '#7aa8f0', '#c792ea', '#6cc7d2', '#d7dce4'];
const bright = ['#7d8794', '#ff8b92', '#a9e69a', '#ffd98f', '#98bfff', '#ddb0ff', '#8ae3ee', '#ffffff'];
const plain: Style = { color: foreground, isBold: false, isDim: false };
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
const sgr = new RegExp(String.raw`\u001b\[([0-9;]*)m`, 'u');

/** The picture of a text with ANSI colours, as the text of an SVG file. */
export function renderTerminalSvg(text: string, { columns, title }: TerminalPicture): string {
  const rows = layOutRows(text, columns);
  const width = round(columns * cell.width + 2 * margin);
  const height = round(rows.length * cell.height + bar + 2 * margin);
  const label = escapeXml(cleanText(title));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${label}">`,
    `<rect width="${width}" height="${height}" rx="10" fill="${background}"/>`,
    ...['#f07178', '#e6c07b', '#8fce7e'].map(
      (fill, index) => `<circle cx="${margin + 6 + index * 20}" cy="18" r="6" fill="${fill}"/>`,
    ),
    `<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14" xml:space="preserve">`,
    `<text x="${round(width / 2)}" y="23" fill="${normal[0]}" text-anchor="middle">${label}</text>`,
    ...rows.flatMap((runs, index) => runs.map((run) => drawRun(run, index))),
    '</g>',
    '</svg>',
    '',
  ].join('\n');
}

function drawRun({ column, text, style }: Run, row: number): string {
  const x = round(margin + column * cell.width);
  const y = round(bar + margin + row * cell.height + 10);
  // The length keeps columns in line whatever font the reader has.
  const length = round(displayWidth(text) * cell.width);
  const weight = style.isBold ? ' font-weight="bold"' : '';
  const opacity = style.isDim ? ' opacity="0.6"' : '';
  return `<text x="${x}" y="${y}" fill="${style.color}"${weight}${opacity} textLength="${length}" lengthAdjust="spacingAndGlyphs">${escapeXml(text)}</text>`;
}

function layOutRows(text: string, columns: number): Run[][] {
  const rows: Run[][] = [[]];
  let style = plain;
  let column = 0;
  const parts = text.replace(/\n$/u, '').split(sgr);
  for (const [index, part] of parts.entries()) {
    if (index % 2 === 1) {
      style = changeStyle(style, part);
      continue;
    }
    for (const { segment } of graphemes.segment(cleanText(part).replaceAll('\t', '    '))) {
      const width = displayWidth(segment);
      if (segment === '\n' || column + width > columns) {
        rows.push([]);
        column = 0;
      }
      if (segment === '\n') continue;
      addToRow(rows.at(-1) ?? [], { column, text: segment, style });
      column += width;
    }
  }
  return rows.map((runs) => runs.filter((run) => run.text.trim() !== ''));
}

function addToRow(row: Run[], run: Run): void {
  const last = row.at(-1);
  if (last?.style === run.style) row[row.length - 1] = { ...last, text: last.text + run.text };
  else row.push(run);
}

function changeStyle(style: Style, codes: string): Style {
  return codes.split(';').reduce((before, code) => applyCode(before, Number(code)), style);
}

function applyCode(style: Style, code: number): Style {
  if (code === 0) return plain;
  if (code === 1) return { ...style, isBold: true };
  if (code === 2) return { ...style, isDim: true };
  if (code === 22) return { ...style, isBold: false, isDim: false };
  if (code === 39) return { ...style, color: foreground };
  if (code >= 30 && code <= 37) return { ...style, color: normal[code - 30] ?? foreground };
  if (code >= 90 && code <= 97) return { ...style, color: bright[code - 90] ?? foreground };
  return style;
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

function round(number: number): number {
  return Math.round(number * 10) / 10;
}
