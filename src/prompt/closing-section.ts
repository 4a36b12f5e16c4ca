import type { Feedback, PromptFacts } from '../loop/ports.ts';
import { cutHead, cutTail } from './cut.ts';

export interface ClosingOptions {
  readonly sentinel: string;
  /** The patterns stand in the template already. */
  readonly withoutPatterns: boolean;
  /** The log's path as the agent sees it, for what was cut off here. */
  readonly progress: string | undefined;
}

const KIB = 1024;
/** Of the log's patterns this much is told, here or by `{{patterns}}`. */
export const PATTERNS_BYTES = 12 * KIB;
const NEWEST_BYTES = 12 * KIB;
const TAIL_BYTES = 8 * KIB;
/** Reasons and remarks are sentences; an agent's own words may have got into them. */
const SENTENCE_BYTES = 4 * KIB;
const MAX_REMARKS = 50;

/**
 * What every prompt ends with, whatever its template: the facts of this iteration and what was wrong last time. Its last line
 * is never the sentinel, so that an agent which only repeats its prompt has finished nothing.
 */
export function writeClosingSection(facts: PromptFacts, options: ClosingOptions): string {
  const patterns = options.withoutPatterns ? '' : facts.patterns;
  const sections = [
    ['## This iteration', iterationLine(facts), `Branch: ${facts.branch} (stay on it)`, ...storyLines(facts)].join(
      '\n',
    ),
    commandList('Gates, run by ralph after you; each must exit 0:', facts.gates),
    commandList('Checks of this story, run by ralph after you; each must exit 0:', facts.story?.checks ?? []),
    quoted('## Codebase patterns', cutHead(patterns, PATTERNS_BYTES), patterns, options.progress),
    quoted('## Newest entries of the log', cutTail(facts.newest, NEWEST_BYTES), facts.newest, options.progress),
    facts.feedback === undefined ? '' : feedbackSection(facts.feedback),
    endOf(facts, options.sentinel),
  ];
  return `${sections.filter((section) => section !== '').join('\n\n')}\n`;
}

function iterationLine({ iteration, maxIterations }: PromptFacts): string {
  return maxIterations === undefined
    ? `Iteration ${iteration}, without a limit`
    : `Iteration ${iteration} of ${maxIterations}`;
}

function storyLines({ story }: PromptFacts): string[] {
  if (story === undefined) return [];
  return [`Story: ${story.id} - ${story.title}`, 'ralph has chosen this story: work on it alone.'];
}

function commandList(headline: string, commands: readonly string[]): string {
  return commands.length === 0 ? '' : [headline, ...commands.map((command) => `- ${command}`)].join('\n');
}

function quoted(headline: string, text: string, whole: string, file: string | undefined): string {
  if (text.trim() === '') return '';
  const note = text === whole ? [] : [`(A part of it; the rest is in ${file ?? 'the log'}.)`];
  return [headline, '', fence(text), ...note].join('\n');
}

function feedbackSection({ verdict, reason, gate, ref, remarks }: Feedback): string {
  return [
    '## What was wrong last time',
    '',
    ...(verdict === undefined ? [] : [`Verdict: ${verdict}`]),
    ...(reason === '' ? [] : [`Reason: ${cutHead(reason, SENTENCE_BYTES)}`]),
    ...(gate === undefined ? [] : [`The end of what ${gate.name} printed:`, fence(cutTail(gate.tail, TAIL_BYTES))]),
    ...remarks.slice(-MAX_REMARKS).map((remark) => `- ${cutHead(remark, SENTENCE_BYTES)}`),
    ...(ref === undefined ? [] : refLines(ref)),
  ].join('\n');
}

function refLines(ref: string): string[] {
  return [
    `The work of that time is kept under ${ref}. Look at it before you start anew:`,
    `- which files: git show ${ref} --stat`,
    `- all of it: git diff ${ref}^1 ${ref}`,
    `- one file: git show ${ref}:<path>`,
  ];
}

/** A code block that its own content can't close, and in which a line that reads like a sentinel is no sentinel. */
function fence(text: string): string {
  const runs = text.match(/`+/g) ?? [];
  const marks = '`'.repeat(runs.reduce((longest, run) => Math.max(longest, run.length + 1), 3));
  return `${marks}\n${text}${text.endsWith('\n') ? '' : '\n'}${marks}`;
}

function endOf({ story, gates }: PromptFacts, sentinel: string): string {
  if (story !== undefined) return 'ralph judges the work when you have ended, and makes the commit.';
  const condition = gates.length === 0 ? '' : ' and every gate is green';
  return `When everything that is asked for above is done${condition}, make ${sentinel} the last line of your answer, alone on that line. Until then leave it out: you will be started again with a clean context.`;
}
