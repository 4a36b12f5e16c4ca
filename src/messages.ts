/**
 * Every sentence that a user can read and that is no fact of an event. The rooms carry facts; what to make of them, and
 * what to do next, is said here.
 */
import type { RalphError } from './errors.ts';
import type { StopReason } from './exit.ts';
import type { AgentClass, OpenStory } from './loop/events.ts';

// ── errors ──────────────────────────────────────────────────────────────────────────────────────────────────────────────

/** An error as lines for a screen: the headline, one indented block per problem, then the cures. Ends with a line feed. */
export function renderError(error: RalphError): string {
  const problems = error.problems.map((problem) => indent(problem, '  '));
  const cures = error.cures.map((cure) => indent(`Try: ${cure}`, '  '));
  return `${[`ralph: ${error.message}`, ...problems, ...cures].join('\n')}\n`;
}

/** Something was thrown that is nobody's mistake but ralph's (exit 70). `reportAt` is the address for reports. */
export function renderBug(error: unknown, reportAt: string): string {
  const trace = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return `ralph: this is a bug in ralph, not in your project. Nothing that was committed or kept is lost.\n${indent(trace, '  ')}\n  Please report it with these lines: ${reportAt}\n`;
}

function indent(text: string, by: string): string {
  return text
    .trimEnd()
    .split(/\r?\n/u)
    .map((line) => by + line)
    .join('\n');
}

// ── while it runs ───────────────────────────────────────────────────────────────────────────────────────────────────────

/** What was put back after a run that was cut off: the first ten files and the count. */
export function recoveredText(fromRun: string, files: readonly string[]): string {
  const start = `Run ${fromRun} was cut off and is put in order`;
  if (files.length === 0) return `${start}; no file had changed.`;
  const more = files.length > 10 ? ` and ${files.length - 10} more` : '';
  return `${start}: ${count(files.length, 'file')} as before its last iteration: ${files.slice(0, 10).join(', ')}${more}`;
}

/** Where work that was not accepted is, and how to look at it. */
export function lookAtText(ref: string): string[] {
  return [`The work is kept: git show ${ref}`, `What the agent changed: git diff ${ref}^1 ${ref}`];
}

export function limitText(text: string, nextTry: string | undefined): string {
  return `Usage limit: ${text}${nextTry === undefined ? '' : ` · next try at ${nextTry}`}`;
}

export function retryText(agentClass: AgentClass, text: string, wait: string): string {
  return `${agentClass === 'limit' ? 'Rate limit' : 'Provider not reachable or overloaded'}: ${text} · next try in ${wait}`;
}

export function prematureText(open: readonly string[]): string {
  return `The agent said that all is done, but ${open.length === 1 ? 'a story is' : `${open.length} stories are`} open: ${open.join(', ')}`;
}

/** What comes after a story that was not accepted. */
export function attemptText(attempts: number, maxAttempts: number | undefined): string {
  if (attempts === 0) return 'no attempt counted';
  if (maxAttempts === undefined) return `attempt ${attempts}`;
  const next = attempts >= maxAttempts ? 'it was the last one' : 'it will be tried again';
  return `attempt ${attempts} of ${maxAttempts}, ${next}`;
}

export function endedVerdictText(story: string | undefined): string {
  return `${story ?? 'The iteration'} was interrupted; no attempt counted`;
}

export function gateEndText(exit: number | null, timedOut: boolean): string {
  if (timedOut) return 'took too long and was stopped';
  return exit === null ? 'was stopped' : `exit ${exit}`;
}

/** How an agent ended that did not end well; undefined where there is nothing to say. */
export function agentEndText(
  tool: string,
  agentClass: AgentClass,
  exit: number | null,
  signal: string | null,
  text: string | null,
): string | undefined {
  const end = agentEnds[agentClass];
  if (end === undefined) return undefined;
  const how = signal === null ? (exit === null || exit === 0 ? '' : ` (exit ${exit})`) : ` (${signal})`;
  return `${tool} ${end}${how}${text === null || text.trim() === '' ? '' : `: ${text}`}`;
}

const agentEnds: Record<AgentClass, string | undefined> = {
  ok: undefined,
  empty: 'ended without a word',
  crash: 'failed',
  killed: 'was killed from outside',
  idle: 'was silent for too long and was stopped',
  timeout: 'took too long and was stopped',
  auth: 'is not logged in',
  refused: 'refused to start',
  usage: 'did not accept its arguments',
  limit: 'reached a usage limit',
  overloaded: 'found its provider overloaded or not reachable',
  budget: 'reached its own limit of cost, turns or output',
  interrupted: 'was stopped',
};

// ── the end of a run ────────────────────────────────────────────────────────────────────────────────────────────────────

