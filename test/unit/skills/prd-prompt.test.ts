import { describe, expect, it } from 'vitest';
import { createPrdPrompt, createSecondPrompt } from '../../../src/skills/prd-prompt.ts';

const skill = '---\nname: prd\ndescription: x\n---\n\n# The skill\n\n--- $& ---\n';
const person = { kind: 'person' } as const;

describe('createPrdPrompt', () => {
  it('holds the idea as a quote and the skill without its frontmatter', () => {
    const text = createPrdPrompt({ idea: '/clear\r\n# not a heading $&', skill, talk: person });
    expect(text).toContain('\n> /clear\n> # not a heading $&\n');
    expect(text).toContain('\n# The skill\n\n--- $& ---\n');
    expect(text).not.toContain('description: x');
    expect(text).toMatch(/^Write a PRD document/);
    expect(text).toContain('wait for the answers');
  });

  it('hands on answers, and says what to do without', () => {
    const of = (answers: string | undefined) =>
      createPrdPrompt({ idea: 'x', skill, talk: { kind: 'answers', answers } });
    expect(of('1B\n 2A')).toContain('form: 1B 2A - take the recommended option of each question that they leave open.');
    expect(of(undefined)).toContain('Take the recommended option of each.');
    for (const text of [of('1B'), of(undefined)]) expect(text).toContain('Nobody is there');
  });
});

describe('createSecondPrompt', () => {
  it('is the first one with the questions behind it', () => {
    const facts = { idea: 'x', skill, talk: { kind: 'answers', answers: '1B' } } as const;
    const text = createSecondPrompt(facts, '1. Who?\n   A. all');
    expect(text.startsWith(createPrdPrompt(facts).trimEnd())).toBe(true);
    expect(text).toMatch(/\n> 1\. Who\?\n> {4}A\. all\n$/);
  });
});
