import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../src/errors.ts';
import { placeholderNames } from '../../../src/prompt/placeholders.ts';
import { renderTemplate, usesPlaceholder, verifyTemplate } from '../../../src/prompt/render.ts';
import { makeValues } from './facts.ts';

const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc
    .array(
      fc.constantFrom(
        '{',
        '}',
        '{{',
        '}}',
        'story',
        'storyId',
        ' ',
        '\t',
        '$&',
        '$1',
        '$$',
        '`',
        '"',
        '\r\n',
        '\uFEFF',
        'x',
        '{{storyId}}',
      ),
      { maxLength: 30 },
    )
    .map((parts) => parts.join('')),
);

function problemsOf(text: string, mode?: 'stories' | 'prompt'): readonly string[] {
  try {
    verifyTemplate(text, 'own.md', mode);
    return [];
  } catch (error) {
    if (error instanceof UsageError) return error.problems;
    throw error;
  }
}

describe('renderTemplate', () => {
  it('fills every placeholder, with and without blanks inside the braces', () => {
    for (const name of placeholderNames) {
      expect(renderTemplate(`a{{${name}}}b{{ ${name}\t}}c`, makeValues())).toBe(`a<${name}>b<${name}>c`);
    }
  });

  it('brings any value through byte for byte, and expands nothing of it again', () => {
    fc.assert(
      fc.property(anyText, anyText, (title, id) => {
        const text = renderTemplate('[{{storyTitle}}]({{storyId}})', makeValues({ storyTitle: title, storyId: id }));
        expect(text).toBe(`[${title}](${id})`);
      }),
    );
  });

  it('brings any template text around a placeholder through byte for byte', () => {
    const inert = anyText.filter((text) => !/\{\{|\}\}|\{$|^\}/.test(text));
    fc.assert(
      fc.property(inert, inert, anyText, (before, after, value) => {
        expect(renderTemplate(`${before}|{{story}}|${after}`, makeValues({ story: value }))).toBe(
          `${before}|${value}|${after}`,
        );
      }),
    );
  });

  it('leaves a text in which no placeholder stands as it is', () => {
    const own =
      '\uFEFFMY LOOP\r\n- $& {{ anything }} {{two words}} ${{ secrets.X }} {{}} {{ }} {{story.id}} {{\nstory\n}}\r\n';
    expect(renderTemplate(own, makeValues())).toBe(own);
  });

  it('does not mistake case, a dollar sign or further braces', () => {
    expect(renderTemplate('{{Story}} ${{storyId}} {"a":{{story}}}', makeValues())).toBe(
      '{{Story}} $<storyId> {"a":<story>}',
    );
  });

  it('joins no placeholder out of what was put in and what stood around it', () => {
    expect(renderTemplate('{{{storyId}}prd}}', makeValues({ storyId: '{' }))).toBe('{{prd}}');
  });
});

describe('usesPlaceholder', () => {
  it('answers for the one name', () => {
    expect(usesPlaceholder('x {{ patterns }}', 'patterns')).toBe(true);
    expect(usesPlaceholder('x {{ patterns }}', 'story')).toBe(false);
  });
});

describe('verifyTemplate', () => {
  it('names file, line, word and suggestion of every unknown word, all at once', () => {
    expect(
      problemsOf('Do {{storyId}}.\r\n\r\nIt is {{storyTitel}}.\nOn {{ Branch }}, {{memory_file}}, {{zzz}}.\n'),
    ).toEqual([
      'own.md:3: {{storyTitel}} is no placeholder; did you mean {{storyTitle}}?',
      'own.md:4: {{Branch}} is no placeholder; did you mean {{branch}}?',
      'own.md:4: {{memory_file}} is no placeholder; did you mean {{memoryFile}}?',
      'own.md:4: {{zzz}} is no placeholder',
    ]);
  });

  it('takes a file without a known placeholder as text, whatever its braces say', () => {
    expect(problemsOf('Use {{ anything }} and {{storyTitel}}')).toEqual([]);
  });

  it.each([
    '${{ secrets.X }}',
    '${{ github }}',
    '{{ two words }}',
    '{{{mustache}}}',
    '{{}}',
    '{{ a.b }}',
    '{{1}}',
    '{{#each x}}',
    '{ {x} }',
    '{{\nword\n}}',
  ])('takes %s as text beside a known placeholder', (text) => {
    expect(problemsOf(`{{storyId}} ${text}`)).toEqual([]);
  });

  it('refuses a placeholder that needs a story in a run without a PRD, and there alone', () => {
    const text = '{{iteration}}\n{{story}} {{prd}}';
    expect(problemsOf(text)).toEqual([]);
    expect(problemsOf(text, 'prompt')).toEqual([
      'own.md:2: {{story}} needs a prd.json, and there is none in this run',
      'own.md:2: {{prd}} needs a prd.json, and there is none in this run',
    ]);
    expect(problemsOf('{{iteration}} of {{maxIterations}}: {{gates}} {{branch}} {{sentinel}}', 'prompt')).toEqual([]);
  });
});
