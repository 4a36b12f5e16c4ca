import type { Prd, Story } from './types.ts';

/** What there is to do next. */
export type Selection =
  | { kind: 'story'; story: Story }
  /** Every story has passed. */
  | { kind: 'complete' }
  /** Nothing can be worked at: a person is needed. */
  | { kind: 'blocked'; blocked: readonly Story[]; waiting: readonly WaitingStory[] };

/** A story that is not blocked itself, and the ids it waits for: its dependencies that have not passed. */
export interface WaitingStory {
  readonly story: Story;
  readonly on: readonly string[];
}

/** The first open story by priority, then file order, whose dependencies have passed and which is not blocked. */
export function selectStory(prd: Prd): Selection {
  const open = prd.stories.filter((story) => !story.passes);
  if (open.length === 0) return { kind: 'complete' };
  const passed = new Set(prd.stories.filter((story) => story.passes).map((story) => story.id));
  const blocked = open.filter((story) => story.blocked !== undefined);
  const waiting: WaitingStory[] = [];
  let next: Story | undefined;
  for (const story of open) {
    if (story.blocked !== undefined) continue;
    const on = story.dependsOn.filter((id) => !passed.has(id));
    if (on.length > 0) waiting.push({ story, on });
    else if (next === undefined || story.priority < next.priority) next = story;
  }
  return next === undefined ? { kind: 'blocked', blocked, waiting } : { kind: 'story', story: next };
}

/** The ids of all stories that have not passed, in file order. */
export function listOpenIds(prd: Prd): string[] {
  return prd.stories.filter((story) => !story.passes).map((story) => story.id);
}
