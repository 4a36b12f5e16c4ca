import type { JsonValue } from '../json/json-tree.ts';
import { isObject } from '../prd/wrong-shapes.ts';
import { findKey } from './map-story.ts';
import type { JsonObject } from './map-story.ts';

/** Told what became of what. */
type Tell = (from: string, to: string) => void;

const nestedNames = ['userStories', 'user_stories', 'stories', 'tasks', 'features', 'tickets', 'children'];

/** A list kept as an object, `"tasks": { "auth": {…} }`, as a list whose ids are the keys. Anything else stays as it is. */
export function openMaps(value: JsonValue): JsonValue {
  if (!isObject(value) || Object.values(value).some(Array.isArray)) return value;
  const name = nestedNames.find((key) => isMap(value[key]));
  const map = name === undefined ? undefined : value[name];
  if (name === undefined || !isObject(map)) return value;
  const list = Object.entries(map).map(([id, item]) => (isObject(item) ? { id, ...item } : item));
  return { ...value, [name]: list };
}

function isMap(value: JsonValue | undefined): boolean {
  return isObject(value) && Object.keys(value).length > 0 && Object.values(value).every(isObject);
}

/** Stories that are inside others, or whose keys are inside one of theirs, as plain stories. */
export function flattenStories(stories: readonly JsonValue[], tell: Tell): JsonValue[] {
  return stories
    .flatMap((story) => openGroup(story, tell))
    .map((story) => (isObject(story) ? tellSentence(openFields(story, tell), tell) : story));
}

/** An epic that has stories and no criteria of its own: its stories, each with what the epic says of itself. */
function openGroup(story: JsonValue, tell: Tell): JsonValue[] {
  if (!isObject(story)) return [story];
  const name = nestedNames.find((key) => isStoryList(story[key]));
  const inner = name === undefined ? undefined : story[name];
  if (name === undefined || !Array.isArray(inner)) return [story];
  if (Object.keys(story).some((key) => ['acceptanceCriteria', 'checks'].includes(findKey(key, story) ?? '')))
    return [story];
  const { [name]: _, ...epic } = story;
  tell(`${name} of a group`, 'userStories, with the group as "epic"');
  return inner.map((item) => (isObject(item) && !Object.hasOwn(item, 'epic') ? { ...item, epic } : item));
}

function isStoryList(value: JsonValue | undefined): boolean {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((item) => isObject(item) && ['title', 'name', 'description', 'summary'].some((key) => key in item))
  );
}

/** An issue as Jira exports it: `fields` holds what belongs to the story. */
function openFields(story: JsonObject, tell: Tell): JsonObject {
  const { fields, ...rest } = story;
  if (!isObject(fields) || Object.keys(fields).some((key) => Object.hasOwn(rest, key))) return story;
  tell('what is in fields', 'the story itself');
  return { ...rest, ...fields };
}

const sentence = [
  ['as a', 'As a '],
  ['i want', 'I want '],
  ['so that', 'so that '],
] as const;

/** A sentence in three keys, "As a", "I want", "So that". */
function tellSentence(story: JsonObject, tell: Tell): JsonObject {
  const keys = Object.keys(story);
  const parts = sentence.flatMap(([name, lead]) => {
    const key = keys.find((other) => other.toLowerCase().replace(/[_-]/g, ' ').replace(/^asa$/, 'as a') === name);
    const value = key === undefined ? undefined : story[key];
    return key === undefined || typeof value !== 'string' ? [] : [{ key, text: `${lead}${value}` }];
  });
  if (parts.length < 2 || keys.some((key) => key === 'description' || findKey(key, story) === 'description'))
    return story;
  const rest = Object.fromEntries(Object.entries(story).filter(([key]) => !parts.some((part) => part.key === key)));
  tell(parts.map(({ key }) => key).join(', '), 'description');
  return { ...rest, description: parts.map(({ text }) => text).join(', ') };
}