/** What the sentences about the end of a run are made of. */
export interface EndFacts {
  readonly reason: StopReason;
  readonly signal: string | null;
  /** The agent's own last line, or what stood in the way. */
  readonly text: string | null;
  readonly tool: string;
  readonly isPromptMode: boolean;
  readonly stories: number;
  readonly passed: number;
  readonly iterations: number;
  readonly open: readonly OpenStory[];
}

export const notVerifiedText = 'claimed, not verified';

/** One sentence: why the run ended; and how many stories are done, where that says something. */
export function endText(facts: EndFacts): string {
  return endTexts[facts.reason](facts);
}

const endTexts: Record<StopReason, (facts: EndFacts) => string> = {
  complete: completeText,
  iterations: (facts) =>
    `The limit of ${count(facts.iterations, 'iteration')} was reached before all was done.${doneText(facts)}`,
  usage: () => 'The run could not start: options, config, PRD or repository must be mended first.',
  blocked: (facts) =>
    facts.isPromptMode
      ? 'The agent said that it is blocked: a person is needed.'
      : `No story is left that can be worked on: each is blocked or waits for a blocked one.${doneText(facts)}`,
  'agent-unavailable': (facts) => `${facts.tool} cannot be used as things are.${doneText(facts)}`,
  budget: (facts) => `The limit of cost or duration is reached.${doneText(facts)}`,
  stalled: (facts) => `Too many iterations in a row changed nothing or failed.${doneText(facts)}`,
  locked: () => 'Another loop works in this tree.',
  limit: (facts) => `The account of ${facts.tool} is at its usage limit.${doneText(facts)}`,
  stopped: (facts) => `Stopped by \`ralph stop\`.${doneText(facts)}`,
  environment: (facts) => `Git, the disk or a file refuses; the work is kept.${doneText(facts)}`,
  internal: () => 'Ended by a bug in ralph.',
  interrupted: (facts) => `Interrupted${facts.signal === null ? '' : ` by ${facts.signal}`}.${doneText(facts)}`,
};

function doneText({ isPromptMode, passed, stories }: EndFacts): string {
  return isPromptMode ? '' : ` ${passed} of ${count(stories, 'story', 'stories')} passed.`;
}

function completeText(facts: EndFacts): string {
  if (facts.isPromptMode) return 'The agent said that it is done.';
  // With --trust the agent's word ends the run, whatever the PRD says.
  if (facts.passed < facts.stories) return `The agent said that all is done.${doneText(facts)}`;
  const subject = facts.stories === 1 ? 'The story' : `All ${facts.stories} stories`;
  if (facts.iterations === 0) return `${subject} had passed already; no agent was started.`;
  return `${subject} passed.`;
}

/** What to do next, one line each. */
export function nextSteps(facts: EndFacts): readonly string[] {
  if (facts.reason !== 'blocked') return steps[facts.reason];
  return facts.isPromptMode ? ['cure the cause, then: ralph run with the same prompt'] : blockedSteps(facts.open);
}

const steps: Record<Exclude<StopReason, 'blocked'>, readonly string[]> = {
  complete: [],
  iterations: ['go on: ralph run (with a number for another limit: ralph run 20)'],
  usage: ['ralph doctor shows every setting and where it comes from'],
  'agent-unavailable': ['ralph doctor says what is missing; then: ralph run'],
  budget: ['go on: ralph run, with a higher --max-cost or --max-duration'],
  stalled: ['read what the agent said: ralph logs', 'make the story smaller or clearer, then: ralph run'],
  locked: ['ralph status shows what it does, ralph stop ends it'],
  limit: ['when the limit is reset or the account has credit again: ralph run'],
  stopped: ['go on where it ended: ralph run'],
  interrupted: ['go on where it ended: ralph run'],
  environment: ['cure the cause, then: ralph run'],
  internal: ['ralph run puts in order what was cut off and goes on'],
};

function blockedSteps(open: readonly OpenStory[]): string[] {
  const blocked = open.filter((story) => story.blocked !== null);
  if (blocked.length === 0) return ['see which and why: ralph status, then: ralph unblock'];
  return [`cure the cause, then: ralph unblock ${blocked.map((story) => story.id).join(' ')}`];
}

/** Why an open story is not worked on; undefined where nothing keeps it. */
export function obstacleText(story: OpenStory): string | undefined {
  if (story.blocked !== null) return `blocked: ${story.blocked}`;
  return story.waitsFor.length === 0 ? undefined : `waits for ${story.waitsFor.join(', ')}`;
}

const agentCaused: ReadonlySet<StopReason> = new Set(['agent-unavailable', 'stalled', 'limit']);

/** The last line of an agent that caused the end, or what else stood in the way; undefined where there is none. */
export function lastLineText({ reason, text, tool }: EndFacts): string | undefined {
  if (text === null || text.trim() === '') return undefined;
  return agentCaused.has(reason) ? `The last line of ${tool}: ${text}` : text;
}

export function neverGreenText(gates: readonly string[]): string {
  return `Never green in this run, so never binding: ${gates.join(', ')}`;
}

function count(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`;
}
