import type { FinalWords } from '../loop/ports.ts';
import { cutBefore, displayText } from './display-text.ts';

const OPEN = '<promise>';
const CLOSE = '</promise>';

// White space, emphasis, headings, list marks, quote marks and backticks; list numbers only in front. Each of the
// alternatives starts with characters of its own, so that a long line costs no more than its length.
const decorationBefore = /^(?:[\s*_~#+>`-]|\d{1,9}[.)])*$/;
const decorationBehind = /^[\s*_~#+>`-]*$/;

// A fence may stand in a list or a quotation and at any depth. The info string of a backtick fence holds no backtick.
const fenceStart = /^((?:[\s>]|[-+*]\s|\d{1,9}[.)]\s)*)(?:(`{3,})[^`]*|(~{3,}).*)$/;
const fenceEnd = /^[\s>]*(`{3,}|~{3,})\s*$/;

const MAX_REASON = 1_000;

type Mark = { kind: 'sentinel' } | { kind: 'blocked'; reason: string };
interface Fence {
  readonly mark: string;
  readonly quoted: boolean;
}

/**
 * The mark that stands alone on a line, apart from decoration around it and white space inside its tags; undefined for any
 * other line. Letters count as they are: `complete` is no sentinel. A block needs a reason.
 */
export function markOf(line: string): Mark | undefined {
  const open = line.indexOf(OPEN);
  const close = line.indexOf(CLOSE, open + OPEN.length);
  if (open === -1 || close === -1) return undefined;
  if (!isDecoration(line.slice(0, open), line.slice(close + CLOSE.length))) return undefined;
  const inner = line.slice(open + OPEN.length, close).trim();
  if (inner === 'COMPLETE') return { kind: 'sentinel' };
  const reason = inner.startsWith('BLOCKED:') ? inner.slice('BLOCKED:'.length).trim().replace(/\s+/g, ' ') : '';
  return reason === '' ? undefined : { kind: 'blocked', reason: cutBefore(reason, MAX_REASON) };
}

/** Backticks decorate as one pair: one on either side, or none. */
function isDecoration(left: string, right: string): boolean {
  if (!decorationBefore.test(left) || !decorationBehind.test(right)) return false;
  const ticks = left.split('`').length - 1;
  return ticks <= 1 && ticks === right.split('`').length - 1;
}

/** Follows code fences line by line. Answers whether the line belongs to one, its first and last line included. */
export class FenceTracker {
  #fence: Fence | undefined;

  isFenced(line: string): boolean {
    // A fence inside a quotation ends with the quotation.
    if (this.#fence?.quoted === true && !/^\s*>/.test(line)) this.#fence = undefined;
    if (this.#fence !== undefined) {
      if (closes(line, this.#fence.mark)) this.#fence = undefined;
      return true;
    }
    const start = line.includes('```') || line.includes('~~~') ? fenceStart.exec(line) : null;
    const mark = start?.[2] ?? start?.[3];
    if (mark === undefined) return false;
    this.#fence = { mark, quoted: start?.[1]?.includes('>') === true };
    return true;
  }
}

/** A fence ends with at least as many of the same characters, and nothing else on the line. */
function closes(line: string, mark: string): boolean {
  const end = fenceEnd.exec(line)?.[1];
  return end !== undefined && end[0] === mark[0] && end.length >= mark.length;
}

interface Found {
  readonly mark: Mark;
  readonly end: number;
  readonly line: string;
  readonly previous: string;
}

/**
 * Looks for the sentinel and for a block in a message that is given line by line: alone on a line, outside a code fence.
 * Memory does not grow with the message. What stands between the same two lines as in `prompt` is the prompt repeated, and
 * not meant.
 */
export class WordsScanner {
  readonly #echoes: ReadonlySet<string>;
  readonly #fences = new FenceTracker();
  #pending: Found | undefined;
  #previous = '';
  #sentinel: number | undefined;
  #blocked: { reason: string; end: number } | undefined;
  #lastIsSentinel = false;

  constructor(echoes: ReadonlySet<string>) {
    this.#echoes = echoes;
  }

  /** Takes a line without its break; `end` is where it ends, in any unit that grows. `cut`: only its beginning is known. */
  line(raw: string, end: number, cut = false): void {
    const line = displayText(raw).trimEnd();
    if (line.trim() === '') return;
    this.#settle(line.trim());
    const mark = this.#fences.isFenced(line) || cut ? undefined : markOf(line);
    if (mark === undefined) this.#lastIsSentinel = false;
    else this.#pending = { mark, end, line: line.trim(), previous: this.#previous };
    this.#previous = line.trim();
  }

  /** What was found in the lines that end behind `from`. No line may follow. */
  words(from = 0): FinalWords {
    this.#settle('');
    const isRecent = (end: number | undefined): boolean => end !== undefined && end > from;
    return {
      sentinel: isRecent(this.#sentinel),
      sentinelLast: this.#lastIsSentinel && isRecent(this.#sentinel),
      blocked: isRecent(this.#blocked?.end) ? this.#blocked?.reason : undefined,
    };
  }

  /** Counts the mark that was found last, now that the line behind it is known. */
  #settle(next: string): void {
    const found = this.#pending;
    this.#pending = undefined;
    if (found === undefined) return;
    const isEcho = this.#echoes.has(contextOf(found.previous, found.line, next));
    this.#lastIsSentinel = found.mark.kind === 'sentinel' && !isEcho;
    if (isEcho) return;
    if (found.mark.kind === 'sentinel') this.#sentinel = found.end;
    else this.#blocked = { reason: found.mark.reason, end: found.end };
  }
}

function contextOf(previous: string, line: string, next: string): string {
  return JSON.stringify([previous, line, next]);
}

/** Where a prompt itself holds a mark: each with its neighbours, as `WordsScanner` compares them. */
export function echoesOf(prompt: string): ReadonlySet<string> {
  const lines = displayText(prompt)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const contexts = lines.flatMap((line, i) =>
    // A prompt of this one line would make every answer an echo.
    markOf(line) === undefined || lines.length === 1 ? [] : [contextOf(lines[i - 1] ?? '', line, lines[i + 1] ?? '')],
  );
  return new Set(contexts);
}

export const noWords: FinalWords = { sentinel: false, sentinelLast: false, blocked: undefined };

/** The words of one whole message. */
export function findWords(message: string, echoes: ReadonlySet<string> = new Set()): FinalWords {
  const scanner = new WordsScanner(echoes);
  for (const line of message.split(/\r\n?|\n/)) scanner.line(line, 1);
  return scanner.words();
}

/** The words of several final messages together: a sentinel in any of them is a claim, the last block names the reason. */
export function joinWords(earlier: FinalWords, later: FinalWords): FinalWords {
  return {
    sentinel: earlier.sentinel || later.sentinel,
    sentinelLast: earlier.sentinelLast || later.sentinelLast,
    blocked: later.blocked ?? earlier.blocked,
  };
}
