import { formatPlace } from '../json/json-tree.ts';
import type { JsonPath, JsonValue } from '../json/json-tree.ts';
import { findBranchProblem } from './branch-name.ts';
import { findCycles } from './dependencies.ts';
import { countSlips, findMeantKey, storyKeys, topKeys } from './lookalikes.ts';
import type { PrdProblem } from './problem.ts';
import { nameOf, prdSchema } from './schema.ts';
import type { PrdDocument } from './schema.ts';
import type { PrdWarning } from './types.ts';
import { findForeignKeys, findShape, isObject } from './wrong-shapes.ts';

type JsonObject = { [key: string]: JsonValue };

export interface PrdValidation {
  /** Present exactly when there is no problem. */
  readonly document: PrdDocument | undefined;
  readonly problems: readonly PrdProblem[];
  readonly warnings: readonly PrdWarning[];
}

/** Findings with places as if the file had the right shape. */
interface Findings {
  readonly problems: PrdProblem[];
  readonly warnings: PrdProblem[];
}

/** Checks the value of a prd.json: all problems and all warnings at once, in the order of the stories. */
export function validatePrd(value: JsonValue): PrdValidation {
  const shape = findShape(value);
  const findings: Findings = { problems: [], warnings: [] };
  const forgiven = isObject(shape.value) ? forgive(shape.value, findings) : shape.value;
  const parsed = prdSchema.safeParse(forgiven);
  for (const { path, message } of parsed.error?.issues ?? []) {
    findings.problems.push({
      path: path.map((step) => (typeof step === 'symbol' ? String(step) : step)),
      text: message,
    });
  }
  if (isObject(forgiven)) checkTop(forgiven, findings);
  const stories = isObject(forgiven) && Array.isArray(forgiven['userStories']) ? forgiven['userStories'] : [];
  stories.forEach((story, index) => isObject(story) && checkStory(story, index, findings));
  checkIds(stories, findings);
  checkDependencies(stories, findings);
  const move = (path: JsonPath): JsonPath =>
    path[0] === 'userStories' ? [...shape.storiesPath, ...path.slice(1)] : [...shape.topPath, ...path];
  const moved = inOrder(findings.problems).map((problem) => ({ ...problem, path: move(problem.path) }));
  const problems = [...shape.problems, ...moved];
  const warnings = inOrder(findings.warnings).map(({ path, text }) => ({ text, place: formatPlace(move(path)) }));
  return { document: problems.length === 0 ? parsed.data : undefined, problems, warnings };
}

/**
 * Takes out what is no error: `null` for an optional key counts as missing, and a text of the wrong type that ralph only passes
 * on is ignored with a warning.
 */
function forgive(top: JsonObject, { warnings }: Findings): JsonObject {
  const forgiveKeys = (
    owner: JsonObject,
    path: JsonPath,
    texts: readonly string[],
    nullable: readonly string[],
  ): JsonObject => {
    const kept = Object.entries(owner).filter(([key, value]) => {
      if (value === null) return !nullable.includes(key);
      if (!texts.includes(key) || typeof value === 'string') return true;
      warnings.push({ path: [...path, key], text: `is ${nameOf(value)}, not a text; it is ignored` });
      return false;
    });
    return Object.fromEntries(kept);
  };
  const copy = forgiveKeys(top, [], ['project', 'description'], ['project', 'description', 'branchName']);
  const stories = copy['userStories'];
  if (!Array.isArray(stories)) return copy;
  const nullable = storyKeys.filter((key) => key !== 'id' && key !== 'title' && key !== 'passes');
  const forgiven = stories.map((story, index) =>
    isObject(story) ? forgiveKeys(story, ['userStories', index], ['description', 'notes'], nullable) : story,
  );
  return { ...copy, userStories: forgiven };
}

function checkTop(top: JsonObject, { problems, warnings }: Findings): void {
  const branchName = top['branchName'];
  if (branchName === undefined) {
    warnings.push({
      path: ['branchName'],
      text: 'is missing: the current branch is used, and nothing is archived by itself',
    });
  }
  const problem = typeof branchName === 'string' ? findBranchProblem(branchName) : undefined;
  if (problem !== undefined) problems.push({ path: ['branchName'], text: problem });
  warnOfLookalikes(top, [], topKeys, warnings);
}

