import type { JsonPath } from '../../json/json-tree.ts';
import type { Prd, Story } from '../types.ts';

/** Everything that rules look at. */
export interface LintFacts {
  readonly prd: Prd;
  /** The commands of the project's gates. */
  readonly gates: readonly string[];
  /** Names of the scripts in package.json; undefined where there is no such file. */
  readonly scripts: ReadonlySet<string> | undefined;
  /** The document that the PRD was made from, where one of the same feature lies beside it. */
  readonly document: { readonly path: string; readonly hasNonGoals: boolean } | undefined;
}

/** A place where a rule is not kept, and what was seen there. */
export interface Finding {
  readonly path: JsonPath;
  /** The end of a sentence that begins with the place. */
  readonly text: string;
}

export interface Rule {
  /** By which it can be switched off. */
  readonly name: string;
  readonly severity: 'warning';
  /** Why it matters to a worker without memory. */
  readonly why: string;
  /** How to mend it. */
  readonly mend: string;
  readonly find: (facts: LintFacts) => Finding[];
}

/** A finding as it is shown. */
export interface Remark {
  readonly rule: string;
  /** `userStories[2].acceptanceCriteria[1]`; empty for the whole file. */
  readonly place: string;
  readonly text: string;
  readonly why: string;
  readonly mend: string;
}

/** A story with its place in the file. */
export interface PlacedStory {
  readonly story: Story;
  readonly index: number;
}
