import { isSameJson } from '../json/json-tree.ts';
import type { JsonValue } from '../json/json-tree.ts';
import { isObject } from './wrong-shapes.ts';

type JsonObject = { [key: string]: JsonValue };

/** How messages call the parts of a story. */
const partNames: Readonly<Record<string, string>> = {
  title: 'the title of %s was changed',
  description: 'the description of %s was changed',
  acceptanceCriteria: 'the criteria of %s were changed',
  checks: 'the checks of %s were changed',
  dependsOn: 'the dependencies of %s were changed',
  priority: 'the priority of %s was changed',
  ralph: "ralph's own record of %s was changed",
};

/**
 * What an agent may not change and did, as one short sentence: the gravest of it. Undefined where only `passes` and `notes`
 * of stories differ, with values that may stand there.
 *
 * @param given the file as the agent got it: a valid PRD
 */
export function findTampering(given: JsonValue, after: JsonValue): string | undefined {
  if (!isObject(given) || !Array.isArray(given['userStories'])) throw new Error('the given PRD is none');
  if (!isObject(after)) return 'the file is no longer an object with "userStories"';
  const stories = after['userStories'];
  if (!Array.isArray(stories)) return '"userStories" is no longer a list';
  return (
    compareIds(given['userStories'].map(idOf), stories.map(idOf)) ??
    firstOf(given['userStories'], (story, index) => compareStory(story, stories[index])) ??
    compareTop(given, after)
  );
}

function compareIds(given: readonly string[], after: readonly string[]): string | undefined {
  const removed = given.filter((id) => !after.includes(id));
  if (removed.length > 0) return storiesWere(removed, 'removed');
  const added = after.filter((id) => !given.includes(id));
  if (added.length > 0) return storiesWere(added, 'added');
  const twice = after.find((id, index) => after.indexOf(id) !== index);
  if (twice !== undefined) return `story ${twice} is there twice`;
  return given.every((id, index) => id === after[index]) ? undefined : 'the order of the stories was changed';
}

function storiesWere(ids: readonly string[], done: string): string {
  const [first, ...rest] = [...new Set(ids)];
  if (rest.length === 0) return `story ${first} was ${done}`;
  const names = rest.length < 5 ? [first, ...rest].join(', ') : `${first} and ${rest.length} others`;
  return `stories ${names} were ${done}`;
}

function compareStory(given: JsonValue, after: JsonValue | undefined): string | undefined {
  if (!isObject(given) || !isObject(after)) return 'a story is no longer an object';
  const id = idOf(given);
  return compareKeys(given, after, (key, state) => {
    if (key === 'passes') return describePasses(id, after[key]);
    if (key === 'notes') return describeNotes(id, after[key]);
    return partNames[key]?.replace('%s', () => id) ?? `the key "${key}" of ${id} was ${state}`;
  });
}

function describePasses(id: string, passes: JsonValue | undefined): string | undefined {
  if (typeof passes === 'boolean') return undefined;
  return passes === undefined ? `"passes" of ${id} was removed` : `"passes" of ${id} is neither true nor false`;
}

function describeNotes(id: string, notes: JsonValue | undefined): string | undefined {
  return notes === undefined || notes === null || typeof notes === 'string'
    ? undefined
    : `"notes" of ${id} is not a text`;
}

function compareTop(given: JsonObject, after: JsonObject): string | undefined {
  return compareKeys(given, after, (key, state) => {
    if (key === 'userStories') return undefined;
    return key === 'branchName' ? 'branchName was changed' : `the key "${key}" was ${state}`;
  });
}

/** The first sentence that `describe` has for a key with another value. */
function compareKeys(
  given: JsonObject,
  after: JsonObject,
  describe: (key: string, state: 'added' | 'removed' | 'changed') => string | undefined,
): string | undefined {
  const keys = [...new Set([...Object.keys(given), ...Object.keys(after)])];
  return firstOf(keys, (key) => {
    const [left, right] = [own(given, key), own(after, key)];
    if (isSameJson(left, right)) return undefined;
    if (right === undefined) return describe(key, 'removed');
    return describe(key, left === undefined ? 'added' : 'changed');
  });
}

function own(value: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(value, key) ? value[key] : undefined;
}

function firstOf<Item>(
  items: readonly Item[],
  find: (item: Item, index: number) => string | undefined,
): string | undefined {
  for (const [index, item] of items.entries()) {
    const found = find(item, index);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A story's id as messages call it; an agent may have put anything there. */
function idOf(story: JsonValue): string {
  const id = isObject(story) ? story['id'] : undefined;
  return typeof id === 'string' ? id : `without an id`;
}