function checkStory(story: JsonObject, index: number, { problems, warnings }: Findings): void {
  const path: JsonPath = ['userStories', index];
  const foreign = findForeignKeys(story);
  for (const { key, replaces, text } of foreign) {
    const at = problems.findIndex((problem) => formatPlace(problem.path) === formatPlace([...path, replaces]));
    const problem = { path: [...path, key], text, isShape: true };
    if (at === -1) problems.push(problem);
    else problems[at] = problem;
  }
  if (story['passes'] === undefined && !foreign.some(({ replaces }) => replaces === 'passes')) {
    warnings.push({ path: [...path, 'passes'], text: 'is missing; it counts as false' });
  }
  const criteria = story['acceptanceCriteria'];
  if (criteria === undefined || (Array.isArray(criteria) && criteria.length === 0)) {
    const state = criteria === undefined ? 'is missing' : 'is empty';
    warnings.push({
      path: [...path, 'acceptanceCriteria'],
      text: `${state}: the agent is not told when the story is done`,
    });
  }
  warnOfLookalikes(story, path, storyKeys, warnings);
}

function warnOfLookalikes(owner: JsonObject, path: JsonPath, ours: readonly string[], warnings: PrdProblem[]): void {
  for (const key of Object.keys(owner)) {
    const meant = findMeantKey(key, ours);
    if (meant !== undefined) warnings.push({ path: [...path, key], text: `is ignored; the key is called "${meant}"` });
  }
}

function checkIds(stories: readonly JsonValue[], { problems }: Findings): void {
  const first = new Map<string, number>();
  stories.forEach((story, index) => {
    const id = idOf(story);
    if (id === undefined) return;
    const earlier = first.get(id);
    if (earlier === undefined) first.set(id, index);
    else {
      const text = `${JSON.stringify(id)} is the id of userStories[${earlier}], too; ids must be unique`;
      problems.push({ path: ['userStories', index, 'id'], text });
    }
  });
}

function checkDependencies(stories: readonly JsonValue[], { problems }: Findings): void {
  const links = stories.flatMap((story) => {
    const id = idOf(story);
    return id === undefined ? [] : [{ id, dependsOn: dependenciesOf(story).map(([, other]) => other) }];
  });
  const known = new Set(links.map(({ id }) => id));
  stories.forEach((story, index) => {
    for (const [position, id] of dependenciesOf(story)) {
      if (known.has(id)) continue;
      const meant = [...known].find((other) => countSlips(id.toLowerCase(), other.toLowerCase()) <= 1);
      const hint = meant === undefined ? '' : ` (did you mean ${JSON.stringify(meant)}?)`;
      const text = `no story has the id ${JSON.stringify(id)}${hint}`;
      problems.push({ path: ['userStories', index, 'dependsOn', position], text });
    }
  });
  for (const cycle of findCycles(links)) {
    const index = stories.findIndex((story) => idOf(story) === cycle[0]);
    const text =
      cycle.length === 2 ? `${cycle[0]} waits for itself` : `these stories wait for each other: ${cycle.join(' → ')}`;
    problems.push({ path: ['userStories', index, 'dependsOn'], text });
  }
}

function idOf(story: JsonValue): string | undefined {
  const id = isObject(story) ? story['id'] : undefined;
  return typeof id === 'string' && id.trim() !== '' ? id : undefined;
}

/** The ids a story names, each with its position. */
function dependenciesOf(story: JsonValue): [number, string][] {
  const list = isObject(story) ? story['dependsOn'] : undefined;
  if (!Array.isArray(list)) return [];
  return list.flatMap((id, position): [number, string][] =>
    typeof id === 'string' && id.trim() !== '' ? [[position, id]] : [],
  );
}

/** What is wrong at the top first, then story by story. */
function inOrder(problems: readonly PrdProblem[]): PrdProblem[] {
  return [...problems].sort((a, b) => rankOf(a) - rankOf(b));
}

function rankOf({ path: [first, index] }: PrdProblem): number {
  return first === 'userStories' && typeof index === 'number' ? index : -1;
}
