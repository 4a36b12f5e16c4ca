import { describe, expect, it } from 'vitest';
import { rules } from '../../../../src/prd/lint/rules.ts';
import { badStories } from './bad-stories.ts';
import { goodStories } from './good-stories.ts';
import { lint } from './linting.ts';

describe('the rules on stories as they are written', () => {
  it.each(goodStories)('nothing is wrong with "$title"', (story) =>
    expect(lint([story]).map(({ rule, text }) => `${rule}: ${text}`)).toEqual([]),
  );

  it('nothing is wrong with all of them together', () => expect(lint(goodStories)).toEqual([]));

  it.each(badStories)('$rules about "$title"', ({ rules: expected, ...story }) =>
    expect([...new Set(lint([story]).map(({ rule }) => rule))].sort()).toEqual(expected),
  );

  it('are forty at least', () => expect(goodStories.length + badStories.length).toBeGreaterThanOrEqual(40));

  it('every rule has a name of its own, a reason and a cure', () => {
    expect(new Set(rules.map(({ name }) => name)).size).toBe(rules.length);
    for (const { why, mend } of rules) expect([why.length > 20, mend.length > 20]).toEqual([true, true]);
  });

  it('a rule that is switched off stays silent', () => {
    for (const { rules: names, ...story } of badStories) expect(lint([story], { off: names })).toEqual([]);
  });

  it('a story that has passed is left alone', () => {
    for (const story of badStories) expect(lint([{ ...story, passes: true }])).toEqual([]);
  });
});
