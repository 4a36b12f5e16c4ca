import { describe, expect, it } from 'vitest';
import { convert, stories } from './converting.ts';
import { criteria } from './documents/criteria.ts';
import { frames } from './documents/frames.ts';
import { languages } from './documents/languages.ts';
import { storyForms } from './documents/story-forms.ts';

/** Documents as people write them, and the stories that are in them. */
const documents = [...frames, ...storyForms, ...criteria, ...languages];

describe('documents as people write them', () => {
  it.each(documents)('$name', ({ text, expected }) => {
    const converted = convert(text);
    expect(stories(converted)).toEqual(expected);
    expect(converted.lost).toEqual([]);
  });

  it.each(documents)('$name, with Windows line ends', ({ text, expected }) => {
    const converted = convert(text.replace(/\r?\n/g, '\r\n'));
    expect(stories(converted)).toEqual(expected);
    expect(JSON.stringify(converted.prd)).not.toContain('\\r');
  });

  it('are twenty-five at least', () => expect(documents.length).toBeGreaterThanOrEqual(25));
});
