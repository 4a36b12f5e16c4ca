import fc from 'fast-check';
import { expect, it } from 'vitest';
import { makePrd } from '../../../src/convert/make-prd.ts';
import { readDocument } from '../../../src/convert/read-document.ts';

/** Lines of a document; `%` is a word that is nowhere else. */
const line = fc.constantFrom(
  '# PRD: %',
  '## User Stories',
  '## User Stories',
  '### US-%: % x',
  '### %',
  '#### %',
  '#### Acceptance Criteria',
  '**Acceptance Criteria:**',
  '**Acceptance Criteria:** %',
  '- [ ] % b',
  '  - c %',
  '- **US-%: %** - As a user, I want % it',
  '- **%**: text',
  '1. % x',
  '| ID | Title | % |',
  '```',
  '> q %',
  '---',
  '<!-- % -->',
  '**Checks:** `npm test %`',
  '**Checks:** look %',
  'As a %, I want to see %.',
  '',
  '',
  '',
  '- ~~gone %~~',
  '## Non-Goals',
  '## Introduction',
  '## Goals',
  '## %',
  '**Notes:** %',
  '**Priority:** %',
  'Text % x',
  '% `x` %:',
  '* %',
  '[a]: http://%',
  '**%**',
  '**Title:** %',
  '**ID:** %',
  '- **Priority:** %',
  '- **Acceptance Criteria:** %',
  '  continued %',
  '<div>%</div>',
  '![%](x.png)',
  '[%](#x)',
  '**Depends on:** % and more',
  '**Status:** %',
  '- As a user, I want %.',
  '\n| ID | Title | Criteria | Owner |\n|---|---|---|---|\n| US-% | % t | % a; % b | % |\n',
  '\n| # | % | Then |\n|---|---|---|\n| 1 | % | % |\n',
  '\n| User Story | Priority | Status |\n|---|---|---|\n| As a user, I want % | % | % |\n',
  '1. **%**: As a user, I want %\n   - % a\n\n   text %\n\n   ```\n   code %\n   ```\n2. % plain\n',
  '\n| As a | I want | So that | Acceptance | # |\n|---|---|---|---|---|\n| % | % w | % | % a; % | % |\n',
  '- T100: % (depends on %)',
  '- T200 % (depends on US-%)',
  'USER STORIES',
  '### ~~US-%: %~~ (%)',
  '### US-%: % <!-- % -->',
  '- ~~US-%: % s~~\n  - c %',
  '<details><summary>%</summary>\n\n- [ ] % f\n\n</details>',
  'US-%: % p\nAs a %, I want to %\nAcceptance Criteria\n- % a',
  '**ABC-1: %**',
  '**ABC-2:** % text',
  'Blocked by US-%',
  '## Dependencies',
  '### % (US-%)',
  '### Story A1: %',
  '```markdown\n# % m\n',
  '- [x] US-%: % t\n  - % c\n    - % d\n',
  '> ### US-%: % q\n> - % a\n',
  '<details>\n<summary>%</summary>\n\n% in\n\n</details>\n',
  '%\n===\n',
  '### Story %\n',
  '### User Story - %\n',
  '#### Technical Notes\n- % n\n\n% n\n',
  '**% bold** and % rest',
  '***% both***',
  '- **Given** %, **Then** %',
  '- [ ] **%:** %',
  'Acceptance criteria: %',
  'Depends on: US-%',
  '    indented %',
  '- %\n\n  second %',
  '[^1]: %',
  '# %',
  '## Tasks',
  '## Epic %',
);

/** Every word of a document that is neither in the result nor among what was said about it. */
function findLost(text: string): string[] {
  const read = readDocument(text);
  const made = read.stories.length === 0 ? undefined : makePrd(read, { file: 'prd-x.md', project: 'p' });
  const all = JSON.stringify([made?.prd ?? read, made?.remarks ?? [], read.title]).toLowerCase();
  return text.split('\n').flatMap((words, index) => {
    if ([...read.kept, ...read.unplaced].some(({ from, to }) => from <= index + 1 && index + 1 <= to)) return [];
    const own = words.match(/w\d+w|US-\d{3}/g) ?? [];
    return own.filter((word) => !all.includes(word.toLowerCase())).map((word) => `${word} in ${words}`);
  });
}

it('no sentence of any document is lost', () => {
  const property = fc.property(fc.array(line, { maxLength: 22 }), (lines) => {
    let count = 100;
    const text = lines.join('\n').replaceAll('%', () => `w${(count += 1)}w`);
    expect(findLost(text.replace(/US-w(\d+)w/g, 'US-$1'))).toEqual([]);
  });
  expect(() => fc.assert(property, { numRuns: 200 })).not.toThrow();
});
