/** What one event says on a screen: facts → lines, pure. Layout and colours are the reporters' business. */
import type { EventType, RalphEvent } from '../loop/events.ts';
import {
  agentEndText,
  attemptText,
  endedVerdictText,
  gateEndText,
  limitText,
  lookAtText,
  prematureText,
  recoveredText,
  retryText,
} from '../messages.ts';
import { cleanLine, cleanLines } from './clean-text.ts';
import type { EventMap, EventOf } from './event-map.ts';
import type { Tone } from './palette.ts';
import { formatDuration, formatMoment, formatMoney, formatTokens } from './units.ts';

export interface Line {
  readonly tone: Tone;
  readonly text: string;
}

/** What the lines of an event depend on besides the event. */
export interface LineContext {
  readonly tool: string;
  readonly maxIterations: number | null;
  readonly maxAttempts: number | undefined;
  /** Undefined: the local one. */
  readonly timeZone: string | undefined;
}

type Describers = { [T in EventType]: (event: EventMap[T], context: LineContext) => Line[] };

/**
 * The lines of an event. Those of the tone `detail` are for `-v` alone. `run.finished` has none: the summary speaks for it.
 * Every text of the event is cleaned of control codes, and only an agent's text may give more lines than it has here.
 */
export function linesOf(event: RalphEvent, context: LineContext): Line[] {
  return describe(event.type, event, context);
}

function describe<T extends EventType>(type: T, event: EventMap[T], context: LineContext): Line[] {
  return describers[type](event, context);
}

function line(tone: Tone, text: string): Line {
  return { tone, text: cleanLine(text) };
}

const describers: Describers = {
  'run.started': (event) => [
    line('headline', `ralph · ${event.tool} · branch ${event.branch}`),
    line('note', startText(event)),
    line('detail', `run ${event.run}, its files: ${runFolder(event)}`),
  ],
  'run.recovered': (event) => [line('warn', recoveredText(event.fromRun, event.files)), ...refLines(event.ref)],
  'warning.raised': (event) => {
    const text = `${event.place === null ? '' : `${event.place}: `}${event.text}`;
    return [event.level === 'note' ? line('note', text) : line('warn', `Warning: ${text}`)];
  },
  'archive.created': (event) => [line('note', `The previous feature was archived in ${event.folder}`)],
  'iteration.started': (event, context) => [line('headline', headlineText(event, context.maxIterations))],
  'agent.started': (event) => [
    line('detail', `${event.tool} started${event.pid === null ? '' : `, pid ${event.pid}`}${tryText(event.try)}`),
    line(
      'detail',
      `its prompt: ${iterationFolder(event)}/prompt.md, its output: ${iterationFolder(event)}/${logName(event.try)}`,
    ),
  ],
  'agent.text': (event) => cleanLines(event.text).map((text) => ({ tone: 'agent', text })),
  'agent.tool': (event) => [line('tool', `${event.name} ${event.summary}`)],
  'agent.denied': (event) => [line('warn', `Denied tools: ${event.tools.join(', ')}`)],
  'agent.finished': (event, context) => agentLines(event, context.tool),
  'agent.limit': (event, context) => [line('warn', limitText(event.text, nextTry(event, context.timeZone)))],
  'agent.retry': (event) => [line('warn', retryText(event.class, event.text, formatDuration(event.waitMs)))],
  'state.restored': (event) => [
    line('warn', `${event.file} was put back: ${event.reason}`),
    ...(event.kept === null ? [] : [line('note', `what the agent had made of it: ${event.kept}`)]),
  ],
  'claim.made': (event) => [line('detail', `claimed: ${event.stories.join(', ')}`)],
  'claim.premature': (event) => [line('warn', prematureText(event.open))],
  'claim.withdrawn': (event) => [line('warn', `${event.story ?? 'A story'} is open again: ${event.reason}`)],
  'gate.started': (event) => [line('detail', `${event.kind} ${event.name}: ${event.command}`)],
  'gate.finished': (event) => [gateLine(event)],
  'story.passed': (event) => [passedLine(event)],
  'story.rejected': (event, context) => verdictLines('bad', 'rejected', event, context),
  'story.unfinished': (event, context) => verdictLines('warn', 'unfinished', event, context),
  'story.failed': (event, context) => verdictLines('bad', 'failed', event, context),
  'story.blocked': (event) => [
    line('bad', `✗ ${nameOf(event)} blocked: ${event.reason}`),
    ...unblockLines(event.story),
  ],
  'rescue.saved': (event) => refLines(event.ref),
  'process.killed': (event) => [line('warn', `Stopped a process that was left behind: ${event.pid} ${event.command}`)],
  'iteration.finished': (event) => iterationLines(event),
  'run.finished': () => [],
};

