import type { JsonValue } from '../json/json-tree.ts';
import { isObject } from '../prd/wrong-shapes.ts';
import { findMeantKey, storyKeys } from '../prd/lookalikes.ts';
import { isCommand } from './find-commands.ts';
import { titleFrom } from './story-title.ts';

export type JsonObject = { [key: string]: JsonValue };

/** Told what became of a value: `status "done"`, `passes true`. */
export type Tell = (from: string, to: string) => void;

/** Names that other tools use, besides those that only differ in spelling. */
const otherNames: Readonly<Record<string, string>> = {
  name: 'title',
  summary: 'title',
  feature: 'title',
  subject: 'title',
  task: 'title',
  content: 'title',
  action: 'title',
  story: 'title',
  key: 'id',
  number: 'id',
  num: 'id',
  user_story: 'description',
  userStory: 'description',
  body: 'description',
  details: 'description',
  status: 'passes',
  state: 'passes',
  steps: 'acceptanceCriteria',
  testStrategy: 'acceptanceCriteria',
  test_strategy: 'acceptanceCriteria',
  validation: 'checks',
  validation_commands: 'checks',
  validationCommands: 'checks',
  quality_checks: 'checks',
  order: 'priority',
  step: 'priority',
  rank: 'priority',
};

/** Our key for a key of another tool; undefined where it is none of ours. A name that is taken by a better one stays as it is. */
export function findKey(key: string, story: JsonObject): string | undefined {
  if (storyKeys.some((own) => own === key)) return key;
  const meant = findMeantKey(key, storyKeys) ?? otherNames[key] ?? otherNames[key.toLowerCase()];
  return meant === undefined || Object.hasOwn(story, meant) ? undefined : meant;
}

/**
 * As `findKey`. What is to be run as a command must be one: under "verification" people write sentences as well, which would
 * never be green, and are criteria.
 */
export function findMeaning(key: string, story: JsonObject): string | undefined {
  const meant = findKey(key, story);
  if (meant !== 'checks' || key === 'checks' || /command|cmd/i.test(key)) return meant;
  if (toTexts(story[key] ?? null)?.every((text) => isCommand(text)) === true) return meant;
  const hasCriteria = Object.keys(story).some((other) => findKey(other, story) === 'acceptanceCriteria');
  return hasCriteria ? undefined : 'acceptanceCriteria';
}

const done =
  /^(?:done|completed?|passed|passes|passing|finished|closed|resolved|merged|shipped|verified|success(?:ful)?|true|yes|x|✅|✓|1)$/i;

export function toPasses(value: JsonValue): boolean {
  return value === true || value === 1 || (typeof value === 'string' && done.test(value.trim()));
}

const ranks: readonly (readonly [RegExp, number])[] = [
  [/^(?:critical|urgent|highest|blocker|p0|must(?:[- ]have)?|mvp)$/i, 1],
  [/^(?:high|major|important|p1|should(?:[- ]have)?)$/i, 2],
  [/^(?:medium|med|normal|moderate|default|p2|could(?:[- ]have)?)$/i, 3],
  [/^(?:low|minor|p3|nice[- ]to[- ]have)$/i, 4],
  [/^(?:lowest|trivial|optional|p4|won'?t(?:[- ]have)?|later|backlog)$/i, 5],
];

/** A number for a priority of any kind, lower first; undefined for a word that says nothing. */
export function toPriority(value: JsonValue): number | undefined {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  if (/^-?\d+(?:\.\d+)?$/.test(text)) return Number(text);
  return ranks.find(([pattern]) => pattern.test(text))?.[1];
}

/** A list of texts from a list, a text of several lines, or objects that hold a text. */
export function toTexts(value: JsonValue): string[] | undefined {
  if (typeof value === 'string') {
    const lines = value
      .split(/\r?\n/)
      .map((line) => line.replace(/^\s*(?:[-*•]|\d+[.)])?\s*(?:\[[ xX]?\]\s*)?/, '').trim());
    return lines.filter((line) => line !== '');
  }
  // Numbered by keys: { "1": …, "2": … }.
  const list = isObject(value) && Object.keys(value).every((key) => /^\d+$/.test(key)) ? Object.values(value) : value;
  if (!Array.isArray(list)) return undefined;
  const texts = list.map(toText);
  return texts.every((text) => text !== undefined) ? texts : undefined;
}

const textKeys = [
  'text',
  'description',
  'criterion',
  'criteria',
  'title',
  'name',
  'content',
  'command',
  'run',
  'cmd',
  'value',
  'id',
];

function toText(value: JsonValue): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return String(value);
  if (!isObject(value)) return undefined;
  const gherkin = ['given', 'when', 'then'].flatMap((key) =>
    typeof value[key] === 'string' ? [`${key} ${value[key]}`] : [],
  );
  if (gherkin.length > 1) return gherkin.join(', ');
  return textKeys.map((key) => value[key]).find((text) => typeof text === 'string');
}

const idKeys = ['id', 'key', 'depends_on_id', 'dependsOnId', 'depends_on', 'dependsOn', 'story', 'task'];

/** Ids from a list of ids, numbers or objects with an id, or from a text with commas. */
export function toIds(value: JsonValue): string[] | undefined {
  if (typeof value === 'number') return [String(value)];
  if (typeof value === 'string') return value.split(/[\s,;]+/).filter((id) => id !== '');
  if (!Array.isArray(value)) return value === null ? [] : undefined;
  const ids = value.map((item) =>
    isObject(item) ? (idKeys.map((key) => item[key]).find((id) => id !== undefined) ?? null) : item,
  );
  return ids.every((id) => typeof id === 'string' || typeof id === 'number') ? ids.map(String) : undefined;
}

/** A title from what the story says of itself. */
export function findTitle(story: JsonObject): string | undefined {
  const { description } = story;
  return typeof description === 'string' && description.trim() !== '' ? titleFrom(description) : undefined;
}
