import { formatPlace } from '../json/json-tree.ts';
import type { JsonPath } from '../json/json-tree.ts';

/** Something wrong in a PRD, with its place. */
export interface PrdProblem {
  readonly path: JsonPath;
  readonly text: string;
  /** The file has another tool's shape: converting it is the cure. */
  readonly isShape?: boolean;
}

/** One line for people: `userStories[2].passes: must be true or false, not a text`. */
export function describeProblem({ path, text }: PrdProblem): string {
  const place = formatPlace(path);
  return place === '' ? text : `${place}: ${text}`;
}