function startText(event: EventOf<'run.started'>): string {
  const limit =
    event.maxIterations === null ? 'no limit of iterations' : `at most ${count(event.maxIterations, 'iteration')}`;
  if (event.prd === null) return `prompt mode, no PRD · ${limit}`;
  return `${event.prd} · ${event.passed} of ${count(event.stories, 'story', 'stories')} passed · ${limit}`;
}

function headlineText(event: EventOf<'iteration.started'>, limit: number | null): string {
  const number = `${event.iteration ?? 0}${limit === null ? '' : `/${limit}`}`;
  const subject = [event.story, event.title].filter((part) => part).join(' ');
  return `── ${number}${subject === '' ? '' : ` · ${subject}`}`;
}

function agentLines(event: EventOf<'agent.finished'>, tool: string): Line[] {
  const cost = event.costUsd === null ? '' : ` · ${formatMoney(event.costUsd)}`;
  const used = event.tokens === null ? '' : ` · ${formatTokens(event.tokens)}`;
  const end = agentEndText(tool, event.class, event.exit, event.signal, event.text);
  const facts = `${tool}: ${event.class}, exit ${event.exit ?? event.signal ?? 'unknown'} · ${formatDuration(event.durationMs)}${cost}${used}`;
  const session = event.session === null ? [] : [line('detail', `session ${event.session}`)];
  return [...(end === undefined ? [] : [line('bad', end)]), line('detail', facts), ...session];
}

function nextTry(event: EventOf<'agent.limit'>, timeZone: string | undefined): string | undefined {
  if (event.waitMs <= 0) return undefined;
  const now = Date.parse(event.at);
  return `${formatMoment(now + event.waitMs, now, timeZone)}, in ${formatDuration(event.waitMs)}`;
}

function gateLine(event: EventOf<'gate.finished'>): Line {
  const subject = `${event.kind} ${event.name}`;
  if (event.exit === 0) return line('good', `✓ ${subject} · ${formatDuration(event.durationMs)}`);
  return line('bad', `✗ ${subject}: ${gateEndText(event.exit, event.timedOut)} · ${formatDuration(event.durationMs)}`);
}

function passedLine(event: EventOf<'story.passed'>): Line {
  const commit = event.commit === null ? '' : ` · commit ${event.commit.slice(0, 7)}`;
  if (event.verified) return line('good', `✓ ${nameOf(event)} passed${commit}`);
  return line('warn', `✓ ${nameOf(event)} claimed, not verified${commit}`);
}

type Setback = EventOf<'story.rejected'> | EventOf<'story.unfinished'> | EventOf<'story.failed'>;

function verdictLines(tone: Tone, verdict: string, event: Setback, context: LineContext): Line[] {
  const mark = tone === 'bad' ? '✗' : '·';
  const next = event.story === undefined ? [] : [line('note', attemptText(event.attempts, context.maxAttempts))];
  return [line(tone, `${mark} ${nameOf(event)} ${verdict}: ${event.reason}`), ...next];
}

function iterationLines(event: EventOf<'iteration.finished'>): Line[] {
  const facts = `iteration ${event.iteration ?? 0}: ${event.verdict} · ${formatDuration(event.durationMs)} · ${formatMoney(event.costUsd)}`;
  const stopped = event.verdict === 'interrupted' ? [line('warn', endedVerdictText(event.story))] : [];
  return [...stopped, line('detail', facts)];
}

function unblockLines(story: string | undefined): Line[] {
  return story === undefined ? [] : [line('note', `When it is cured: ralph unblock ${story}`)];
}

function refLines(ref: string | null): Line[] {
  return ref === null ? [] : lookAtText(ref).map((text) => line('note', text));
}

function nameOf(event: RalphEvent): string {
  return event.story ?? `iteration ${event.iteration ?? 0}`;
}

function count(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`;
}

function tryText(number: number | undefined): string {
  return number === undefined || number < 2 ? '' : `, try ${number}`;
}

function logName(number: number | undefined): string {
  return number === undefined || number < 2 ? 'output.log' : `output-${number}.log`;
}

function runFolder(event: RalphEvent): string {
  return `.ralph/runs/${event.run}`;
}

function iterationFolder(event: RalphEvent): string {
  return `${runFolder(event)}/${String(event.iteration ?? 0).padStart(3, '0')}`;
}
