import { describe, expect, it } from 'vitest';
import { seen } from './linting.ts';

/** Criteria that a stranger can decide, though words stand in them that others are vague with. */
const decidable = [
  'The error message names the missing field',
  'The list is empty when nothing matches',
  'A better match comes first',
  'The newest entry is on top',
  'Clicking "Save" twice saves once',
  'Files larger than the limit are refused',
  'The layout does not change when the sidebar opens',
  'Each error is written to stderr',
  'A user without rights sees the page without the button',
  'The name is trimmed before it is saved',
  'Existing tests still pass',
  'The old function is gone',
  'The token is stored as a hash, never in plain text',
  'Clear the cache after each test',
  'The Clear button empties the form',
  'A clear text password is never logged',
  'Help text is shown below the field',
  'Data is deleted from all tables',
  'Each event is logged with its id',
  'The order is the same as in the file',
  'The result is easier than before to compare with `diff`',
  'The same input gives the same output',
  'Errors are handled by the error boundary, which shows "Try again"',
  'The log shows which file was skipped',
  'The default is off',
  'The page is accessible without a login',
  'The page is accessible at /status',
  'Names are unique within a team',
  'The import stops at the first error',
  'The old name keeps working and prints a warning',
  'Unknown keys are ignored',
  'The mail goes to the owner only',
  'All members get the mail',
  'The index is used (EXPLAIN shows no Seq Scan)',
  'Keyboard: Tab reaches each button in order',
  'Screen readers announce the new count (aria-live)',
  'A reload keeps the filter',
  'The branch is named after the story',
  'Consistent with the API of v1: same keys',
  'Formats other than PNG are refused',
  'Different users see different lists',
  'Multiple tags are separated by commas',
  'Several files can be chosen at once',
  'High contrast mode uses the system colors',
  'The good path and the error path have a test each',
  'Enough stock: the order is confirmed; otherwise it is refused',
  "Full name is shown, cut after the card's width",
  'The test fails when the guard is removed',
  'Reusable by id: a second call gives the same object',
  'Fast mode can be switched off in the settings',
  'The quick filter has the options All and Mine',
  'The secure flag is set on the cookie',
  'Relevant only for admins: others do not see the tab',
  'The proper noun list is read from nouns.txt',
  'The reset link logs the user out everywhere',
  'Ein zweiter Klick ändert nichts',
  'Die Übersicht zeigt alle offenen Aufträge',
  'Ohne Netz erscheint der Hinweis',
  'La lista se ordena por fecha',
  'Sin resultados se muestra el aviso',
];

/** Criteria that anything meets, or nothing. */
const vague = [
  'Works on all devices',
  'UI is polished',
  'Handles all inputs',
  'Error handling is in place',
  'Proper validation',
  'Data is displayed nicely',
  'Looks great on mobile',
  'Good UX',
  'Code quality is high',
  'Well tested',
  'Everything is documented',
  'Should be fast',
  'The user can easily find things',
  'Optimize performance',
  'Make it robust',
  'No bugs',
  'No regressions',
  'Improve accessibility',
  'The design matches the rest of the app',
  'Support common formats',
  'Edge cases are covered',
  'Responsive design',
  'Reasonable defaults',
  'The feature is complete',
  'Smooth animations',
  'Appropriate error messages',
  'Tests are added',
  'Handle errors gracefully',
  'Clean code',
  'The API is well designed',
  'Sollte schnell sein',
  'Fehler werden sinnvoll behandelt',
  'Funciona bien en todos los navegadores',
  'Works like Trello',
  'The page loads faster',
  'Users are happy',
  'Errors are handled',
  'Good error messages',
  'Consistent spacing',
  'Code is cleaner and more maintainable',
  'Sufficient test coverage',
  'Search works as users expect',
  'Performance is acceptable',
  'Follows security standards',
  'Passwords are stored safely',
  'The site is mobile friendly',
  'Important events are logged',
  'Logs are useful',
  'User can export the report in various formats',
  'Hint is shown at the right time',
  'Hint is not annoying',
  'Kommentare funktionieren einwandfrei',
  'Die Oberfläche ist ansprechend',
  'The form is accessible',
  'Remove unnecessary code',
  'Simplify where possible',
];

const about = (title: string, ...acceptanceCriteria: string[]): string[] =>
  seen([
    { title, acceptanceCriteria: [...acceptanceCriteria, 'Tests cover it', 'Verify in browser', 'Typecheck passes'] },
  ]);

describe('the words of criteria', () => {
  it.each(decidable)('%s', (criterion) => expect(about('Print 1', criterion)).toEqual([]));

  it.each(vague)('%s: vague', (criterion) =>
    expect(about('Print 1', criterion)).toEqual(['vague-criterion userStories[0].acceptanceCriteria[0]']),
  );
});

describe('an empty file', () => {
  it('may be what is read, and something is given out', () =>
    expect(about('Count words', 'An empty file prints 0', 'A missing file exits with 2')).toEqual([]));

  it('gives nothing out where it is what is made', () =>
    expect(about('Print', 'Make an empty file `a.js` that prints 1')).toEqual([
      'contradictory-criteria userStories[0].acceptanceCriteria[0]',
    ]));
});

describe('four things in one title', () => {
  it('are too big where they are to be made', () => {
    expect(about('Implement payments, invoices, refunds and reminders')).toEqual(['too-big userStories[0].title']);
    expect(about('Build pages, menus, mails and a feed')).toEqual(['too-big userStories[0].title']);
  });

  it('are none where they are shown, or parts of one thing', () => {
    expect(about('Show name, date, amount and status in the list')).toEqual([]);
    expect(about('Create a mail with name, date, amount and number')).toEqual([]);
    expect(about('Add name, date, amount and status')).toEqual([]);
  });
});
