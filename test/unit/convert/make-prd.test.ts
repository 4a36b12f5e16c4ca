import { describe, expect, it } from 'vitest';
import { branchSlug } from '../../../src/convert/make-prd.ts';
import { convert } from './converting.ts';

const story = (id: string, more = ''): string =>
  `### ${id}: Story ${id}\n${more}\n**Acceptance Criteria:**\n- A is there\n`;

describe('the branch', () => {
  it.each([
    ['prd-due-dates.md', '# PRD: Other', 'ralph/due-dates'],
    ['2025-01-02-prd-due-dates.md', '# Other', 'ralph/2025-01-02-prd-due-dates'],
    ['PRD.md', '# PRD: Due Dates & Größen', 'ralph/due-dates-grossen'],
    ['README.md', '# Due Dates PRD', 'ralph/due-dates'],
    ['Due Dates.markdown', '# x', 'ralph/due-dates'],
    ['prd.md', '# 任务 优先级', 'ralph/任务-优先级'],
    ['prd.md', '# !!!', 'ralph/feature'],
    ['prd-a.md', '# T\n**Branch:** `feature/x`', 'feature/x'],
    ['prd-a.md', '# T\n\nBranch: not a branch', 'ralph/a'],
  ])('%s, %j: %s', (file, head, branch) =>
    expect(convert(`${head}\n## User Stories\n${story('US-001')}`, file).prd.branchName).toBe(branch),
  );

  it('is cut between words', () => {
    const slug = branchSlug('word '.repeat(30));
    expect(slug.length).toBeLessThanOrEqual(60);
    expect(slug).toMatch(/word$/);
  });
});

describe('ids', () => {
  it('a second one of the same becomes the next that is free, and that is said', () => {
    const { prd, remarks } = convert(`## User Stories\n${story('US-001')}${story('US-001')}${story('US-002')}`);
    expect(prd.userStories.map(({ id }) => id)).toEqual(['US-001', 'US-003', 'US-002']);
    expect(remarks.join()).toMatch(/US-003: was a second US-001/);
  });

  it('dependencies are found whatever they are called, and lost ones stay in the description', () => {
    const { prd, remarks } = convert(
      `## User Stories\n${story('US-1')}${story('US-2', 'Depends on: Story 1')}${story('US-3', 'Depends on: US-002 and US-9')}`,
    );
    expect(prd.userStories.map(({ dependsOn }) => dependsOn)).toEqual([undefined, ['US-1'], ['US-2']]);
    expect(prd.userStories[2]?.description).toMatch(/Depends on: US-9/);
    expect(remarks.join()).toMatch(/US-3: depends on US-9/);
  });

  it('words around dependencies are kept', () => {
    const { prd } = convert(
      `## User Stories\n${story('US-001')}${story('US-002', 'Depends on: US-001, unless somebody finds another way')}`,
    );
    expect(prd.userStories[1]).toMatchObject({
      dependsOn: ['US-001'],
      description: expect.stringContaining('another way'),
    });
  });
});

describe('priorities', () => {
  it('are the order of the document', () => {
    const { prd, remarks } = convert(
      `## User Stories\n${story('US-001', 'Priority: Low')}${story('US-002', 'Priority: High')}`,
    );
    expect(prd.userStories.map(({ priority }) => priority)).toEqual([1, 2]);
    expect(remarks.join()).toMatch(/US-001 Low, US-002 High/);
  });

  it('unless it numbers all of them', () => {
    const { prd } = convert(`## User Stories\n${story('US-001', 'Priority: 20')}${story('US-002', 'Priority: 10')}`);
    expect(prd.userStories.map(({ priority }) => priority)).toEqual([20, 10]);
  });
});

describe('what is not in a story', () => {
  const document = `# PRD: Due

**Project:** App

## Introduction

Say when a task is due. It matters.

Second paragraph.

## Goals

- A goal

## User Stories

Read these with care.

### Background

Nobody planned it.

${story('US-001')}
## Rollout plan of ours

On Monday.

## Non-Goals

- Reminders.
- Time zones
`;
  const { prd, read } = convert(document);

  it('goes into the description: introduction and non-goals', () =>
    expect(prd).toMatchObject({
      project: 'App',
      description: 'Say when a task is due. It matters. Not in scope: Reminders; Time zones.',
    }));

  it('is named with its lines', () => {
    expect(read.unplaced.map(({ words }) => words)).toEqual([
      'Read these with care.',
      'Background',
      'Rollout plan of ours',
    ]);
    expect(read.kept.map(({ words }) => words)).toEqual(expect.arrayContaining(['Introduction', 'Goals', 'Non-Goals']));
    const lines = document.split('\n');
    for (const { from, words } of [...read.unplaced, ...read.kept]) expect(lines[from - 1]).toContain(words);
  });
});

describe('a document without any story', () => {
  it.each([
    '# Idea\n\nA task has a due date.\n',
    '# PRD: X\n## Goals\n- Fast\n## Functional Requirements\n- FR-1: The system must\n',
    '# PRD: X\n## User Stories\n\nTo be written.\n',
    'just text',
    '```\n### US-001: not a story\n```\n',
    '# X\n## Functional Requirements\n### FR-1: Speed\n**Acceptance:** none\n',
  ])('%j has none, and everything is named', (text) => {
    const { read, lost } = convert(text);
    expect(read.stories).toEqual([]);
    expect(lost.filter((line) => !line.startsWith('#') && !line.startsWith('```'))).toEqual([]);
  });
});

it('a typecheck criterion is added where none is, and said so', () => {
  const { prd, remarks } = convert(
    '## User Stories\n### US-001: One\n- `npm run typecheck` passes\n### US-002: Two\n- A\n',
  );
  expect(prd.userStories.map(({ acceptanceCriteria }) => acceptanceCriteria)).toEqual([
    ['`npm run typecheck` passes'],
    ['A', 'Typecheck passes'],
  ]);
  expect(remarks).toContainEqual(expect.stringMatching(/^the criterion "Typecheck passes" was added to US-002: /));
});
