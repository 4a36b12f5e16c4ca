import type { LogReading } from '../loop/ports.ts';
import { cutHead, cutTail } from './cut-bytes.ts';
import { showLog } from './log-bytes.ts';
import { oneLine, stamp } from './log-entry.ts';
import { isHeader, splitLog } from './split-log.ts';

/** At most so many bytes of patterns, and as many of entries, go into a prompt. */
export const MAX_SHOWN_BYTES = 12 * 1024;

export interface LogHeader {
  readonly branch: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
}

/** The start of a log, and the patterns of another log where they go along. */
export function startLog({ branch, startedAt }: LogHeader, patterns = ''): string {
  const head = `# Ralph Progress Log\nBranch: ${oneLine(branch)}\nStarted: ${stamp(startedAt)}\n---\n`;
  const body = patterns.replace(/\r\n?/g, '\n').trim();
  return body === '' ? head : `${head}\n## Codebase Patterns\n${body}\n\n---\n`;
}

/** The value of the header's `Branch:` line, or undefined where the log has no header or no such line. */
export function readLogBranch(text: string): string | undefined {
  const { header } = splitLog(text.slice(0, 4096));
  return isHeader(header) ? /^Branch:[ \t]*(\S[^\r\n]*)/m.exec(header)?.[1]?.trim() : undefined;
}

/** The whole body of the first `## Codebase Patterns` part, up to the next heading of level one or two or `---`. */
export function readPatterns(text: string): string {
  const heading = /^\uFEFF?#{1,3}[ \t]+codebase[ \t]+patterns\b[^\r\n]*/im.exec(text);
  if (heading === null) return '';
  const start = heading.index + heading[0].length;
  const next = /^(?:##?[ \t]|-{3,}[ \t]*(?:\r|\n|$))/gm;
  next.lastIndex = start;
  return text.slice(start, next.exec(text)?.index).trim();
}

/** Does the log hold anything but a header and patterns? */
export function hasEntries(text: string): boolean {
  const { header, entries } = splitLog(text);
  return /[^\s\uFEFF-]/.test(isHeader(header) ? entries : header + entries);
}

/** A log as the loop sees it. */
export function readLog(text: string): LogReading {
  return {
    text,
    patterns: cutHead(show(readPatterns(text)), MAX_SHOWN_BYTES),
    newest: newestOf(text),
  };
}

function show(text: string): string {
  return showLog(text.replace(/\r\n?/g, '\n'));
}

/** The entries from the end back, whole ones where that leaves at least half of what may be shown. */
function newestOf(text: string): string {
  const { header, entries: rest } = splitLog(text);
  const entries = isHeader(header) ? rest : header + rest;
  if (entries.length <= MAX_SHOWN_BYTES) {
    const shown = show(entries).trim();
    if (Buffer.byteLength(shown) <= MAX_SHOWN_BYTES) return shown;
  }
  // a character is at least one byte, so so many characters are enough
  const tail = cutTail(show(entries.slice(-2 * MAX_SHOWN_BYTES)).trimEnd(), MAX_SHOWN_BYTES);
  const half = tail.slice(0, tail.length / 2);
  const start = /^##[ \t]/m.exec(half)?.index ?? half.indexOf('\n') + 1;
  return tail.slice(start);
}
