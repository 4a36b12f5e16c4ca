import { describe, expect, it } from 'vitest';
import { convert, stories } from './converting.ts';

const T = 'Typecheck passes';

describe('documents from a word processor, without any Markdown heading', () => {
  const text = `PRD - BARCODE SCANNER

OVERVIEW
Warehouse people scan instead of typing.

USER STORIES
US-001: Scan a code
As a packer, I want to scan a \`code\`.
Acceptance Criteria:
- beep on success

US-002: Type it by hand
Acceptance Criteria
- 13 digits

OUT OF SCOPE
- QR codes
`;

  it('have sections and stories by the lines that name them', () => {
    const { prd, read } = convert(text, 'prd.md');
    expect(stories(convert(text))).toEqual({
      'US-001 Scan a code': ['beep on success', T],
      'US-002 Type it by hand': ['13 digits', T],
    });
    expect(prd.userStories[0]?.description).toBe('As a packer, I want to scan a `code`.');
    expect(prd.description).toBe('Warehouse people scan instead of typing. Not in scope: QR codes.');
    expect(prd.branchName).toBe('ralph/barcode-scanner');
    expect(read.kept.map(({ from, to }) => [from, to])).toEqual([
      [1, 1],
      [3, 4],
      [16, 17],
    ]);
  });

  it('stay as they are where a heading is, or no line names a story', () => {
    expect(convert(`# Scanner\n\n${text}`).read.stories.map(({ title }) => title)).not.toContain('OVERVIEW');
    expect(convert('Overview\nPeople scan.\n\n- a\n').read).toMatchObject({ stories: [], title: undefined });
  });
});

describe('an answer of a model around the document', () => {
  const answer = (inside: string, end = '```'): string =>
    `Sure! Here it is:\n\n\`\`\`markdown\n# PRD: Comments\n\n## User Stories\n\n### US-001: Store\n\n${inside}\n${end}\n\nLet me know!\n`;

  it('is no part of the first or last story', () => {
    const { prd, read } = convert(answer('- a table'));
    expect(prd.description).toBe('Comments');
    expect(prd.userStories).toMatchObject([{ description: '', acceptanceCriteria: ['a table', T] }]);
    expect(read.kept).toEqual([
      { from: 1, to: 1, words: 'Sure! Here it is:' },
      { from: 4, to: 4, words: 'PRD: Comments' },
      { from: 13, to: 13, words: 'Let me know!' },
    ]);
  });

  it('is one as well where fences are inside', () => {
    const { prd } = convert(answer('- a table:\n\n```sql\n### x\n```\n\n- an index'));
    expect(prd.userStories[0]).toMatchObject({ acceptanceCriteria: ['a table:', 'an index', T] });
  });

  it('does not end at a fence inside where its own was never closed', () => {
    const text = answer('- a table:\n\n```sql\n### x\n```\n\n### US-002: Show\n\n- newest last', '');
    expect(Object.keys(stories(convert(text)))).toEqual(['US-001 Store', 'US-002 Show']);
  });
});

describe('ids', () => {
  it('of another kind make stories of bold lines, if there are several and none of ours', () => {
    const text = (one: string, two: string): string =>
      `# Cart\n\n## User Stories\n\n**${one}: Invite**\n\nCriteria:\n\n- a link\n\n**${two}: See**\n\nDepends on: ${one}\n\nCriteria:\n\n- a name\n`;
    expect(stories(convert(text('SHOP-1', 'SHOP-2')))).toEqual({
      'SHOP-1 Invite': ['a link', T],
      'SHOP-2 See': ['a name', T],
    });
    expect(convert(text('HU-01', 'HU-02')).prd.userStories[1]).toMatchObject({ id: 'HU-02', dependsOn: ['HU-01'] });
    expect(Object.keys(stories(convert(`${text('TC-1', 'TC-2')}\n### US-001: Real\n- x\n`)))).toEqual(['US-001 Real']);
  });

  it('stand behind the title, have letters, or are those of a task list', () => {
    const ids = (text: string): (string | undefined)[][] =>
      convert(text).prd.userStories.map(({ id, title, dependsOn }) => [id, title, ...(dependsOn ?? [])]);
    expect(ids('## Stories\n\n### 2.1. Digest (US-10)\n\n- a\n')).toEqual([['US-10', 'Digest']]);
    expect(ids('## Epic\n\n### Story A1: Put\n\n- a\n\n### Story B1: Pay\n\nDepends on: Story A1\n\n- b\n')).toEqual([
      ['US-A1', 'Put'],
      ['US-B1', 'Pay', 'US-A1'],
    ]);
    expect(ids('## Tasks\n\n### Task B2B integration\n\n- a\n')).toEqual([['US-001', 'Task B2B integration']]);
    const tasks =
      '## Phase 1\n\n- [ ] T001 Make `a`\n- [ ] T002 [P] Parse (depends on T001)\n\n## Dependencies\n\n- T002 before T001\n';
    expect(ids(tasks)).toEqual([
      ['T001', 'Make `a`'],
      ['T002', 'Parse', 'T001'],
    ]);
    expect(convert(tasks).read.kept).toEqual([{ from: 6, to: 8, words: 'Dependencies' }]);
  });

  it('are known as dependencies in the words of each language', () => {
    const words = [
      ['Récit', 'Dépend de'],
      ['ストーリー', '依存関係'],
      ['История', 'Зависит от'],
      ['Geschichte', 'Voraussetzung'],
    ];
    for (const [story = '', label = ''] of words) {
      const text = `## Stories\n\n### ${story} 1: One\n\n- a\n\n### ${story} 2: Two\n\n**${label}:** ${story} 1\n\n- b\n`;
      expect(convert(text).prd.userStories[1], story).toMatchObject({
        dependsOn: ['US-001'],
        description: '',
        acceptanceCriteria: ['b', T],
      });
    }
  });
});

