import { UsageError } from '../errors.ts';
import { findBracedWords, isPlaceholderName, placeholderNames, storyPlaceholders } from './placeholders.ts';
import type { BracedWord, PlaceholderName, PlaceholderValues } from './placeholders.ts';
import { suggestName } from './suggest-name.ts';

/**
 * Fills the placeholders of a template. Everything else comes through byte for byte, and what is put in is not looked at
 * again: a title that reads `{{prd}}` or `$&` stays that title.
 */
export function renderTemplate(template: string, values: PlaceholderValues): string {
  const parts: string[] = [];
  let end = 0;
  for (const found of findBracedWords(template)) {
    if (!isPlaceholderName(found.word)) continue;
    parts.push(template.slice(end, found.start), values[found.word]);
    end = found.end;
  }
  parts.push(template.slice(end));
  return parts.join('');
}

/** Does the template fill this in by itself? */
export function usesPlaceholder(template: string, name: PlaceholderName): boolean {
  return findBracedWords(template).some((found) => found.word === name);
}

/**
 * Throws UsageError for a template that can't mean what it says, with all problems at once (`own.md:3: {{storyTitel}} …`):
 * a bare word in braces that is no placeholder, in a file that uses at least one; and, in a run without a prd.json
 * (`mode: 'prompt'`), a placeholder that only a story can fill. A file that uses none is plain text, whatever its braces say.
 */
export function verifyTemplate(template: string, file: string, mode: 'stories' | 'prompt' = 'stories'): void {
  const words = findBracedWords(template);
  if (!words.some((found) => isPlaceholderName(found.word))) return;
  const unknown = words.filter((found) => !isPlaceholderName(found.word));
  const homeless = mode === 'stories' ? [] : words.filter((found) => needsStory(found.word));
  if (unknown.length === 0 && homeless.length === 0) return;
  throw new UsageError(`The prompt template ${file} has placeholders that can't be filled`, {
    problems: [
      ...unknown.map((found) => `${placeOf(file, found)} is no placeholder${suggestionFor(found.word)}`),
      ...homeless.map((found) => `${placeOf(file, found)} needs a prd.json, and there is none in this run`),
    ],
    cures: [
      ...(unknown.length === 0
        ? []
        : [`Placeholders are ${placeholderNames.map((name) => `{{${name}}}`).join(', ')}.`]),
      ...(homeless.length === 0
        ? []
        : ['Name the PRD with --prd <file>, or take these placeholders out of the template.']),
    ],
  });
}

function placeOf(file: string, found: BracedWord): string {
  return `${file}:${found.line}: {{${found.word}}}`;
}

function suggestionFor(word: string): string {
  const name = suggestName(word, placeholderNames);
  return name === undefined ? '' : `; did you mean {{${name}}}?`;
}

function needsStory(word: string): boolean {
  return (storyPlaceholders as readonly string[]).includes(word);
}
