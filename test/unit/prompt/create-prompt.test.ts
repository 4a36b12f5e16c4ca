import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PromptFacts } from '../../../src/loop/ports.ts';
import { createPrompt } from '../../../src/prompt/create-prompt.ts';
import type { PromptOptions } from '../../../src/prompt/create-prompt.ts';
import { makeFacts } from './facts.ts';

function render(text: string, changes: Partial<PromptFacts> = {}, options: Partial<PromptOptions> = {}): string {
  const port = createPrompt({
    template: { text, file: 'own.md' },
    prd: '../prd.json',
    progress: '../progress.txt',
    memoryFile: 'CLAUDE.md',
    ...options,
  });
  return port.render(makeFacts(changes));
}

const firstLine = (text: string): string => text.slice(0, text.indexOf('\n'));

describe('createPrompt', () => {
  it('fills in the facts of the iteration', () => {
    const template =
      '{{iteration}}/{{maxIterations}}|{{storyId}}|{{storyTitle}}|{{prd}}|{{progress}}|{{branch}}|{{gates}}|{{checks}}|{{memoryFile}}|{{sentinel}}|\n';
    expect(firstLine(render(template))).toBe(
      '2/7|US-001|Round to cents|../prd.json|../progress.txt|ralph/feature|- test: npm test|- node check.js|CLAUDE.md|<promise>COMPLETE</promise>|',
    );
    expect(render('{{story}}')).toMatch(/^\{\n  "id": "US-001"\n\}\n/);
  });

  it('has a word for what there is not', () => {
    const nothing = { maxIterations: undefined, gates: [], story: { id: 'A', title: 'T', json: '{}', checks: [] } };
    expect(
      firstLine(
        render('{{maxIterations}}|{{gates}}|{{checks}}|{{patterns}}|{{memoryFile}}\n', nothing, {
          memoryFile: undefined,
        }),
      ),
    ).toBe('unlimited|none|none|none yet|AGENTS.md');
  });

  it('tells the patterns once: in the template if it asks for them, else in the closing section', () => {
    const patterns = '- money is in cents';
    expect(render('x {{patterns}} x', { patterns }).split(patterns)).toHaveLength(2);
    expect(render('x', { patterns }).split(patterns)).toHaveLength(2);
    expect(Buffer.byteLength(render('{{patterns}}', { patterns: 'ä'.repeat(50_000) }))).toBeLessThan(13 * 1024 + 1000);
  });

  it('sends a text without placeholders byte for byte, and the facts behind it', () => {
    const inert = fc.string({ unit: 'binary' }).filter((text) => !text.includes('{{'));
    fc.assert(
      fc.property(inert, (text) => {
        const prompt = render(text);
        expect(prompt.startsWith(text)).toBe(true);
        expect(prompt.slice(text.length)).toMatch(/^\n?\n---\n\n## This iteration\nIteration 2 of 7\n/);
      }),
    );
  });

  it('refuses a template that it cannot fill, before anything starts', () => {
    expect(() => render('{{storyId}} {{nope}}')).toThrow("own.md has placeholders that can't be filled");
    expect(() => render('{{storyId}}', {}, { prd: undefined })).toThrow("own.md has placeholders that can't be filled");
  });
});
