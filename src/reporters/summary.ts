/** The facts of a run's summary, collected from its events. Pure: a reducer and nothing else. */
import type { EventBody, EventScope, EventType, OpenStory, RalphEvent, Verdict } from '../loop/events.ts';
import type { EventMap, EventOf } from './event-map.ts';

export interface StoryRow {
  /** Empty in prompt mode. */
  readonly id: string;
  readonly title: string;
  /** Null until an iteration at it has a verdict. */
  readonly verdict: Verdict | null;
  readonly verified: boolean;
  readonly reason: string | null;
  /** As the PRD's record has it now. */
  readonly attempts: number;
  readonly durationMs: number;
  /** Null where no agent named a cost. */
  readonly costUsd: number | null;
  readonly commit: string | null;
}

export type RunEnd = Extract<EventBody, { type: 'run.finished' }>;

export interface Summary {
  readonly run: string;
  readonly tool: string;
  readonly isPromptMode: boolean;
  readonly maxIterations: number | null;
  readonly maxAttempts: number | undefined;
  readonly stories: number;
  readonly passed: number;
  readonly rows: readonly StoryRow[];
  readonly denied: readonly string[];
  /** Rescue refs of work that was not accepted later either, oldest first. */
  readonly refs: readonly { readonly story: string | undefined; readonly ref: string }[];
  /** Gates that were red and never green in this run. */
  readonly neverGreen: readonly string[];
  readonly greenGates: readonly string[];
  readonly end: RunEnd | undefined;
}

export const emptySummary: Summary = {
  run: '',
  tool: 'agent',
  isPromptMode: false,
  maxIterations: null,
  maxAttempts: undefined,
  stories: 0,
  passed: 0,
  rows: [],
  denied: [],
  refs: [],
  neverGreen: [],
  greenGates: [],
  end: undefined,
};

/** The summary with one more event in it. */
export function addToSummary(summary: Summary, event: RalphEvent): Summary {
  return add(event.type, summary, event);
}

function add<T extends EventType>(type: T, summary: Summary, event: EventMap[T]): Summary {
  return reducers[type](summary, event);
}

const reducers: { [T in EventType]: (summary: Summary, event: EventMap[T]) => Summary } = {
  'run.started': startRun,
  'run.recovered': keep,
  'warning.raised': keep,
  'archive.created': keep,
  'iteration.started': (summary, event) =>
    changeRow(summary, event, () => ({ title: event.title ?? '', verdict: null, reason: null })),
  'agent.started': keep,
  'agent.text': keep,
  'agent.tool': keep,
  'agent.denied': (summary, event) => ({ ...summary, denied: union(summary.denied, event.tools) }),
  'agent.finished': addCost,
  'agent.limit': keep,
  'agent.retry': keep,
  'state.restored': keep,
  'claim.made': keep,
  'claim.premature': keep,
  'claim.withdrawn': withdraw,
  'gate.started': keep,
  'gate.finished': addGate,
  'story.passed': passStory,
  'story.rejected': (summary, event) => setBack(summary, event, 'rejected'),
  'story.unfinished': (summary, event) => setBack(summary, event, 'unfinished'),
  'story.blocked': (summary, event) => changeRow(summary, event, () => ({ verdict: 'blocked', reason: event.reason })),
  'story.failed': (summary, event) => setBack(summary, event, 'failed'),
  'rescue.saved': (summary, { story, ref }) => ({ ...summary, refs: [...summary.refs, { story, ref }] }),
  'process.killed': keep,
  'iteration.finished': (summary, event) =>
    changeRow(summary, event, (row) => ({
      verdict: row.verdict ?? event.verdict,
      durationMs: row.durationMs + event.durationMs,
    })),
  'run.finished': (summary, event) => ({
    ...summary,
    end: event,
    // A red gate that ended the start binds: the run was refused because of it.
    neverGreen: event.reason === 'usage' ? [] : summary.neverGreen,
    ...(event.open === undefined ? {} : openFacts(summary, event.open)),
  }),
};

