import { valueOf } from '../json/json-tree.ts';
import type { JsonValue } from '../json/json-tree.ts';
import { parseJson } from '../json/parse-json.ts';
import type { PrdReading } from '../loop/ports.ts';
import type { StoryRecord } from '../prd/types.ts';

/** What ralph has written about each story, by id, also where it is about an older wording. */
export function readRecords({ text, prd }: PrdReading): ReadonlyMap<string, StoryRecord> {
  const root = valueOf(parseJson(text).root);
  const stories = isObject(root) && Array.isArray(root['userStories']) ? root['userStories'] : [];
  return new Map(prd.stories.map(({ id }, index) => [id, toRecord(stories[index])]));
}

function toRecord(story: JsonValue | undefined): StoryRecord {
  const written = isObject(story) ? story['ralph'] : undefined;
  if (!isObject(written)) return {};
  const { attempts, blocked, verified } = written;
  const { at, run } = isObject(verified) ? verified : {};
  return {
    ...(typeof attempts === 'number' ? { attempts } : {}),
    ...(typeof blocked === 'string' ? { blocked } : {}),
    ...(typeof at === 'string' && typeof run === 'string' ? { verified: { at, run } } : {}),
  };
}

function isObject(value: JsonValue | undefined): value is { [key: string]: JsonValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
