import type { JsonValue } from '../json/json-tree.ts';
import { valueOf } from '../json/json-tree.ts';
import { parseJson } from '../json/parse-json.ts';
import type { PrdReading } from '../loop/ports.ts';
import { hashStory } from '../prd/story-hash.ts';
import type { Story } from '../prd/types.ts';
import { isObject } from '../prd/wrong-shapes.ts';

type JsonObject = { [key: string]: JsonValue };

export interface MergedPrd {
  readonly prd: JsonObject;
  /** Ids of stories that keep what they had. */
  readonly kept: readonly string[];
  /** Ids of stories whose text changed: they start again. */
  readonly changed: readonly string[];
  readonly added: readonly string[];
  /** Ids of stories that are no longer there. */
  readonly removed: readonly string[];
}

/**
 * The new PRD with what the old one of the same feature knows: stories keep `passes`, `notes`, `ralph` and keys that are not
 * ours by id, where title, description, criteria, checks and dependencies are the same.
 *
 * @param next a reading of the new text, with its value
 */
export function mergePrd(before: PrdReading, next: PrdReading): MergedPrd {
  const old = objectOf(before.text);
  const fresh = objectOf(next.text);
  const oldStories = storiesOf(old);
  const kept: string[] = [];
  const changed: string[] = [];
  const added: string[] = [];
  const userStories = storiesOf(fresh).map((story, index): JsonValue => {
    const now = next.prd.stories[index];
    const position = before.prd.stories.findIndex(({ id }) => id === now?.id);
    const was = before.prd.stories[position];
    if (now === undefined || was === undefined) {
      added.push(now?.id ?? '');
      return story;
    }
    if (!isSameText(was, now)) {
      changed.push(now.id);
      return story;
    }
    kept.push(now.id);
    const { passes, notes, ralph, ...others } = oldStories[position] ?? {};
    return {
      ...others,
      ...story,
      ...(passes === undefined ? {} : { passes }),
      ...(notes === undefined ? {} : { notes }),
      ...(ralph === undefined ? {} : { ralph }),
    };
  });
  const ids = new Set(next.prd.stories.map(({ id }) => id));
  const removed = before.prd.stories.filter(({ id }) => !ids.has(id)).map(({ id }) => id);
  const { userStories: _, ...oldTop } = old;
  const { userStories: __, ...freshTop } = fresh;
  return { prd: { ...oldTop, ...freshTop, userStories }, kept, changed, added, removed };
}

function isSameText(was: Story, now: Story): boolean {
  return hashStory(was) === hashStory(now);
}

function objectOf(text: string): JsonObject {
  const value = valueOf(parseJson(text).root);
  return isObject(value) ? value : {};
}

function storiesOf({ userStories }: JsonObject): JsonObject[] {
  return Array.isArray(userStories) ? userStories.filter(isObject) : [];
}