function keep(summary: Summary): Summary {
  return summary;
}

function startRun(summary: Summary, event: EventOf<'run.started'>): Summary {
  const { run, tool, maxIterations, maxAttempts, stories, passed } = event;
  return { ...summary, run, tool, isPromptMode: event.prd === null, maxIterations, maxAttempts, stories, passed };
}

function passStory(summary: Summary, event: EventOf<'story.passed'>): Summary {
  const { verified, commit, attempts } = event;
  const passed = summary.passed + (hasPassed(summary, event.story) ? 0 : 1);
  const next = changeRow(summary, event, () => ({ verdict: 'passed', reason: null, verified, commit, attempts }));
  return { ...next, passed, refs: summary.refs.filter(({ story }) => story !== event.story) };
}

type Setback = EventOf<'story.rejected'> | EventOf<'story.unfinished'> | EventOf<'story.failed'>;

function setBack(summary: Summary, { reason, attempts, ...event }: Setback, verdict: Verdict): Summary {
  return changeRow(summary, event, () => ({ verdict, reason, attempts }));
}

function changeRow(summary: Summary, event: EventScope, change: (row: StoryRow) => Partial<StoryRow>): Summary {
  const id = event.story ?? '';
  const old = summary.rows.find((row) => row.id === id);
  if (old === undefined) return { ...summary, rows: [...summary.rows, { ...emptyRow(id), ...change(emptyRow(id)) }] };
  return { ...summary, rows: summary.rows.map((row) => (row === old ? { ...row, ...change(row) } : row)) };
}

function emptyRow(id: string): StoryRow {
  return {
    id,
    title: '',
    verdict: null,
    verified: false,
    reason: null,
    attempts: 0,
    durationMs: 0,
    costUsd: null,
    commit: null,
  };
}

function addCost(summary: Summary, event: EventOf<'agent.finished'>): Summary {
  const { costUsd } = event;
  return costUsd === null ? summary : changeRow(summary, event, (row) => ({ costUsd: (row.costUsd ?? 0) + costUsd }));
}

/**
 * A gate that was red stays named until it is green once; one that was ever green binds and is no news. One that was cut off
 * with the run (no exit code, and not by its own time limit) was not seen: it is neither.
 */
function addGate(summary: Summary, { kind, name, exit, timedOut }: EventOf<'gate.finished'>): Summary {
  if (kind !== 'gate' || (exit === null && !timedOut)) return summary;
  if (exit === 0) {
    const neverGreen = summary.neverGreen.filter((gate) => gate !== name);
    return { ...summary, neverGreen, greenGates: union(summary.greenGates, [name]) };
  }
  return summary.greenGates.includes(name) ? summary : { ...summary, neverGreen: union(summary.neverGreen, [name]) };
}

function withdraw(summary: Summary, event: EventOf<'claim.withdrawn'>): Summary {
  const passed = Math.max(0, summary.passed - 1);
  const isKnown = summary.rows.some((row) => row.id === event.story);
  if (!isKnown) return { ...summary, passed };
  return { ...changeRow(summary, event, () => ({ verdict: null, reason: event.reason, commit: null })), passed };
}

/** The list at the end is exact, whatever was counted on the way; titles of stories that came by claim are in it, too. */
function openFacts(summary: Summary, open: readonly OpenStory[]): Partial<Summary> {
  const titles = new Map(open.map(({ id, title }) => [id, title]));
  return {
    passed: Math.max(0, summary.stories - open.length),
    rows: summary.rows.map((row) => (row.title === '' ? { ...row, title: titles.get(row.id) ?? '' } : row)),
  };
}

function hasPassed(summary: Summary, story: string | undefined): boolean {
  return summary.rows.some((row) => row.id === (story ?? '') && row.verdict === 'passed');
}

function union(known: readonly string[], more: readonly string[]): readonly string[] {
  return [...new Set([...known, ...more])];
}
