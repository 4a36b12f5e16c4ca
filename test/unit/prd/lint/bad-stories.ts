import type { WrittenStory } from './good-stories.ts';

export interface BadStory extends WrittenStory {
  /** The rules that must speak, and no others. */
  rules: string[];
}

const typecheck = 'Typecheck passes';
const fine = ['`tool --version` prints the version of package.json', typecheck];

export const badStories: BadStory[] = [
  { rules: ['too-big'], title: 'Build the entire dashboard', acceptanceCriteria: [...fine, 'Verify in browser'] },
  { rules: ['too-big'], title: 'Add authentication', acceptanceCriteria: fine },
  { rules: ['too-big'], title: 'Refactor the API', acceptanceCriteria: fine },
  { rules: ['too-big'], title: 'Build the data model', acceptanceCriteria: fine },
  { rules: ['too-big'], title: 'The settings page', acceptanceCriteria: [...fine, 'Verify in browser: the form'] },
  {
    rules: ['too-big'],
    title: 'Search, sorting and filters for the list',
    acceptanceCriteria: [...fine, 'Tests cover it'],
  },
  { rules: ['too-big'], title: 'Refactor the persistence layer', acceptanceCriteria: fine },
  { rules: ['too-big'], title: 'Implement user management system', acceptanceCriteria: fine },
  { rules: ['too-big'], title: 'Build a notification system with email and push', acceptanceCriteria: fine },
  { rules: ['too-big'], title: 'Add login, registration and password reset', acceptanceCriteria: fine },
  {
    rules: ['too-big'],
    title: 'Create the schema, build the importer and send the report',
    acceptanceCriteria: fine,
  },
  { rules: ['too-big'], title: 'Migrate the whole codebase to TypeScript', acceptanceCriteria: fine },
  {
    rules: ['too-big'],
    title: 'Export a report as CSV',
    acceptanceCriteria: [1, 2, 3, 4, 5, 6, 7].map((n) => `Column ${n} is there`).concat(typecheck),
  },
  {
    rules: ['too-big'],
    title: 'Show the names of the team',
    description: 'The list is read from the server and holds a name for each member of the team. '.repeat(12),
    acceptanceCriteria: fine,
  },
  {
    rules: ['too-big'],
    title: 'Plan importer',
    description: 'As a user, I want the entire import flow.',
    acceptanceCriteria: fine,
  },
  {
    rules: ['vague-criterion'],
    title: 'Export tasks as CSV',
    acceptanceCriteria: ['Export works correctly', typecheck],
  },
  { rules: ['vague-criterion'], title: 'Print the version', acceptanceCriteria: ['Good UX', typecheck] },
  {
    rules: ['vague-criterion'],
    title: 'Add a due date',
    acceptanceCriteria: ['Users can easily set a date', typecheck],
  },
  { rules: ['vague-criterion'], title: 'Import tasks', acceptanceCriteria: ['Handles edge cases', typecheck] },
  { rules: ['vague-criterion'], title: 'Import users', acceptanceCriteria: ['Errors are handled properly', typecheck] },
  { rules: ['vague-criterion'], title: 'Import teams', acceptanceCriteria: ['It behaves as expected', typecheck] },
  { rules: ['vague-criterion'], title: 'Import notes', acceptanceCriteria: ['The import is fast', typecheck] },
  { rules: ['vague-criterion'], title: 'Import files', acceptanceCriteria: ['Follows best practices', typecheck] },
  { rules: ['vague-criterion'], title: 'Import tags', acceptanceCriteria: ['It works', typecheck] },
  { rules: ['vague-criterion'], title: 'Import links', acceptanceCriteria: ['Supports CSV, XML etc.', typecheck] },
  { rules: ['vague-criterion'], title: 'Import dates', acceptanceCriteria: ['Shows an appropriate error', typecheck] },
  { rules: ['no-typecheck'], title: 'Print a greeting', acceptanceCriteria: ['`hello` prints "Hello"'] },
  {
    rules: ['no-browser-check'],
    title: 'Add a priority badge to task cards',
    acceptanceCriteria: ['Each card has a badge with the word high, medium or low', typecheck],
  },
  {
    rules: ['no-browser-check'],
    title: 'Confirm before deleting',
    acceptanceCriteria: ['Clicking Delete opens a modal with the buttons "Delete" and "Keep"', typecheck],
  },
  {
    rules: ['no-tests'],
    title: 'Calculate the discount of an order',
    acceptanceCriteria: ['Orders over 100 EUR get a discount of 5 percent', typecheck],
  },
  {
    rules: ['no-tests'],
    title: 'Validate the email address',
    acceptanceCriteria: ['An address without @ is rejected with 422', typecheck],
  },
  {
    rules: ['contradictory-criteria'],
    title: 'Make hello.js',
    acceptanceCriteria: ['hello.js is an empty file', '`node hello.js` prints "hello"', typecheck],
  },
  {
    rules: ['contradictory-criteria'],
    title: 'Make the start file',
    acceptanceCriteria: ['Create an empty file', 'The file prints Hello World', typecheck],
  },
  {
    rules: ['contradictory-criteria'],
    title: 'List the names',
    acceptanceCriteria: ['Duplicates are removed', 'Duplicates are not removed', typecheck],
  },
  {
    rules: ['contradictory-criteria'],
    title: 'Set the size of a slice',
    acceptanceCriteria: ['The slice size is 20', 'The slice size is 50', typecheck],
  },
  { rules: ['unknown-command'], title: 'Print the date', acceptanceCriteria: ['`npm run smoke` exits 0', typecheck] },
  {
    rules: ['unknown-command'],
    title: 'Print the time',
    acceptanceCriteria: ['Prints the time as HH:MM', typecheck],
    checks: ['npm run check:time'],
  },
  {
    rules: ['no-typecheck', 'too-big', 'vague-criterion'],
    title: 'Implement the complete application',
    acceptanceCriteria: ['Everything works as expected'],
  },
];
