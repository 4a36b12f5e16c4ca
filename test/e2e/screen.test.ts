/** Exactly what a person sees. Times, ids and the width of columns are masked. */
import fs from 'node:fs';
import { expect, test } from 'vitest';
import { createWorld } from './world.ts';

function mask(text: string): string {
  return text
    .replaceAll(/\d{8}-\d{6}-\d{3}-[a-z0-9]{4}/gu, '<run>')
    .replaceAll(/\d+(\.\d)?s(?=[ \n])|\dm \d+s/gu, '<time>')
    .replaceAll(/commit [0-9a-f]{7}/gu, 'commit <id>')
    .replaceAll(/(?<= )[0-9a-f]{7}$/gmu, '<id>')
    .replaceAll(/ {2,}(?=\S)/gu, '  ');
}

/** From the first empty line after the last iteration on. */
const summaryOf = (text: string): string => mask(text).slice(mask(text).lastIndexOf('\nStory '));

test('a whole plain run: start, iterations, verdicts, summary', async () => {
  const w = createWorld({
    stories: [{}, { title: 'Größe 日本' }],
    agent(a) {
      if (a.call === 1) a.write('BROKEN', 'x');
      a.use('Bash', { command: 'npm test' }, 'ok');
      a.solve();
    },
  });
  const r = (await w.loop(5)).exits(0);
  expect(r.err).toBe('');
  expect(mask(r.out)).toBe(`ralph · claude · branch ralph/feature
prd.json · 0 of 2 stories passed · at most 5 iterations
Created the branch ralph/feature from main (0 commits ahead of main)
✓ gate sound · <time>

── 1/5 · US-001 Story 1
├ Bash npm test
│ US-001 is done.
✗ gate sound: exit 1 · <time>
The work is kept: git show refs/ralph/<run>/001
What the agent changed: git diff refs/ralph/<run>/001^1 refs/ralph/<run>/001
✗ US-001 rejected: the gate sound failed with exit code 1 (test ! -e BROKEN)
attempt 1 of 3, it will be tried again

── 2/5 · US-001 Story 1
├ Bash npm test
│ US-001 is done.
✓ gate sound · <time>
✓ US-001 passed · commit <id>

── 3/5 · US-002 Größe 日本
├ Bash npm test
│ US-002 is done.
✓ gate sound · <time>
✓ US-002 passed · commit <id>

Story  Verdict  Attempts  Time  Cost  Commit
US-001 Story 1  passed  2  <time>  $0.02  <id>
US-002 Größe 日本  passed  1  <time>  $0.01  <id>

All 2 stories passed.
Exit 0 (complete) · 3 iterations · <time> · $0.03 · 3.1k tokens
`);
});

test('the summary of a blocked run, quiet: the table, who must act, what to do next', async () => {
  const w = createWorld({
    stories: [{}, { dependsOn: ['US-001'] }, {}],
    agent(a) {
      if (a.story === 'US-001') a.say('<promise>BLOCKED: no key for the sandbox</promise>');
      else a.solve();
    },
  });
  const r = (await w.loop(9, '--quiet')).exits(3);
  expect(r.err).toBe('');
  expect(mask(r.out)).toBe(`Story  Verdict  Attempts  Time  Cost  Commit
US-001 Story 1  blocked  0  <time>  $0.01  -
US-003 Story 3  passed  1  <time>  $0.01  <id>

No story is left that can be worked on: each is blocked or waits for a blocked one. 1 of 3 stories passed.
US-001 blocked: no key for the sandbox
US-002 waits for US-001
Exit 3 (blocked) · 2 iterations · <time> · $0.02 · 2.1k tokens
Next: cure the cause, then: ralph unblock US-001
`);
});

