import { T } from './written.ts';
import type { Written } from './written.ts';

/** How its criteria are written down. */
export const criteria: readonly Written[] = [
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
];
