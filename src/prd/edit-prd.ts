import { editJson } from '../json/edit-json.ts';
import type { JsonEdit } from '../json/edit-json.ts';
import type { JsonPath, JsonValue } from '../json/json-tree.ts';
import { parseJson } from '../json/parse-json.ts';
import type { PrdReading } from '../loop/ports.ts';
import { parsePrd } from './parse-prd.ts';
import { hashStory } from './story-hash.ts';
import type { Story, StoryChange } from './types.ts';

/**
 * The kept text with these changes, everything else byte for byte. A record of ralph's gets the hash of the wording it is
 * about; one that says nothing removes the key.
 *
 * @throws {Error} for an id that the file does not have: a bug of the caller
 */
export function editPrd(before: PrdReading, changes: readonly StoryChange[], name: string): PrdReading {
  const edits = changes.flatMap((change) => {
    const index = before.prd.stories.findIndex((story) => story.id === change.id);
    const story = before.prd.stories[index];
    if (story === undefined) throw new Error(`no story ${change.id} in ${name}`);
    return editStory(change, story, ['userStories', index]);
  });
  const text = editJson(parseJson(before.text), edits);
  return text === before.text ? before : parsePrd(text, name);
}

function editStory({ passes, notes, ralph }: StoryChange, story: Story, path: JsonPath): JsonEdit[] {
  const edits: JsonEdit[] = [];
  // a missing key already means false and the empty text
  if (passes !== undefined && passes !== story.passes) edits.push({ path: [...path, 'passes'], value: passes });
  if (notes !== undefined && notes !== story.notes) edits.push({ path: [...path, 'notes'], value: notes });
  if (ralph !== undefined) edits.push({ path: [...path, 'ralph'], value: recordOf(ralph, story) });
  return edits;
}

function recordOf(record: Exclude<StoryChange['ralph'], undefined>, story: Story): JsonValue | undefined {
  const { attempts, blocked, verified } = record ?? {};
  const value: { [key: string]: JsonValue } = {};
  if (attempts !== undefined) value['attempts'] = attempts;
  if (blocked !== undefined) value['blocked'] = blocked;
  if (verified !== undefined) value['verified'] = { at: verified.at, run: verified.run };
  return Object.keys(value).length === 0 ? undefined : { ...value, of: hashStory(story) };
}
