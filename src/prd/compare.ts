import { JsonSyntaxError } from '../json/json-syntax-error.ts';
import { isSameJson, valueOf } from '../json/json-tree.ts';
import type { JsonValue } from '../json/json-tree.ts';
import { parseJson } from '../json/parse-json.ts';
import type { PrdReading } from '../loop/ports.ts';
import { isBlockNote } from './block-note.ts';
import { findTampering } from './find-tampering.ts';
import type { PrdComparison, Story } from './types.ts';
import { isObject } from './wrong-shapes.ts';

/** What stands at the path of prd.json after an agent had its turn. */
export type PrdRemains = { kind: 'text'; text: string } | { kind: 'gone' } | { kind: 'folder' } | { kind: 'no-utf8' };

type JsonObject = { [key: string]: JsonValue };

/**
 * What an agent made of the file. It may set `passes` and `notes`, and write the file another way (white space, order of keys,
 * line ends); anything else is tampering. A tick in a readable file counts all the same.
 */
export function comparePrd(before: PrdReading, after: PrdRemains): PrdComparison {
  switch (after.kind) {
    case 'gone':
      return unreadable('the file was deleted');
    case 'folder':
      return unreadable('a folder was put in the place of the file');
    case 'no-utf8':
      return unreadable('the file is not valid UTF-8');
    case 'text':
      return compareTexts(before, after.text);
  }
}

function unreadable(tampering: string): PrdComparison {
  return { ticked: [], withdrawn: [], notes: new Map(), tampering };
}

function compareTexts(before: PrdReading, text: string): PrdComparison {
  if (text === before.text) return { ticked: [], withdrawn: [], notes: new Map(), tampering: undefined };
  let after: JsonValue;
  try {
    after = valueOf(parseJson(text).root);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    return unreadable(`the file is not valid JSON (line ${error.line})`);
  }
  return compareValues(before, after);
}

function compareValues(before: PrdReading, after: JsonValue): PrdComparison {
  const given = valueOf(parseJson(before.text).root);
  const tampering = isSameJson(given, after) ? undefined : findTampering(given, after);
  const found = findStories(after);
  const has = (story: Story, passes: boolean): boolean =>
    found.get(story.id)?.some((other) => other['passes'] === passes) === true;
  const ticked = before.prd.stories.filter((story) => !story.passes && has(story, true)).map((story) => story.id);
  const opened = before.prd.stories.filter((story) => story.passes && has(story, false)).map((story) => story.id);
  const notes = new Map<string, string>();
  for (const story of before.prd.stories) {
    const others = found.get(story.id);
    const note = others?.at(-1)?.['notes'] ?? '';
    if (others === undefined || typeof note !== 'string' || note === story.notes) continue;
    const counts = tampering === undefined || ticked.includes(story.id) || isBlockNote(note);
    if (counts) notes.set(story.id, note);
  }
  return { ticked, withdrawn: tampering === undefined ? opened : [], notes, tampering };
}

/** The stories of any readable file, by id. */
function findStories(value: JsonValue): Map<string, JsonObject[]> {
  const list = isObject(value) ? value['userStories'] : value;
  const found = new Map<string, JsonObject[]>();
  for (const story of Array.isArray(list) ? list : []) {
    if (!isObject(story) || typeof story['id'] !== 'string') continue;
    found.set(story['id'], [...(found.get(story['id']) ?? []), story]);
  }
  return found;
}
