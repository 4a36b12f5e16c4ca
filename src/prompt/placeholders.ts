/**
 * The placeholders of a prompt template: `{{name}}`, with blanks inside the braces if one likes. Anything else in braces
 * (`${{ secrets.X }}`, `{{ two words }}`, `{{{mustache}}}`) is text.
 */
export const placeholderNames = [
  'iteration',
  'maxIterations',
  'story',
  'storyId',
  'storyTitle',
  'prd',
  'progress',
  'branch',
  'gates',
  'checks',
  'patterns',
  'memoryFile',
  'sentinel',
] as const;

export type PlaceholderName = (typeof placeholderNames)[number];
export type PlaceholderValues = Readonly<Record<PlaceholderName, string>>;

/** Placeholders that say nothing without a prd.json. */
export const storyPlaceholders: readonly PlaceholderName[] = ['story', 'storyId', 'storyTitle', 'prd', 'progress'];

/** A bare word in double braces: offsets in UTF-16 units, `line` counted from 1. */
export interface BracedWord {
  readonly word: string;
  readonly start: number;
  readonly end: number;
  readonly line: number;
}

const bracedWord = /\{\{[ \t]*([\p{L}_][\p{L}\p{N}_-]*)[ \t]*\}\}/gu;

/** Is this word one of the placeholders? Case counts. */
export function isPlaceholderName(word: string): word is PlaceholderName {
  return (placeholderNames as readonly string[]).includes(word);
}

/** Every known placeholder of the text, and every other bare word that was surely meant as one, in order. */
export function findBracedWords(text: string): BracedWord[] {
  const found: BracedWord[] = [];
  let line = 1;
  let counted = 0;
  for (const match of text.matchAll(bracedWord)) {
    const word = match[1];
    if (
      word === undefined ||
      (!isPlaceholderName(word) && belongsToAnotherLanguage(text, match.index, match[0].length))
    )
      continue;
    line += newlinesBetween(text, counted, match.index);
    counted = match.index;
    found.push({ word, start: match.index, end: match.index + match[0].length, line });
  }
  return found;
}

/** `${{ github }}` is an expression of GitHub Actions, `{{{name}}}` is mustache. */
function belongsToAnotherLanguage(text: string, start: number, length: number): boolean {
  const before = text[start - 1];
  return before === '$' || (before === '{' && text[start + length] === '}');
}

function newlinesBetween(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = text.indexOf('\n', from); at !== -1 && at < to; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}
