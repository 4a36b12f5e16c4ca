import type { Remark } from '../prd/lint/types.ts';
import { cleanLine } from './clean-text.ts';
import type { Palette } from './palette.ts';

/** What `ralph check` found. */
export interface CheckReport {
  readonly v: 1;
  /** Path from the root of the working tree. */
  readonly file: string;
  readonly errors: readonly Remark[];
  readonly warnings: readonly Remark[];
}

/** The report for people: each finding with its place, why it matters and how to mend it. */
export function renderCheck({ file, errors, warnings }: CheckReport, palette: Palette): string {
  if (errors.length + warnings.length === 0) return `${palette.good('✓')} ${cleanLine(file)}: nothing to mend\n`;
  const lines = [
    ...errors.flatMap((remark) => describe(remark, palette.bad('error'), palette)),
    ...warnings.flatMap((remark) => describe(remark, palette.warn('warning'), palette)),
    `${cleanLine(file)}: ${count(errors.length, 'error')}, ${count(warnings.length, 'warning')}`,
  ];
  return lines.map((line) => `${line}\n`).join('');
}

function describe({ rule, place, text, why, mend }: Remark, kind: string, palette: Palette): string[] {
  const at = place === '' ? '' : `${palette.headline(cleanLine(place))} `;
  return [`${kind} ${at}${cleanLine(text)} ${palette.detail(`[${rule}]`)}`, `  Why:  ${why}`, `  Mend: ${mend}`, ''];
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