test('the summaries of runs that stalled, met a limit, or used up a budget or their iterations', async () => {
  const w = createWorld({
    stories: [{}, {}],
    agent(a) {
      if (a.call <= 2) a.say('I would begin with the parser.');
      else if (a.call === 3) return a.apiError('Credit balance is too low', { error: 'billing_error', status: 400 });
      else if (a.call === 4) {
        a.cost(2);
        a.solve();
      } else a.say('Hm.');
    },
  });
  const endOf = async (code: number, ...args: string[]): Promise<string> =>
    summaryOf((await w.loop(9, ...args)).exits(code).out);
  expect(await endOf(6, '--max-stalls', '2')).toBe(`
Story  Verdict  Attempts  Time  Cost  Commit
US-001 Story 1  unfinished  0  <time>  $0.02  -

Too many iterations in a row changed nothing or failed. 0 of 2 stories passed.
The last line of claude: I would begin with the parser.
Exit 6 (stalled) · 2 iterations · <time> · $0.02 · 2.1k tokens
Next: read what the agent said: ralph logs
Next: make the story smaller or clearer, then: ralph run
`);
  expect(await endOf(8)).toContain('Credit balance is too low\nExit 8 (limit) · 1 iteration · <time>');
  expect(await endOf(5, '--max-cost', '1')).toBe(`
Story  Verdict  Attempts  Time  Cost  Commit
US-001 Story 1  passed  1  <time>  $2.00  <id>

The limit of cost or duration is reached. 1 of 2 stories passed.
the agents have cost $2.00 of --max-cost 1
Exit 5 (budget) · 1 iteration · <time> · $2.00 · 1.1k tokens
Next: go on: ralph run, with a higher --max-cost or --max-duration
`);
  expect(await endOf(1, '--max-iterations', '1')).toContain(
    'The limit of 1 iteration was reached before all was done. 1 of 2 stories passed.\n',
  );
});

test('--dry-run shows branch, story, gates, checks, command and prompt, and starts and writes nothing', async () => {
  const w = createWorld({
    stories: [{ checks: ['touch PWNED'] }],
    config: { gates: [{ name: 'trap', run: 'touch PWNED' }] },
  });
  const r = (await w.loop(3, '--dry-run', '--model', 'm', '--', '--add-dir', 'x y')).exits(0);
  expect(r.out).toMatch(`Branch: ralph/feature (checked out or created at the start; now on main)
Next story: US-001 - Story 1
Gates:
  trap: touch PWNED
Checks of the story:
  touch PWNED
Command: claude -p --dangerously-skip-permissions --output-format stream-json --verbose --model m --add-dir 'x y'
`);
  expect(r.out).toMatch(/\nPrompt:\n[^]*Iteration 1 of 3\n[^]*Story: US-001 - Story 1\n/u);
  expect(r.err).toBe('');
  expect(w.calls()).toEqual([]);
  expect(w.branch()).toBe('main');
  expect(w.status()).toBe('');
  expect(w.exists('.ralph') || w.exists('.git/ralph') || w.exists('PWNED')).toBe(false);
});

test('--dry-run needs no agent: it says that a run would end with exit code 4', async () => {
  const w = createWorld({ tools: ['plain'] });
  fs.mkdirSync(w.at('../lean'));
  for (const name of ['git', 'sh']) fs.symlinkSync(w.sh(`command -v ${name}`).trim(), w.at(`../lean/${name}`));
  const env = { PATH: w.at('../lean') };
  const shown = (await w.startRalph(['run', '--dry-run'], { env }).done).exits(0);
  expect(shown.out).toContain('Command: claude -p ');
  expect(shown.out).toContain('Warning: claude is not on PATH: a run that started now would end with exit code 4\n');
  const named = (await w.startRalph(['run', '--dry-run', '--tool', 'amp'], { env }).done).exits(0);
  expect(named.out).toContain('Warning: amp is not on PATH');
  (await w.startRalph(['run'], { env }).done).exits(4);
});

test('colours follow NO_COLOR and FORCE_COLOR; control codes of the agent never reach a plain screen', async () => {
  const w = createWorld({
    stories: [{}, {}],
    agent(a) {
      a.say(`\u001B[31mred\u001B[0m \rbar 50%\rbar 100%\u001B[2K`);
      a.solve();
    },
  });
  const plain = (await w.startRalph(['1', '--tool', 'claude'], { env: { NO_COLOR: '1' } }).done).exits(1);
  // eslint-disable-next-line no-control-regex
  expect(plain.text).not.toMatch(/[\u001B\r]/u);
  expect(plain.out).toMatch(/bar 50%\s*\n.*bar 100%/u);
  const coloured = (await w.startRalph(['1', '--tool', 'claude'], { env: { FORCE_COLOR: '1' } }).done).exits(0);
  expect(coloured.out).toContain('\u001B[');
  expect(coloured.out).not.toContain('\u001B[2K');
});
