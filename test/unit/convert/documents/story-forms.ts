import { T } from './written.ts';
import type { Written } from './written.ts';

/** How a story is written down. */
export const storyForms: readonly Written[] = [
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
