import { T } from './written.ts';
import type { Written } from './written.ts';

/** What is around the stories: the whole document, its parts and its headings. */
export const frames: readonly Written[] = [
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
];
