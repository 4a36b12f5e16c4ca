import type { JsonPath, JsonValue } from '../json/json-tree.ts';
import type { PrdProblem } from './problem.ts';

type JsonObject = { [key: string]: JsonValue };

/** Where the parts of a PRD were found in a file, right shape or wrong. */
export interface PrdShape {
  /** The file as if it had the right shape. */
  readonly value: JsonValue;
  readonly topPath: JsonPath;
  readonly storiesPath: JsonPath;
  /** What is wrong with the shape itself. */
  readonly problems: readonly PrdProblem[];
}

/** Names under which other tools keep the list; without case, `_`, `-` and blanks. */
const listNames = [
  'userstories',
  'prd',
  'tasks',
  'stories',
  'features',
  'items',
  'requirements',
  'todos',
  'backlog',
  'tickets',
  'issues',
  'steps',
  'workitems',
];

/**
 * Finds the stories in a file of the right shape or of a known wrong one: a list at the top level, everything inside one key
 * (`prd`), the list under another name (`tasks`, `stories`…).
 */
export function findShape(value: JsonValue): PrdShape {
  if (Array.isArray(value)) {
    const text = 'the top level is a list; an object with the list under "userStories" belongs here';
    return {
      value: { userStories: value },
      topPath: [],
      storiesPath: [],
      problems: [{ path: [], text, isShape: true }],
    };
  }
  if (!isObject(value) || Object.hasOwn(value, 'userStories')) return rightShape(value);
  const inner = findInner(value);
  if (inner !== undefined) return inner;
  const key = findList(value);
  if (key === undefined) return rightShape(value);
  const { [key]: stories = null, ...rest } = value;
  const text = 'the list of stories is called "userStories"';
  return {
    value: { ...rest, userStories: stories },
    topPath: [],
    storiesPath: [key],
    problems: [{ path: [key], text, isShape: true }],
  };
}

function rightShape(value: JsonValue): PrdShape {
  return { value, topPath: [], storiesPath: ['userStories'], problems: [] };
}

/** The whole PRD inside one key. */
function findInner(value: JsonObject): PrdShape | undefined {
  for (const [key, inner] of Object.entries(value)) {
    if (!isObject(inner) || (!Object.hasOwn(inner, 'userStories') && findList(inner) === undefined)) continue;
    const found = findShape(inner);
    const text = `the PRD is inside "${key}"; "userStories" belongs at the top level`;
    return {
      value: found.value,
      topPath: [key, ...found.topPath],
      storiesPath: [key, ...found.storiesPath],
      problems: [
        { path: [key], text, isShape: true },
        ...found.problems.map((problem) => ({ ...problem, path: [key, ...problem.path] })),
      ],
    };
  }
  return undefined;
}

/** The key of a list that is meant to be the stories: by its name, else by what is in it. */
function findList(value: JsonObject): string | undefined {
  const lists = Object.keys(value).filter((key) => Array.isArray(value[key]));
  for (const name of listNames) {
    const key = lists.find((other) => other.toLowerCase().replace(/[\s_-]/g, '') === name);
    if (key !== undefined) return key;
  }
  return lists.find((key) => looksLikeStories(value[key]));
}

function looksLikeStories(value: JsonValue | undefined): boolean {
  const [first] = Array.isArray(value) ? value : [];
  return (
    isObject(first) &&
    (Object.hasOwn(first, 'title') || Object.hasOwn(first, 'name')) &&
    ['id', 'passes', 'status'].some((key) => Object.hasOwn(first, key))
  );
}

/** `status` where `passes` is missing and `name` where `title` is missing: another tool's format. */
export function findForeignKeys(story: JsonObject): { key: string; replaces: 'passes' | 'title'; text: string }[] {
  const found: { key: string; replaces: 'passes' | 'title'; text: string }[] = [];
  if (Object.hasOwn(story, 'name') && !Object.hasOwn(story, 'title')) {
    found.push({ key: 'name', replaces: 'title', text: 'is called "title" here' });
  }
  if (Object.hasOwn(story, 'status') && !Object.hasOwn(story, 'passes')) {
    found.push({
      key: 'status',
      replaces: 'passes',
      text: 'is not read: whether a story is done is "passes", true or false',
    });
  }
  return found;
}

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
