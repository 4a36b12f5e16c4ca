/** The summary at the end of a run as lines. Pure. */
import {
  endText,
  lastLineText,
  lookAtText,
  neverGreenText,
  nextSteps,
  notVerifiedText,
  obstacleText,
} from '../messages.ts';
import type { EndFacts } from '../messages.ts';
import { cleanLine } from './clean-text.ts';
import type { Line } from './event-lines.ts';
import type { Tone } from './palette.ts';
import type { RunEnd, StoryRow, Summary } from './summary.ts';
import { layOutTable } from './table.ts';
import { countTokens, formatCount, formatDuration, formatMoney } from './units.ts';

/** Table, sentence, totals and what to do next. Empty while the run has not ended. */
export function summaryLines(summary: Summary, columns: number): Line[] {
  const { end } = summary;
  if (end === undefined) return [];
  const facts = endFacts(summary, end);
  return [
    ...tableLines(summary.rows, columns),
    line(end.reason === 'complete' ? 'good' : 'bad', endText(facts)),
    ...optional('bad', lastLineText(facts)),
    ...openLines(summary, end),
    ...(isUnverified(summary, end)
      ? [line('warn', `${notVerifiedText}: no gate and no check has looked at this work`)]
      : []),
    ...(summary.neverGreen.length === 0 ? [] : [line('warn', neverGreenText(summary.neverGreen))]),
    ...(summary.denied.length === 0 ? [] : [line('warn', `Denied tools: ${summary.denied.join(', ')}`)]),
    ...refLines(summary),
    line('note', totalsText(end, summary.rows)),
    ...nextSteps(facts).map((step) => line('note', `Next: ${step}`)),
    line('detail', `Everything is kept in .ralph/runs/${summary.run}`),
  ];
}

/** The one line that says why a run ended: `ralph: stalled (exit 6): …`. */
export function endLine(summary: Summary, end: RunEnd): string {
  const facts = endFacts(summary, end);
  const cause = lastLineText(facts);
  return cleanLine(
    `ralph: ${end.reason} (exit ${end.code}): ${endText(facts)}${cause === undefined ? '' : ` ${cause}`}`,
  );
}

function endFacts(summary: Summary, end: RunEnd): EndFacts {
  const { tool, isPromptMode, stories, passed } = summary;
  const { reason, signal, text, totals } = end;
  return {
    reason,
    signal,
    text,
    tool,
    isPromptMode,
    stories,
    passed,
    iterations: totals.iterations,
    open: end.open ?? [],
  };
}

function line(tone: Tone, text: string): Line {
  return { tone, text: cleanLine(text) };
}

function optional(tone: Tone, text: string | undefined): Line[] {
  return text === undefined ? [] : [line(tone, text)];
}

function tableLines(rows: readonly StoryRow[], columns: number): Line[] {
  if (rows.length === 0) return [];
  const cells = (cell: (row: StoryRow) => string) => rows.map((row) => cleanLine(cell(row)));
  const [head = '', ...body] = layOutTable(
    [
      {
        head: 'Story',
        align: 'start',
        cells: cells((row) => (row.id === '' ? 'the prompt' : `${row.id} ${row.title}`)),
      },
      { head: 'Verdict', align: 'start', cells: cells((row) => row.verdict ?? 'open') },
      { head: 'Attempts', align: 'end', cells: cells((row) => String(row.attempts)) },
      { head: 'Time', align: 'end', cells: cells((row) => formatDuration(row.durationMs)) },
      { head: 'Cost', align: 'end', cells: cells((row) => (row.costUsd === null ? '-' : formatMoney(row.costUsd))) },
      { head: 'Commit', align: 'start', cells: cells((row) => row.commit?.slice(0, 7) ?? '-') },
    ],
    columns,
  );
  return [
    { tone: 'headline', text: head },
    ...body.map((text, index): Line => ({ tone: toneOf(rows[index]), text })),
    { tone: 'note', text: '' },
  ];
}

function toneOf(row: StoryRow | undefined): Tone {
  if (row?.verdict === 'passed') return row.verified ? 'good' : 'warn';
  return row?.verdict === 'rejected' || row?.verdict === 'blocked' || row?.verdict === 'failed' ? 'bad' : 'warn';
}

/** The open stories that something keeps from being worked on, and why. */
function openLines(summary: Summary, end: RunEnd): Line[] {
  const listed = (end.open ?? []).flatMap((story) => {
    const obstacle = obstacleText(story);
    return obstacle === undefined ? [] : [line('bad', `${story.id} ${obstacle}`)];
  });
  if (end.open !== undefined) return listed;
  const blocked = summary.rows.filter((row) => row.verdict === 'blocked' && row.id !== '');
  return blocked.map((row) => line('bad', `${row.id} blocked: ${row.reason ?? ''}`));
}

function isUnverified(summary: Summary, end: RunEnd): boolean {
  return !end.verified && (end.reason === 'complete' || summary.rows.some((row) => row.verdict === 'passed'));
}

/** Only the newest one: earlier ones were shown when they came. */
function refLines(summary: Summary): Line[] {
  const newest = summary.refs.at(-1);
  return newest === undefined ? [] : lookAtText(newest.ref).map((text) => line('note', text));
}

function totalsText({ code, reason, totals }: RunEnd, rows: readonly StoryRow[]): string {
  const iterations = `${totals.iterations} iteration${totals.iterations === 1 ? '' : 's'}`;
  const cost = rows.some((row) => row.costUsd !== null) || totals.costUsd > 0 ? [formatMoney(totals.costUsd)] : [];
  const tokens = countTokens(totals.tokens);
  const used = tokens > 0 ? [`${formatCount(tokens)} tokens`] : [];
  return [`Exit ${code} (${reason})`, iterations, formatDuration(totals.durationMs), ...cost, ...used].join(' · ');
}
