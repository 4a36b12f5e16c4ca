import type { JsonValue } from '../json/json-tree.ts';
import { storyKeys } from '../prd/lookalikes.ts';
import { findShape, isObject } from '../prd/wrong-shapes.ts';
import { formatPlace } from '../json/json-tree.ts';
import { branchSlug } from './make-prd.ts';
import { flattenStories, openMaps } from './flatten-json.ts';
import { findMeaning, findTitle, toIds, toPasses, toPriority, toTexts } from './map-story.ts';
import type { JsonObject } from './map-story.ts';
import { idOf } from './story-title.ts';

export interface ConvertedJson {
  readonly prd: JsonObject;
  /** What was mapped to what: `status "done"` → `passes true`, with how often. */
  readonly mapped: readonly string[];
  /** Keys that ralph does not read; they are in the result all the same. */
  readonly unread: readonly string[];
  /** What could not be mapped. */
  readonly remarks: readonly string[];
}

interface Ledger {
  readonly mapped: Map<string, number>;
  readonly unread: Set<string>;
  readonly remarks: string[];
}

/** A list of stories of another tool as a PRD; undefined where there is no list of stories in it. Keys that are not ours stay. */
export function convertJson(
  value: JsonValue,
  { file, branch }: { file: string; branch: string | undefined },
): ConvertedJson | undefined {
  const shape = findShape(openMaps(value));
  const top = shape.value;
  const stories = isObject(top) ? top['userStories'] : undefined;
  if (!isObject(top) || !Array.isArray(stories) || !stories.some(isObject)) return undefined;
  const ledger: Ledger = { mapped: new Map(), unread: new Set(), remarks: [] };
  const place = formatPlace(shape.storiesPath);
  if (place !== 'userStories') tell(ledger, place === '' ? 'the list at the top level' : place, 'userStories');
  const flat = flattenStories(stories, (from, to) => tell(ledger, from, to));
  const userStories = flat.map((story, index) => mapStory(story, index, ledger));
  const prd = {
    ...mapTop(beside(value, shape.topPath, top), { file, branch }, ledger),
    userStories: linkByTitle(userStories),
  };
  return {
    prd,
    mapped: [...ledger.mapped].map(([text, count]) => (count === 1 ? text : `${text} (${count} times)`)),
    unread: [...ledger.unread].sort(),
    remarks: ledger.remarks,
  };
}

function tell({ mapped }: Ledger, from: string, to: string): void {
  const text = `${from} → ${to}`;
  mapped.set(text, (mapped.get(text) ?? 0) + 1);
}

/** What stands around a PRD inside one key stays, unless the PRD itself has the key. */
function beside(value: JsonValue, topPath: readonly (string | number)[], top: JsonObject): JsonObject {
  const [wrapper] = topPath;
  if (!isObject(value) || typeof wrapper !== 'string') return top;
  const { [wrapper]: _, ...rest } = value;
  return { ...rest, ...top };
}

function mapTop(
  top: JsonObject,
  { file, branch }: { file: string; branch: string | undefined },
  ledger: Ledger,
): JsonObject {
  const { userStories: _, ...rest } = top;
  const mapped: JsonObject = {};
  const names: Readonly<Record<string, string>> = {
    name: 'project',
    title: 'project',
    projectName: 'project',
    project_name: 'project',
    branch: 'branchName',
    branch_name: 'branchName',
    gitBranch: 'branchName',
    summary: 'description',
    overview: 'description',
    goal: 'description',
  };
  for (const [key, value] of Object.entries(rest)) {
    const meant = names[key];
    if (
      meant !== undefined &&
      typeof value === 'string' &&
      !Object.hasOwn(rest, meant) &&
      !Object.hasOwn(mapped, meant)
    ) {
      tell(ledger, key, meant);
      mapped[meant] = value;
    } else {
      if (!['project', 'description', 'branchName'].includes(key)) ledger.unread.add(key);
      mapped[key] = value;
    }
  }
  const { project, branchName, description, ...others } = mapped;
  const slug = branchSlug(typeof project === 'string' && project !== '' ? project : file.replace(/\.[^.]*$/, ''));
  const name =
    typeof branchName === 'string' && branchName.trim() !== ''
      ? branchName.trim()
      : (branch ?? `ralph/${slug === '' ? 'feature' : slug}`);
  if (name !== branchName) ledger.remarks.push(`it names no branch; branchName is ${name} now`);
  return {
    ...(project === undefined ? {} : { project }),
    branchName: name,
    ...(description === undefined ? {} : { description }),
    ...others,
  };
}

