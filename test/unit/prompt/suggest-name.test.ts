import { expect, it } from 'vitest';
import { suggestName } from '../../../src/prompt/suggest-name.ts';

const names = ['story', 'storyId', 'storyTitle', 'memoryFile', 'maxIterations', 'iteration'] as const;

it.each([
  ['storyTitel', 'storyTitle'],
  ['STORY_ID', 'storyId'],
  ['story-title', 'storyTitle'],
  ['max', undefined],
  ['memory', 'memoryFile'],
  ['iterations', 'iteration'],
  ['stroy', 'story'],
  ['something', undefined],
  ['x', undefined],
])('%s means %s', (word, expected) => {
  expect(suggestName(word, names)).toBe(expected);
});
