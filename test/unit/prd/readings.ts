import { RalphError } from '../../../src/errors.ts';
import type { PrdReading } from '../../../src/loop/ports.ts';
import { parsePrd } from '../../../src/prd/parse-prd.ts';

/** A PRD that may hold anything. */
export interface PrdLike {
  [key: string]: unknown;
  userStories: Record<string, unknown>[];
}

/** A reading of a PRD with these stories; ids count from US-001. */
export function readingOf(stories: readonly object[], more: object = {}): PrdReading {
  return parsePrd(JSON.stringify(documentOf(stories, more), null, 2), 'prd.json');
}

export function documentOf(stories: readonly object[], more: object = {}): PrdLike {
  const userStories = stories.map((story, index) => ({
    id: `US-00${index + 1}`,
    title: `Story ${index + 1}`,
    acceptanceCriteria: ['it works'],
    passes: false,
    ...story,
  }));
  return { branchName: 'ralph/feature', ...more, userStories };
}

/** The error that parsing this text or value ends with. */
export function errorOf(input: unknown): RalphError {
  try {
    parsePrd(typeof input === 'string' ? input : JSON.stringify(input), 'prd.json');
  } catch (error) {
    if (error instanceof RalphError) return error;
    throw error;
  }
  throw new Error('no error');
}
