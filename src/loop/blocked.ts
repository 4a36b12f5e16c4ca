import { isBlockNote } from '../prd/block-note.ts';
import type { Try } from './try.ts';

/** Why the selected story can't be done, in the agent's words. A tick of the same story is judged instead. */
export function blockedReason(tried: Pick<Try, 'end' | 'claims' | 'story'>): string | undefined {
  return findBlocks(tried).get(tried.story.id);
}

/** Every story that the agent has blocked in this try, with its reason: the selected one by its words, any by a note. */
export function findBlocks({ end, claims, story }: Pick<Try, 'end' | 'claims' | 'story'>): Map<string, string> {
  const blocks = new Map<string, string>();
  for (const [id, note] of claims.notes) if (isBlockNote(note)) blocks.set(id, reasonOf(note));
  if (end.words.blocked !== undefined) blocks.set(story.id, orNoReason(end.words.blocked));
  for (const id of claims.ticked) blocks.delete(id);
  return blocks;
}

function reasonOf(note: string): string {
  return orNoReason(note.replace(/^\s*BLOCK(?:ED|ER)\b[\s:.–—-]*/, ''));
}

function orNoReason(text: string): string {
  return text.trim() === '' ? 'the agent gave no reason' : text.trim();
}
