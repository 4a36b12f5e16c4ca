/** Stories as people and agents write them, with which nothing is wrong: no rule may say a word about them. */
export interface WrittenStory {
  title: string;
  description?: string;
  acceptanceCriteria: string[];
  checks?: string[];
}

export const goodStories: WrittenStory[] = [
  {
    title: 'Add priority field to database',
    description: 'As a developer, I need to store task priority so it persists across sessions.',
    acceptanceCriteria: [
      "Add priority column to tasks table: 'high' | 'medium' | 'low' (default 'medium')",
      'Generate and run migration successfully',
      'Typecheck passes',
    ],
  },
  {
    title: 'Display priority indicator on task cards',
    description: 'As a user, I want to see task priority at a glance.',
    acceptanceCriteria: [
      'Each task card shows colored priority badge (red=high, yellow=medium, gray=low)',
      'Priority visible without hovering or clicking',
      'Typecheck passes',
      'Verify in browser using dev-browser skill',
    ],
  },
  {
    title: 'Add status toggle to task list rows',
    description: 'As a user, I want to change task status directly from the list.',
    acceptanceCriteria: [
      'Each row has status dropdown or toggle',
      'Changing status saves immediately',
      'UI updates without page refresh',
      'Typecheck passes',
      'Verify in browser: toggle a row, reload, and see it kept',
    ],
  },
  {
    title: 'Filter tasks by status',
    description: 'As a user, I want to filter the list to see only certain statuses.',
    acceptanceCriteria: [
      'Filter dropdown: All | Pending | In Progress | Done',
      'Filter persists in URL params',
      'Tests cover each choice',
      'Typecheck passes',
      'Verify in browser',
    ],
  },
  {
    title: 'Read and change the priority through the API',
    description: 'As a client of the API, I want to read and change the priority of a task.',
    acceptanceCriteria: [
      'GET /tasks/:id includes priority',
      'PATCH /tasks/:id answers 200 with the changed task',
      'Any other value is answered with 400 and changes nothing',
      'Tests cover each of these',
      'Typecheck passes',
    ],
    checks: ['npm test -- task-priority-api'],
  },
  {
    title: 'Retry failed webhooks with exponential backoff',
    description: 'As an operator, I want failed deliveries to be tried again so that a short outage loses nothing.',
    acceptanceCriteria: [
      'A delivery answered with 5xx is tried again after 1, 2, 4 and 8 minutes',
      'After the fifth failure the delivery has the status "dead"',
      'Unit tests with a fake clock cover success at the third try and the fifth failure',
      'Typecheck passes',
    ],
  },
  {
    title: 'Round invoice totals to cents',
    description: 'As an accountant, I want totals that add up.',
    acceptanceCriteria: [
      'A total of 10.005 becomes 10.01 (half up)',
      'The sum of the rounded lines equals the printed total',
      'Property test: for 1,000 random invoices both hold',
      'tsc --noEmit exits 0',
    ],
  },
  {
    title: 'Add a --json flag to the list command',
    description: 'As a script author, I want machine-readable output.',
    acceptanceCriteria: [
      '`list --json` prints one JSON array and nothing else on stdout',
      'Errors go to stderr with exit code 1',
      'An empty list prints []',
      'Tests cover an empty list and two items',
      'cargo check passes',
    ],
    checks: ['cargo test list_json'],
  },
  {
    title: 'Store users with a hashed password',
    description: 'As a developer, I need a users table so that people can log in later.',
    acceptanceCriteria: [
      'Migration creates users(id, email unique, password_hash, created_at)',
      'hash() uses argon2id; verify() returns false for a wrong password',
      'pytest tests/test_users.py passes',
      'mypy passes',
    ],
    checks: ['pytest tests/test_users.py'],
  },
  {
    title: 'Move the date helpers into `src/dates.ts`',
    description: 'As a developer, I want one place for date formatting.',
    acceptanceCriteria: [
      'src/dates.ts exports formatDay and formatTime',
      'No other file calls Intl.DateTimeFormat (grep finds none)',
      'Existing tests are green',
      'Typecheck passes',
    ],
  },
  {
    title: 'Refactor `parseDate` to return a result instead of throwing',
    description: 'As a developer, I want callers to see that parsing can fail.',
    acceptanceCriteria: [
      'parseDate returns { ok: true, value } or { ok: false, reason }',
      'All callers compile without a cast',
      'Tests cover a valid date, 2025-02-30 and an empty text',
      'Typecheck passes',
    ],
  },
  {
    title: 'Show an empty state when there are no tasks',
    description: 'As a new user, I want to know what to do first.',
    acceptanceCriteria: [
      "With no tasks the list shows the text 'No tasks yet' and a button 'Add a task'",
      'The button opens the form',
      'Verify in browser with an empty database',
      'Typecheck passes',
    ],
  },
  {
    title: 'Add columns name, email and phone to the contacts table',
    description: 'As a developer, I need to store how a contact can be reached.',
    acceptanceCriteria: [
      'contacts has name (not null), email and phone (nullable)',
      'The migration can be rolled back',
      'npm run typecheck passes',
    ],
  },
  {
    title: 'Limit log-in attempts per address',
    description: 'As an operator, I want brute force to be slow.',
    acceptanceCriteria: [
      'The sixth failed attempt from one address within 15 minutes is answered with 429 and Retry-After',
      'A successful log-in sets the count back to 0',
      'Tests with a fake clock cover the fifth, the sixth and the first after 15 minutes',
      'Typecheck passes',
    ],
  },
  {
    title: 'Link the dashboard to the new reports page',
    description: 'As a manager, I want to reach the reports from where I start.',
    acceptanceCriteria: [
      "The dashboard has a link 'Reports' that leads to /reports",
      'Users without the role manager do not see it',
      'Component test for both roles',
      'Verify in browser as manager',
      'Typecheck passes',
    ],
  },
  {
    title: 'Reject uploads over 5 MB',
    description: 'As an operator, I want a bound on what is stored.',
    acceptanceCriteria: [
      'POST /files with 5 MB and one byte is answered with 413 and the body {"error":"too_large"}',
      'Exactly 5 MB is accepted',
      'Nothing is left in the temp folder after a refusal',
      'Tests for both sizes',
      'go vet passes',
    ],
  },
  {
    title: 'Log each request with its duration',
    description: 'As an operator, I want to see slow requests.',
    acceptanceCriteria: [
      'Each request writes one JSON line with method, path, status and durationMs to stdout',
      'Query strings are left out',
      'A test reads the line of GET /health',
      'Typecheck passes',
    ],
  },
  {
    title: 'Sort the task list by due date',
    description: 'As a user, I want to see first what is due first.',
    acceptanceCriteria: [
      'GET /tasks?sort=due returns tasks by due date, tasks without one last',
      'Two tasks of the same date keep the order of their ids',
      'Tests cover three dates, a tie and no date',
      'Typecheck passes',
    ],
  },
  {
    title: 'Make the save button keyboard accessible',
    description: 'As a keyboard user, I want to save without a mouse.',
    acceptanceCriteria: [
      'Tab reaches the button after the last field; Enter and Space save',
      'The focus ring has a contrast of at least 3:1',
      'axe reports no violation on /tasks/new (Playwright test)',
      'Typecheck passes',
    ],
  },
  {
    title: 'Fix the crash on an empty config file',
    description: 'As a user, I want a message instead of a stack trace.',
    acceptanceCriteria: [
      'With an empty config file the program prints "config.yml is empty" and exits with 2',
      'A regression test runs the program with an empty file',
      'Typecheck passes',
    ],
  },
  {
    title: 'Send a reminder mail one day before the due date',
    description: 'As a user, I want to be reminded.',
    acceptanceCriteria: [
      'A job at 08:00 UTC queues one mail per task that is due tomorrow',
      'Running the job twice queues no second mail',
      'Tests with a fixed clock cover today, tomorrow and the day after',
      'Typecheck passes',
    ],
  },
  {
    title: 'Add dark mode toggle to the settings page',
    description: 'As a user, I want to choose between a light and a dark look.',
    acceptanceCriteria: [
      'The settings page has a switch labelled "Dark mode"',
      'The choice is in localStorage and holds after a reload',
      'Verify in browser: both themes on /settings and /tasks',
      'Typecheck passes',
    ],
  },
  {
    title: 'Create the `audit_log` table',
    description: 'As a developer, I need to record who changed what.',
    acceptanceCriteria: [
      'audit_log(id, at, actor, action, target) exists after the migration',
      'An index on (target, at) exists',
      'Typecheck passes',
    ],
  },
  {
    title: 'Cache the exchange rates for one hour',
    description: 'As a user, I want prices without waiting for the provider.',
    acceptanceCriteria: [
      'A second call within 60 minutes makes no request (the test counts them)',
      'After 60 minutes the next call asks again',
      'If the provider fails, the cached rate is used and a warning is logged',
      'Typecheck passes',
    ],
  },
  {
    title: 'Aufgaben nach Fälligkeit sortieren',
    description: 'Als Nutzer möchte ich zuerst sehen, was zuerst fällig ist.',
    acceptanceCriteria: [
      'GET /tasks?sort=due liefert die Aufgaben nach Datum, ohne Datum zuletzt',
      'Tests decken drei Daten und keines ab',
      'Typprüfung läuft ohne Fehler',
    ],
  },
  {
    title: 'Write the README section on installation',
    description: 'As a newcomer, I want to get it running in five minutes.',
    acceptanceCriteria: [
      'README.md has a section "Installation" with the commands for npm and Docker',
      'Each command of the section was run in a clean container (log in docs/install.log)',
      'Typecheck passes',
    ],
  },
];
