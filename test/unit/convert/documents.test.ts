import { describe, expect, it } from 'vitest';
import { convert, stories } from './converting.ts';

const T = 'Typecheck passes';

/** Documents as people write them, and the stories that are in them. */
const documents: { name: string; text: string; expected: Record<string, string[]> }[] = [
  {
    name: 'the shape of the skill',
    text: `# PRD: Due Dates

**Project:** TaskApp
**Branch:** \`ralph/due-dates\`

## Introduction

Say when a task is due.

## User Stories

### US-001: Store a date

**Description:** As a developer, I need a date.

**Acceptance Criteria:**

- [ ] A column
- [ ] Typecheck passes

### US-002: Show it

**Description:** As a user, I want to see it.

**Depends on:** US-001

**Acceptance Criteria:**

- [ ] A badge
`,
    expected: { 'US-001 Store a date': ['A column', T], 'US-002 Show it': ['A badge', T] },
  },
  {
    name: 'H3 headings that are no stories',
    text: `# Export
## User Stories
### Overview
Two stories follow.
### US-001: Export as CSV
**Acceptance Criteria:**
- One line per task
### Out of scope
- PDF
### US-002: Export as JSON
**Acceptance Criteria:**
- One array
## Functional Requirements
### FR-1: Speed
- Under a second
### FR-2: Size
- Any
`,
    expected: { 'US-001 Export as CSV': ['One line per task', T], 'US-002 Export as JSON': ['One array', T] },
  },
  {
    name: 'nested bullets and fences in criteria',
    text: `# Export
## User Stories
### US-001: Export
**Acceptance Criteria:**
- The answer has these keys:
  - \`id\`
  - \`title\`
    - never empty
- The file looks so:

  \`\`\`json
  { "a": [1, 2] }
  \`\`\`

- Last one

\`\`\`sh
### not a heading
\`\`\`
`,
    expected: {
      'US-001 Export': [
        'The answer has these keys:\n- `id`\n- `title`\n  - never empty',
        'The file looks so:\n```json\n{ "a": [1, 2] }\n```',
        'Last one\n```sh\n### not a heading\n```',
        T,
      ],
    },
  },
  {
    name: 'numbered H2 and H3',
    text: `# 1. Product
## 1. Introduction
Text.
## 2. User Stories
### 2.1 US-001: First
**Acceptance Criteria:**
1. A is there
2. B is there
### 2.2. US-002 - Second
**Acceptance Criteria:**
1) C is there
## 3. Non-Goals
None.
`,
    expected: { 'US-001 First': ['A is there', 'B is there', T], 'US-002 Second': ['C is there', T] },
  },
  {
    name: 'a code fence around the whole, with fences inside',
    text: `Here is your PRD:

\`\`\`markdown
# PRD: Export

## User Stories

### US-001: Export
**Acceptance Criteria:**
- [ ] Prints
\`\`\`json
{}
\`\`\`
- [ ] Ends with 0
\`\`\`
`,
    expected: { 'US-001 Export': ['Prints\n```json\n{}\n```', 'Ends with 0', T] },
  },
  {
    name: 'tags around the whole',
    text: `<prd>
# PRD: Export
## User Stories
### US-001: Export
**Acceptance Criteria:**
- [ ] Prints
</prd>
`,
    expected: { 'US-001 Export': ['Prints', T] },
  },
  {
    name: 'a quote around the whole',
    text: `> # PRD: Export
> ## User Stories
> ### US-001: Export
> **Acceptance Criteria:**
> - Prints
`,
    expected: { 'US-001 Export': ['Prints', T] },
  },
  {
    name: 'other levels of headings',
    text: `# User Stories
## US-001: First
As a user, I want A.
### Acceptance Criteria
- A is there
## US-002: Second
#### Description
As a user, I want B.
#### Acceptance Criteria
- B is there
`,
    expected: { 'US-001 First': ['A is there', T], 'US-002 Second': ['B is there', T] },
  },
  {
    name: 'stories as a numbered list',
    text: `# Notes app
## User Stories
1. **Store a note**: As a user, I want to store a note.
   - A note has a title
   - A note has a body
2. **List notes**: As a user, I want to list them.
   - Newest first
`,
    expected: {
      'US-001 Store a note': ['A note has a title', 'A note has a body', T],
      'US-002 List notes': ['Newest first', T],
    },
  },
  {
    name: 'stories as plain sentences',
    text: `# Notes app
## User Stories
- As a user, I want to store a note so that I remember it.
- As an admin, I want to delete a note, so that the law is kept.
`,
    expected: { 'US-001 Store a note': [T], 'US-002 Delete a note': [T] },
  },
  {
    name: 'a table of stories',
    text: `# Notes app
## User Stories
| ID | Title | Acceptance Criteria | Depends on |
|----|-------|---------------------|------------|
| US-001 | Store a note | Has a title<br>Has a body | |
| US-002 | List notes | Newest first; ten at most | US-001 |
`,
    expected: {
      'US-001 Store a note': ['Has a title', 'Has a body', T],
      'US-002 List notes': ['Newest first', 'ten at most', T],
    },
  },
  {
    name: 'a table of criteria',
    text: `# Notes app
## User Stories
### US-001: Store a note
**Acceptance Criteria:**

| # | Given | Then |
|---|-------|------|
| 1 | no title | 400 |
| 2 | a title | 201 |
`,
    expected: { 'US-001 Store a note': ['Given: no title; Then: 400', 'Given: a title; Then: 201', T] },
  },
  {
    name: 'check boxes that are ticked',
    text: `# Notes app
## User Stories
### US-001: Store a note
- [x] Has a title
- [X] Has a body
`,
    expected: { 'US-001 Store a note': ['Has a title', 'Has a body', T] },
  },
  {
    name: 'bold labels of all kinds, and Windows line ends',
    text: [
      '# Notes app',
      '## User Stories',
      '**US-001: Store a note**',
      '**Description**: As a user, I want to store it.',
      '**Priority:** High',
      '__Acceptance Criteria__',
      '* Has a title',
      '',
      '**US-002:** List notes',
      '',
      'As a user, I want to see them.',
      '',
      'Acceptance criteria:',
      '* Newest first',
      '',
    ].join('\r\n'),
    expected: { 'US-001 Store a note': ['Has a title', T], 'US-002 List notes': ['Newest first', T] },
  },
  {
    name: 'no ids',
    text: `# Notes app
## User Stories
### Store a note
As a user, I want to store it.
- Has a title
### List notes
As a user, I want to list them.
- Newest first
`,
    expected: { 'US-001 Store a note': ['Has a title', T], 'US-002 List notes': ['Newest first', T] },
  },
  {
    name: 'several features',
    text: `# PRD: Notes
## User Stories
### US-001: Store a note
**Acceptance Criteria:**
- Has a title
# PRD: Tags
## User Stories
### US-001: Store a tag
**Acceptance Criteria:**
- Has a name
`,
    expected: { 'US-001 Store a note': ['Has a title', T], 'US-002 Store a tag': ['Has a name', T] },
  },
  {
    name: 'front matter',
    text: `---
title: Notes
project: Pad
branch: feature/notes
---
## User Stories
### US-001: Store a note
**Acceptance Criteria:**
- Has a title
`,
    expected: { 'US-001 Store a note': ['Has a title', T] },
  },
  {
    name: 'German',
    text: `# Notizen
## Einleitung
Notizen ablegen.
## Benutzergeschichten
### US-001: Notiz speichern
**Beschreibung:** Als Nutzer möchte ich eine Notiz speichern.
**Akzeptanzkriterien:**
- Eine Notiz hat einen Titel
- Die Typprüfung läuft durch
### US-002: Notizen zeigen
**Abhängig von:** US-001
**Akzeptanzkriterien:**
- Die neueste zuerst
`,
    expected: {
      'US-001 Notiz speichern': ['Eine Notiz hat einen Titel', 'Die Typprüfung läuft durch'],
      'US-002 Notizen zeigen': ['Die neueste zuerst', T],
    },
  },
  {
    name: 'French',
    text: `# Notes
## Récits utilisateur
### US-001 : Enregistrer une note
En tant qu'utilisateur, je veux enregistrer une note.
**Critères d'acceptation :**
- Une note a un titre
`,
    expected: { 'US-001 Enregistrer une note': ['Une note a un titre', T] },
  },
  {
    name: 'Chinese',
    text: `# 笔记
## 用户故事
### US-001：保存笔记
**描述：** 作为用户，我想保存笔记。
**验收标准：**
- 笔记有标题
`,
    expected: { 'US-001 保存笔记': ['笔记有标题', T] },
  },
  {
    name: 'the shape of spec-kit',
    text: `# Feature Specification: Notes
## User Scenarios & Testing
### User Story 1 - Store a note (Priority: P1)
A user writes a note and finds it again.

**Why this priority**: Without it there is nothing.

**Independent Test**: Store one and read it.

**Acceptance Scenarios**:

1. **Given** no note, **When** one is stored, **Then** it is listed
2. **Given** a note, **When** it is read, **Then** its text is shown
### User Story 2 - Delete a note (Priority: P2)
**Acceptance Scenarios**:
1. **Given** a note, **When** it is deleted, **Then** the list is empty
`,
    expected: {
      'US-001 Store a note': [
        'Given no note, When one is stored, Then it is listed',
        'Given a note, When it is read, Then its text is shown',
        T,
      ],
      'US-002 Delete a note': ['Given a note, When it is deleted, Then the list is empty', T],
    },
  },
  {
    name: 'stories in groups',
    text: `# Notes
## User Stories
### Phase 1: Storage
These come first.
#### US-001: Store a note
**Acceptance Criteria:**
- Has a title
### Phase 2: Display
#### US-002: List notes
**Acceptance Criteria:**
- Newest first
`,
    expected: { 'US-001 Store a note': ['Has a title', T], 'US-002 List notes': ['Newest first', T] },
  },
  {
    name: 'parts of a story as a list',
    text: `# Notes
## User Stories
### US-001: Store a note
- **Description:** As a user, I want to store it.
- **Priority:** 1
- **Depends on:** none
- **Acceptance Criteria:**
  - Has a title
  - Has a body
- **Notes:** Use the table that is there.
`,
    expected: { 'US-001 Store a note': ['Has a title', 'Has a body', T] },
  },
  {
    name: 'emoji, emphasis and links in headings',
    text: `# 🚀 Notes
## 📋 User Stories
### ✅ US-001: Store *a* [note](https://example.org/note)
**✔️ Acceptance Criteria:**
- ☐ Has a **title**
`,
    expected: { 'US-001 Store a note (https://example.org/note)': ['Has a title', T] },
  },
  {
    name: 'text between criteria, and a lead-in',
    text: `# Notes
## User Stories
### US-001: Store a note
As a user, I want to store it.

Acceptance Criteria:

For admins:
- Sees all notes

For others:
- Sees own notes

The table is there already.
`,
    expected: { 'US-001 Store a note': ['For admins: Sees all notes', 'For others: Sees own notes', T] },
  },
  {
    name: 'underlined headings, a byte order mark, tabs',
    text: `\uFEFFNotes
=====

User Stories
------------

### US-001: Store a note

Acceptance Criteria:

-\tHas a title
-\tHas a body
`,
    expected: { 'US-001 Store a note': ['Has a title', 'Has a body', T] },
  },
  {
    name: 'a criterion that was struck out, and a comment',
    text: `# Notes
## User Stories
### US-001: Store a note
<!-- ask Ann -->
**Acceptance Criteria:**
- Has a title
- ~~Has a color~~
`,
    expected: { 'US-001 Store a note': ['Has a title', T] },
  },
  {
    name: 'ids of an issue tracker, and tasks instead of stories',
    text: `# Notes
## Tasks
### PAD-12: Store a note
#### Acceptance Criteria
- Has a title
### PAD-14: List notes
Depends on: PAD-12
#### Acceptance Criteria
- Newest first
`,
    expected: { 'PAD-12 Store a note': ['Has a title', T], 'PAD-14 List notes': ['Newest first', T] },
  },
  {
    name: 'sections of its own inside a story',
    text: `# Notes
## User Stories
### US-001: Store a note
#### Acceptance Criteria
- Has a title
#### Technical Notes
Use the table \`notes\`.
- id
- title
`,
    expected: { 'US-001 Store a note': ['Has a title', T] },
  },
  {
    name: 'features with criteria, without any heading for stories',
    text: `# Notes
## Overview
A pad.
## Feature: Store a note
### Acceptance Criteria
- Has a title
## Feature: List notes
### Acceptance Criteria
- Newest first
`,
    expected: {
      'US-001 Feature: Store a note': ['Has a title', T],
      'US-002 Feature: List notes': ['Newest first', T],
    },
  },
];

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
