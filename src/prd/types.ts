/** What ralph itself has written about a story, under its key `ralph`. */
export interface StoryRecord {
  attempts?: number;
  /** Why a person is needed. */
  blocked?: string;
  verified?: { at: string; run: string };
  /** Hash of the parts of the story that the record is about; when it no longer fits, attempts and block are forgotten. */
  of?: string;
}

/** A story as the loop sees it: defaults filled in, a record of other wording already forgotten. */
export interface Story {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly acceptanceCriteria: readonly string[];
  /** Lower runs first; `Infinity` where the file has none. */
  readonly priority: number;
  readonly passes: boolean;
  readonly notes: string;
  readonly dependsOn: readonly string[];
  readonly checks: readonly string[];
  readonly attempts: number;
  readonly blocked: string | undefined;
  /** The story's own text in the file, as JSON with two blanks of indentation: what the agent is shown. */
  readonly json: string;
}

export interface Prd {
  readonly project: string | undefined;
  readonly description: string | undefined;
  readonly branchName: string | undefined;
  readonly stories: readonly Story[];
}

/** A note about a valid file: text and place (`userStories[1].passes`). */
export interface PrdWarning {
  readonly text: string;
  readonly place: string;
}

/** What ralph writes into one story of the file. A key that is absent is left alone. */
export interface StoryChange {
  readonly id: string;
  readonly passes?: boolean;
  readonly notes?: string;
  /** Replaces ralph's key; `of` is filled in by the store; `null` removes the key. */
  readonly ralph?: Omit<StoryRecord, 'of'> | null;
}

/** What an agent did to prd.json, seen against the text it was given. */
export interface PrdComparison {
  /** Ids of stories that were open and are ticked now, in file order. */
  readonly ticked: readonly string[];
  /** Ids of stories that had passed and are open now, in a file that is otherwise the given one. */
  readonly withdrawn: readonly string[];
  /** New values of `notes`, by id. */
  readonly notes: ReadonlyMap<string, string>;
  /** What may not be changed and was: one short sentence, or undefined. */
  readonly tampering: string | undefined;
}