function mapStory(story: JsonValue, index: number, ledger: Ledger): JsonValue {
  if (typeof story === 'string') {
    tell(ledger, 'a text', 'title');
    return { id: idOf(index + 1), title: story, acceptanceCriteria: [], priority: index + 1, passes: false, notes: '' };
  }
  if (!isObject(story)) return story;
  const mapped: JsonObject = {};
  const others: JsonObject = {};
  for (const [key, value] of Object.entries(story)) {
    const meant = findMeaning(key, story);
    const fits = meant === undefined || Object.hasOwn(mapped, meant) ? undefined : mapValue(meant, key, value, ledger);
    if (meant !== undefined && fits !== undefined) mapped[meant] = fits;
    else {
      others[key] = value;
      ledger.unread.add(key);
      if (meant !== undefined && !Object.hasOwn(mapped, meant))
        ledger.remarks.push(
          `userStories[${index}].${key}: ${JSON.stringify(value)} can't be mapped to ${meant}, and stays as it is`,
        );
    }
  }
  if (mapped['id'] === undefined) {
    mapped['id'] = idOf(index + 1);
    tell(ledger, 'no id', 'id by position');
  }
  if (mapped['title'] === undefined) {
    const title = findTitle(mapped);
    if (title !== undefined) {
      mapped['title'] = title;
      tell(ledger, 'no title', 'the beginning of description');
    }
  }
  mapped['passes'] ??= false;
  mapped['notes'] ??= '';
  const ordered = Object.fromEntries(
    storyKeys.flatMap((key) => (mapped[key] === undefined ? [] : [[key, mapped[key]]])),
  );
  return { ...ordered, ...others };
}

/** The value for one of our keys; undefined where it makes no sense there. */
function mapValue(meant: string, key: string, value: JsonValue, ledger: Ledger): JsonValue | undefined {
  const shown = nameOf(value);
  const to = convertValue(meant, value);
  if (to === undefined) return undefined;
  const isSame = JSON.stringify(to) === JSON.stringify(shown);
  if (key !== meant || !isSame) {
    const isShort = typeof shown === 'string' || typeof shown === 'number' || typeof shown === 'boolean';
    const shows = isShort && (meant === 'passes' || meant === 'priority' || meant === 'id') && !isSame;
    if (meant === 'id' && shows) tell(ledger, `${key} as a number`, 'id as a text');
    else if (shows) tell(ledger, `${key} ${JSON.stringify(shown)}`, `${meant} ${JSON.stringify(to)}`);
    else if (key === meant) tell(ledger, `${key} in another form`, meant);
    else tell(ledger, key, meant);
  }
  return to;
}

/** A status or priority may be an object: `{ "name": "Done" }`. */
function nameOf(value: JsonValue): JsonValue {
  return isObject(value) && typeof value['name'] === 'string' ? value['name'] : value;
}

function convertValue(meant: string, value: JsonValue): JsonValue | undefined {
  switch (meant) {
    case 'id':
      return typeof value === 'number'
        ? String(value)
        : typeof value === 'string' && value.trim() !== ''
          ? value
          : undefined;
    case 'title':
    case 'description':
    case 'notes':
      if (typeof value === 'string') return value;
      return meant === 'title' ? undefined : toTexts(value)?.join('\n');
    case 'passes':
      return typeof nameOf(value) === 'object' ? undefined : toPasses(nameOf(value));
    case 'priority':
      return toPriority(nameOf(value));
    case 'dependsOn':
      return toIds(value);
    case 'acceptanceCriteria':
    case 'checks':
      return value === null ? undefined : toTexts(value);
    default:
      return value;
  }
}

/** Dependencies may be named by titles. */
function linkByTitle(stories: readonly JsonValue[]): JsonValue[] {
  const objects = stories.filter(isObject);
  const ids = new Set(objects.map((story) => story['id']));
  const byTitle = new Map(objects.map((story) => [story['title'], story['id']]));
  return stories.map((story) => {
    if (!isObject(story) || !Array.isArray(story['dependsOn'])) return story;
    return { ...story, dependsOn: story['dependsOn'].map((id) => (ids.has(id) ? id : (byTitle.get(id) ?? id))) };
  });
}
