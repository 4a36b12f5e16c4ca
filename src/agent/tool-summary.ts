import { displayText, shorten } from './display-text.ts';
import { textOf } from './fields.ts';
import type { Fields } from './fields.ts';

const MAX_SUMMARY = 200;

// What tells most about a call comes first.
const tellingKeys = [
  'command',
  'cmd',
  'file_path',
  'path',
  'notebook_path',
  'pattern',
  'query',
  'url',
  'description',
  'prompt',
];

/** What a tool was called with, on one line: the command, file, pattern or address, else its first text. */
export function summarizeTool(input: Fields): string {
  const telling = tellingKeys.map((key) => input[key]).find(isTelling) ?? Object.values(input).find(isTelling);
  return oneLine(textOf(telling) ?? '');
}

function isTelling(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== '';
}

/** A text on one line, shortened. */
export function oneLine(text: string): string {
  // Cut first: a tool may be handed a file of megabytes.
  const flat = displayText(text.slice(0, MAX_SUMMARY * 4))
    .replace(/\s+/g, ' ')
    .trim();
  return shorten(flat, MAX_SUMMARY);
}
