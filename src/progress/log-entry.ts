import type { LogEntry } from '../loop/ports.ts';

/** No line of ralph's own entries is longer; characters. */
const MAX_LINE = 1000;

/**
 * Ralph's own entry: a heading with time, iteration and stories, one bullet for each line, `---`. Each line is made harmless:
 * one line, no control characters, no tag of a promise (an agent that quotes the log must not end the run by it).
 */
export function formatEntry({ at, iteration, stories, lines }: LogEntry): string {
  const subject = oneLine(stories.join(', '));
  const heading = `## ${stamp(at)} - ${subject === '' ? '' : `${subject} - `}ralph, iteration ${iteration}`;
  const bullets = lines.map(oneLine).filter((line) => line !== '');
  return [heading, ...bullets.map((line) => `- ${line}`), '---', ''].join('\n');
}

/** Milliseconds since the epoch as ISO 8601 in UTC, to the second. */
export function stamp(at: number): string {
  return new Date(at).toISOString().replace(/\.\d+Z$/, 'Z');
}

/** Any text as one harmless line. */
export function oneLine(text: string): string {
  const line = text
    .replace(/\s+/g, ' ')
    .replace(/(?![\u200C\u200D])[\p{Cc}\p{Cf}\p{Cs}]/gu, '')
    .replace(/<(\s*\/?\s*promise\s*)>/gi, '[$1]')
    .trim();
  const characters = Array.from(line);
  return characters.length > MAX_LINE ? `${characters.slice(0, MAX_LINE).join('')} …` : line;
}
