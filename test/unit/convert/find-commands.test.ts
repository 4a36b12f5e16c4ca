import { describe, expect, it } from 'vitest';
import { readDocument } from '../../../src/convert/read-document.ts';

/** The checks of a story with this criterion. */
function checksOf(criterion: string): readonly string[] | undefined {
  const { stories } = readDocument(`## User Stories\n### US-001: One\n**Acceptance Criteria:**\n- ${criterion}\n`);
  return stories[0]?.checks;
}

describe('commands in criteria that are checks', () => {
  it.each([
    ['`npm test -- due-date` passes', ['npm test -- due-date']],
    ['`npm run typecheck`', ['npm run typecheck']],
    ['Run `pytest tests/test_due.py`', ['pytest tests/test_due.py']],
    ['Tests pass: `cargo test due`', ['cargo test due']],
    ['`go vet ./...` and `go test ./...` pass', ['go vet ./...', 'go test ./...']],
    ['`grep -q due_on db/schema.sql` exits with 0', ['grep -q due_on db/schema.sql']],
    ['`tsc` reports no errors', ['tsc']],
    ['The command `make check` succeeds.', ['make check']],
    ['`CI=1 pnpm vitest run due` is green', ['CI=1 pnpm vitest run due']],
  ])('%s', (criterion, checks) => expect(checksOf(criterion)).toEqual(checks));
});

describe('criteria that only name a command', () => {
  it.each([
    '`npm run build` prints the version',
    '`node cli.js --bad` fails',
    '`npm test` does not pass without the key',
    '`npm test` passes on Windows after the change to the paths',
    '`npm start` passes',
    '`npm run dev`',
    '`npm install` succeeds',
    '`vitest --watch`',
    '`GET /tasks` passes',
    '`priority` is green',
    '`npm run <script>` passes',
    '`npm run test:...` passes',
    'Add `npm test`',
    '`npm test` passes and `priority` is set',
    '`node cli.js --bad` exits with 2',
    'Typecheck passes',
  ])('%s', (criterion) => expect(checksOf(criterion)).toEqual([]));
});

describe('the label Checks', () => {
  const under = (text: string): readonly string[] | undefined =>
    readDocument(`## User Stories\n### US-001: One\n**Acceptance Criteria:**\n- A\n\n**Checks:** ${text}\n`).stories[0]
      ?.checks;

  it.each([
    ['\n\n- `npm test -- a`\n- `./own-script "b c"`', ['npm test -- a', './own-script "b c"']],
    ['`npm test -- a`, `npm test -- b`', ['npm test -- a', 'npm test -- b']],
    ['npm test -- a', ['npm test -- a']],
    ['\n\n```sh\nnpm test -- a\n# no\n$ npm test -- b\n```', ['npm test -- a', 'npm test -- b']],
    ['None.', []],
  ])('%j', (text, checks) => expect(under(text)).toEqual(checks));

  it('words that are no command become a criterion', () => {
    const [story] = readDocument('## User Stories\n### US-001: One\n- A\n\n**Checks:** look at it twice\n').stories;
    expect([story?.checks, story?.criteria.map(({ text }) => text)]).toEqual([
      [],
      expect.arrayContaining(['look at it twice']),
    ]);
  });
});
