import type { Prd } from '../prd/types.ts';
import type { Passage } from '../convert/types.ts';
import { cleanLine } from './clean-text.ts';

/** What `ralph convert` made, and what it did not take along. */
export interface ConvertReport {
  readonly file: string;
  readonly output: string;
  readonly prd: Prd;
  readonly way: 'parsed' | 'mapped' | 'agent';
  readonly kept: readonly Passage[];
  readonly unplaced: readonly Passage[];
  readonly mapped: readonly string[];
  readonly remarks: readonly string[];
  /** What became of the old prd.json. */
  readonly before: readonly string[];
  /** Remarks of the rules on the result. */
  readonly warnings: number;
  readonly isWritten: boolean;
  readonly isSame: boolean;
}

const ways = { parsed: 'read without an agent', mapped: 'mapped key by key', agent: 'converted by the agent' } as const;

/** The report for people: stories, what was decided, and every passage that has no place in the result. */
export function renderConversion(report: ConvertReport): string {
  const { prd, kept, unplaced, mapped, remarks, before } = report;
  const lines = [
    `${headOf(report)}: ${count(prd.stories.length, 'story', 'stories')} on ${prd.branchName ?? 'the current branch'}, from ${report.file} (${ways[report.way]}).`,
    ...prd.stories.map(({ id, title, acceptanceCriteria, checks, dependsOn }) => {
      const facts = [
        count(acceptanceCriteria.length, 'criterion', 'criteria'),
        ...(checks.length === 0 ? [] : [count(checks.length, 'check')]),
        ...(dependsOn.length === 0 ? [] : [`after ${dependsOn.join(', ')}`]),
      ];
      return `  ${id}  ${title} (${facts.join(', ')})`;
    }),
    ...section('Mapped:', mapped),
    ...before,
    ...(kept.length === 0 ? [] : [`Stays in the document: ${kept.map((passage) => shortOf(passage)).join('; ')}`]),
    ...section('Not placed, so left out; put it where it belongs, or leave it:', unplaced.map(longOf)),
    ...section('Noted:', remarks),
    ...nextLines(report),
  ];
  return lines.map((line) => `${line.startsWith(' ') ? '  ' : ''}${cleanLine(line)}\n`).join('');
}

function headOf({ output, isWritten, isSame }: ConvertReport): string {
  if (!isWritten) return `Would write ${output}`;
  return isSame ? `${output} is up to date` : `Wrote ${output}`;
}

function nextLines({ warnings, isWritten }: ConvertReport): string[] {
  const found = warnings === 0 ? [] : [`${count(warnings, 'remark')} on it: ralph check`];
  return [...found, ...(isWritten ? ['Next: ralph run --dry-run'] : [])];
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [title, ...lines.map((line) => `  ${line}`)];
}

function shortOf({ from, to, words }: Passage): string {
  return `${cut(words, 40)} (${linesOf(from, to)})`;
}

function longOf({ from, to, words }: Passage): string {
  return `${linesOf(from, to)}: ${cut(words, 100)}`;
}

function linesOf(from: number, to: number): string {
  return from === to ? `line ${from}` : `lines ${from}-${to}`;
}

function cut(text: string, limit: number): string {
  const letters = Array.from(text);
  return letters.length > limit ? `${letters.slice(0, limit - 1).join('')}…` : text;
}

function count(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`;
}
