import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { convert } from './converting.ts';
import { parsePrd } from '../../../src/prd/parse-prd.ts';
import { printPrd } from '../../../src/convert/print-prd.ts';

const line = fc.constantFrom(
  '# PRD: X',
  '## User Stories',
  '### US-001: One',
  '#### Acceptance Criteria',
  '**Acceptance Criteria:**',
  '- [ ] a b',
  '  - c d',
  '- **US-2: Two** - As a user, I want it',
  '1. x',
  '| ID | Title | Criteria |',
  '|---|---|---|',
  '| US-1 | t | a; b |',
  '```',
  '> q',
  '---',
  '<!-- c -->',
  '**Depends on:** US-001',
  '**Checks:** `npm test`',
  'As a user, I want to see it.',
  '',
  '\t',
  '- ~~gone~~',
  '## Non-Goals',
  '<prd>',
  '</prd>',
  '**Priority:** 2',
  'Text $& \\ `x`',
  '* * *',
  '[a]: http://x',
  '[^1]: note',
  '## Story 7',
);

describe('whatever a document holds', () => {
  it('what has stories becomes a valid PRD', () => {
    const property = fc.property(fc.array(line, { maxLength: 25 }), fc.constantFrom('\n', '\r\n'), (lines, end) => {
      const { prd, read } = convert(lines.join(end));
      return read.stories.length === 0 || parsePrd(printPrd(prd), 'prd.json').prd.stories.length > 0;
    });
    expect(() => fc.assert(property, { numRuns: 200 })).not.toThrow();
  });

  it('nothing is refused, even where it is no Markdown at all', () => {
    const property = fc.property(
      fc.string({ unit: 'binary', maxLength: 200 }),
      (text) => convert(text).prd.branchName !== '',
    );
    expect(() => fc.assert(property, { numRuns: 150 })).not.toThrow();
  });

  it('lists in lists without end are an error for people', () =>
    expect(() => convert(`${'- '.repeat(1000)}x`)).toThrow(/nested too deeply/));
});
