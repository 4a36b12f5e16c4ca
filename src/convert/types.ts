/** One acceptance criterion. `checks` are the commands in it that clearly decide it. */
export interface Criterion {
  readonly text: string;
  readonly checks: readonly string[];
}

/** A story as the document tells it. */
export interface StoryDraft {
  /** As written; undefined where the document gives none. */
  readonly id: string | undefined;
  readonly title: string;
  readonly description: string;
  readonly criteria: readonly Criterion[];
  /** Ids as written. */
  readonly dependsOn: readonly string[];
  readonly checks: readonly string[];
  readonly priority: string | undefined;
  readonly line: number;
  /** What it says and cannot be taken over, one sentence each. */
  readonly remarks: readonly string[];
}

/** A part of the document that is not in the result. */
export interface Passage {
  readonly from: number;
  readonly to: number;
  /** Its heading, or its first words. */
  readonly words: string;
}

/** What a document says. */
export interface ReadDocument {
  readonly title: string | undefined;
  readonly project: string | undefined;
  readonly branch: string | undefined;
  readonly introduction: string;
  readonly nonGoals: readonly string[];
  readonly stories: readonly StoryDraft[];
  /** Sections that belong into the document and not into prd.json. */
  readonly kept: readonly Passage[];
  /** What has no place that we know of. */
  readonly unplaced: readonly Passage[];
  /** Titles of the features, where the document is about several. */
  readonly features: readonly string[];
}
