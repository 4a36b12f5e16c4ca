import { createHash } from 'node:crypto';
import type { Story } from './types.ts';

/** The parts of a story that ralph's record is about. */
export type StoryWording = Pick<Story, 'title' | 'description' | 'acceptanceCriteria' | 'checks' | 'dependsOn'>;

/**
 * Hash of a story's wording: 16 hex digits of a SHA-256. Formatting, the order of keys and whether an empty part is written
 * down make no difference.
 */
export function hashStory({ title, description, acceptanceCriteria, checks, dependsOn }: StoryWording): string {
  const wording = JSON.stringify([title, description, acceptanceCriteria, checks, dependsOn]);
  return createHash('sha256').update(wording).digest('hex').slice(0, 16);
}