describe('labels without a colon', () => {
  it('are labels where nothing else is in the line', () => {
    const text =
      '# US-1 In\n\n- a\n\n# US-2 Out\n\nBlocked by US-1\n\nAcceptance Criteria\n\n- b\n\n# US-3 All\n\nBlocked by US-1 and others\n\n- c\n';
    expect(convert(text).prd.userStories).toMatchObject([
      {},
      { description: '', dependsOn: ['US-1'], acceptanceCriteria: ['b', T] },
      { description: 'Blocked by US-1 and others' },
    ]);
  });
});

describe('a table with a column for each part of the sentence', () => {
  it('is a list of stories', () => {
    const table =
      '| # | As a… | I want… | so that… | Acceptance |\n|---|---|---|---|---|\n| 1 | clerk | a PDF | I can file it | has a date; has a number |\n';
    expect(convert(`# Sprint\n\n${table}`).prd.userStories).toMatchObject([
      {
        id: 'US-001',
        title: 'A PDF',
        description: 'As a clerk, I want a PDF, so that I can file it',
        acceptanceCriteria: ['has a date', 'has a number', T],
      },
    ]);
  });
});

describe('words of the document itself', () => {
  it.each([
    ['Nicht enthalten', 'Warteliste'],
    ['Fuera del alcance', 'Pagos'],
    ['Hors du périmètre', 'Remboursement'],
    ['不在范围内', '短信'],
    ['対象外', '銀行'],
    ['Later, not now', 'Links'],
  ])('%s is what it does not do', (heading, item) => {
    const { prd, read } = convert(`# X\n\nIntro。\n\n## Stories\n\n### US-1: a\n\n- b\n\n## ${heading}\n\n- ${item}\n`);
    expect(prd.description).toBe(`Intro。 Not in scope: ${item}.`);
    expect(read.unplaced).toEqual([]);
  });

  it('name the branch, and lose what kind of document it is', () => {
    const text =
      '# Feature Specification: Albums\n\n**Feature Branch**: `003-albums`\n\n## User Scenarios & Testing *(mandatory)*\n\n### User Story 1 - Create (Priority: P1)\n\n- a\n';
    const { prd, read } = convert(text);
    expect([prd.branchName, prd.description, read.unplaced]).toEqual(['003-albums', 'Albums', []]);
    expect(convert('# Pflichtenheft: Termine\n\n## Stories\n\n### US-1: a\n\n- b\n').prd.description).toBe('Termine');
  });
});

describe('what is folded', () => {
  it('is a section below the one it stands in', () => {
    const fold = (title: string, item: string): string =>
      `<details>\n<summary>${title}</summary>\n\n- [ ] ${item}\n\n</details>\n\n`;
    const text = `# Returns\n\n## User stories\n\n${fold('Start a return', '30 days')}${fold('Refuse one', 'a reason')}`;
    expect(stories(convert(text))).toEqual({
      'US-001 Start a return': ['30 days', T],
      'US-002 Refuse one': ['a reason', T],
    });
    const inside = convert(
      `## Stories\n\n### US-1: a\n\n- b\n\n<details>\n<summary>Why</summary>\n\nBecause.\n\n</details>\n`,
    );
    expect(inside.prd.userStories).toMatchObject([{ description: 'Why:\nBecause.', acceptanceCriteria: ['b', T] }]);
  });
});

describe('what the author took back', () => {
  it('is no story, whether it is a section or an item', () => {
    const { read } = convert('## Stories\n\n### US-1: a\n\n- b\n\n### ~~US-2: c~~ (dropped)\n\n- d\n');
    expect(read.stories.map(({ id }) => id)).toEqual(['US-1']);
    expect(read.kept.at(-1)).toEqual({ from: 7, to: 9, words: '~~US-2: c~~ (dropped)' });
    const list = convert('## Stories\n\n- US-1: a\n- ~~US-2: c~~\n').read;
    expect([list.stories.map(({ id }) => id), list.kept.at(-1)?.words]).toEqual([['US-1'], '~~US-2: c~~']);
  });

  it('a comment in a heading is no part of the title, and is named', () => {
    const { prd, remarks } = convert('## Stories\n\n### US-1: a <!-- est: 3 -->\n\n- Typecheck passes\n');
    expect([prd.userStories[0]?.title, remarks]).toEqual(['a', ['US-1: a comment is left out: <!-- est: 3 -->']]);
  });
});
