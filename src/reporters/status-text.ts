/** `ralph status` for people: facts → text, pure. */
import type { StopReason } from '../exit.ts';
import { notVerifiedText } from '../messages.ts';
import { cleanLine } from './clean-text.ts';
import { ellipsize } from './display-width.ts';
import type { Palette } from './palette.ts';

export interface StatusStory {
  readonly id: string;
  readonly title: string;
  readonly passes: boolean;
  readonly attempts: number;
  /** Why a person is needed, or null. */
  readonly blocked: string | null;
}

export interface StatusRun {
  readonly id: string;
  readonly status: 'running' | 'finished' | 'crashed';
  /** Null while it runs and where it crashed. */
  readonly reason: StopReason | null;
  readonly code: number | null;
  /** The iteration under way, or the last one; null before the first. */
  readonly iteration: number | null;
  readonly story: string | null;
}

/** The object that `ralph status --json` prints. */
export interface StatusReport {
  readonly v: 1;
  readonly project: string | null;
  readonly branch: string | null;
  readonly stories: readonly StatusStory[];
  /** Id of the story that a run would take now, or null. */
  readonly next: string | null;
  readonly run: StatusRun | null;
}

/** What the text for people needs besides. */
export interface StatusFacts extends StatusReport {
  /** Ids of stories that wait for others, with the open ones they wait for. */
  readonly waits: readonly { readonly id: string; readonly for: readonly string[] }[];
  /** Passed stories that no gate and no check has looked at. */
  readonly unverified: readonly string[];
  /** Gates that have not been green since the last run was started with `--allow-red`. */
  readonly neverGreen: readonly string[];
  /** What the next run does with the iteration that a killed one left under way; null: there is none. */
  readonly leftTurn: 'accepted' | 'settled' | 'undone' | 'left' | null;
}

/** Several lines, each with a line feed; no line of a story is wider than `columns`, reasons are never cut. */
export function renderStatus(facts: StatusFacts, palette: Palette, columns: number): string {
  const passed = facts.stories.filter((story) => story.passes).length;
  const name = cleanLine(facts.project ?? 'PRD');
  const branch = facts.branch === null ? '' : ` · branch ${cleanLine(facts.branch)}`;
  const lines = [
    palette.headline(
      ellipsize(`${name}${branch} · ${passed} of ${countStories(facts.stories.length)} passed`, columns),
    ),
    '',
    ...facts.stories.flatMap((story) => storyLines(story, facts, palette, columns)),
    '',
    nextLine(facts, passed),
    ...blockedLines(facts.stories),
    ...runLines(facts.run),
    ...leftTurnLines(facts.leftTurn),
    ...neverGreenLines(facts.neverGreen),
    ...notVerifiedLines(facts.unverified),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

function storyLines(story: StatusStory, facts: StatusFacts, palette: Palette, columns: number): string[] {
  const text = cleanLine(`${story.id} ${story.title}`);
  if (story.passes) {
    const isUnverified = facts.unverified.includes(story.id);
    return [palette[isUnverified ? 'warn' : 'good'](ellipsize(`✓ ${text}`, columns))];
  }
  const attempts = story.attempts === 0 ? '' : ` · ${story.attempts} attempt${story.attempts === 1 ? '' : 's'}`;
  const first = `${ellipsize(`${story.blocked === null ? '·' : '✗'} ${text}`, columns - attempts.length)}${attempts}`;
  if (story.blocked !== null) return [palette.bad(first), `    blocked: ${cleanLine(story.blocked)}`];
  const waits = facts.waits.find(({ id }) => id === story.id);
  return waits === undefined ? [first] : [first, `    waits for ${cleanLine(waits.for.join(', '))}`];
}

function nextLine({ stories, next }: StatusFacts, passed: number): string {
  if (next !== null) return `Next: ${cleanLine(next)}`;
  if (passed === stories.length) return 'All stories passed.';
  return 'No story can be worked on: each is blocked or waits for a blocked one.';
}

function blockedLines(stories: readonly StatusStory[]): string[] {
  const blocked = stories
    .filter((story) => !story.passes && story.blocked !== null)
    .map((story) => cleanLine(story.id));
  return blocked.length === 0 ? [] : [`When the cause is cured: ralph unblock ${blocked.join(' ')}`];
}

function runLines(run: StatusRun | null): string[] {
  if (run === null) return ['No run yet.'];
  const place = [
    ...(run.iteration === null ? [] : [`iteration ${run.iteration}`]),
    ...(run.story === null ? [] : [cleanLine(run.story)]),
  ].join(', ');
  const where = place === '' ? '' : ` (${place})`;
  switch (run.status) {
    case 'running':
      return [`Running: ${run.id}${where}. ralph stop ends it after this iteration.`];
    case 'crashed':
      return [`Last run: ${run.id} was cut off${where}. The next run puts in order what it left.`];
    case 'finished':
      return [`Last run: ${run.id} ended: ${run.reason ?? 'unknown'}, exit ${run.code ?? 'unknown'}${where}`];
  }
  return [];
}

function leftTurnLines(end: StatusFacts['leftTurn']): string[] {
  switch (end) {
    case 'undone':
      return [
        'Its iteration is not put in order yet: the next run keeps the work under a rescue ref and goes back to before it.',
        'The stories are shown as they will be then.',
      ];
    case 'accepted':
    case 'settled':
      return ['Its last iteration was settled: the next run finishes what is left to write. The stories are shown so.'];
    case 'left':
    case null:
      return [];
  }
}

function neverGreenLines(gates: readonly string[]): string[] {
  return gates.length === 0 ? [] : [`Never green, so not binding yet: ${cleanLine(gates.join(', '))}`];
}

function notVerifiedLines(unverified: readonly string[]): string[] {
  return unverified.length === 0 ? [] : [`${notVerifiedText}: ${cleanLine(unverified.join(', '))}`];
}

function countStories(number: number): string {
  return `${number} ${number === 1 ? 'story' : 'stories'}`;
}
