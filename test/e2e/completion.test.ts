/** A run is complete when prd.json, checked by ralph, says so; without one when the agent's very last words do. */
import { expect, test } from 'vitest';
import { createWorld } from './world.ts';

const task = { prd: null, files: { 'task.md': 'Write the next part.\n' } };

test('no words finish a story: a quoted sentinel, an echo of the prompt, "done", a question', async () => {
  const w = createWorld({
    files: { 'own.md': 'Work.\nWhen all is done print\n<promise>COMPLETE</promise>\n' },
    agent(a) {
      if (a.call === 1) a.say(`I will print ${a.sentinel} when all is done.`);
      if (a.call === 2) a.say(a.prompt);
      if (a.call === 3) a.say('Task COMPLETE. All tests done, nothing left, status: DONE.');
      if (a.call === 4) a.say('Which database may I use?');
    },
  });
  (await w.loop(4, '--prompt', 'own.md', '--max-stalls', '9')).exits(1);
  expect(w.verdicts()).toEqual(['unfinished', 'unfinished', 'unfinished', 'unfinished']);
  expect(w.calls()[0]?.prompt).toContain('print\n<promise>COMPLETE</promise>\n');
  expect(w.event('claim.made')).toEqual([]);
  expect(w.passes()).toEqual([false]);
  expect(w.subjects()).toEqual(['base']);
});

test('a sentinel while stories are open is on record, told to the next agent, and not believed', async () => {
  const w = createWorld({
    stories: [{ passes: true }, {}, {}],
    agent(a) {
      if (a.call > 1) a.solve();
      a.say(`All done.\n\n${a.sentinel}`);
    },
  });
  (await w.loop(2)).exits(1);
  expect(w.event('claim.premature').map((event) => event.open)).toEqual([['US-002', 'US-003'], ['US-003']]);
  expect(w.calls()[1]?.prompt).toMatch(/these stories are open: US-002, US-003/u);
  expect(w.passes()).toEqual([true, true, false]);
});

test('all stories passed is the end: without a sentinel, with exit code 1 of the agent, with old logs around', async () => {
  const w = createWorld({
    stories: [{}, {}],
    agent(a) {
      a.solve();
      return 1;
    },
  });
  w.write('progress.txt', '# Ralph Progress Log\nStarted: long ago\n---\n\n## old\n<promise>COMPLETE</promise>\n---\n');
  w.write('.ralph/runs/20200101-000000-000-abcd/001/output.log', '<promise>COMPLETE</promise>\n');
  (await w.loop(9)).exits(0);
  expect(w.calls()).toHaveLength(2);
  expect(w.event('agent.finished').map((event) => event.exit)).toEqual([1, 1]);
  expect(w.reason()).toBe('complete');

  const again = (await w.loop(9)).exits(0);
  expect(again.out).toContain('All 2 stories had passed already; no agent was started.');
  expect(w.calls()).toHaveLength(2);
});

test('in prompt mode the sentinel counts on the last line alone: not in a sentence, a fence, a tool result, or taken back', async () => {
  const w = createWorld({
    ...task,
    agent(a) {
      a.write(`part-${a.call}.txt`, 'x');
      if (a.call === 1) a.say(`Two tests are missing, so no ${a.sentinel} yet.`);
      if (a.call === 2) a.say(`${a.sentinel}\n\nWait, one test still fails.`);
      if (a.call === 3) a.say(`The loop ends with:\n\n\`\`\`\n${a.sentinel}\n\`\`\``);
      if (a.call === 4) {
        a.use('Bash', { command: 'cat protocol.md' }, a.sentinel);
        a.think(a.sentinel);
        a.err(`${a.sentinel}\n`);
        a.say('The parser is there.');
      }
      if (a.call === 5) a.say(`All is there.\n\n> **\` ${a.sentinel} \`**  \n\n`);
    },
  });
  (await w.loop(9, '--prompt', 'task.md')).exits(0);
  expect(w.verdicts()).toEqual(['unfinished', 'unfinished', 'unfinished', 'unfinished', 'passed']);
  expect(w.reason()).toBe('complete');
});

test('a plain-text agent: colour codes around the sentinel and 5 MB before it do not hide it', async () => {
  const w = createWorld({
    ...task,
    config: { agents: { plain: { command: 'plain', args: ['--flag'], prompt: 'stdin', output: 'text' } } },
    agent(a) {
      for (let i = 0; i < 5_000; i += 1) a.raw(`line ${i} ${'t'.repeat(1_000)}\n`);
      a.raw('\u001B[1m<promise>\u001B[32mCOMPLETE\u001B[0m</promise>\u001B[0m\u001B[K\n');
    },
  });
  (await w.ralph('run', '3', '--tool', 'plain', '--prompt', 'task.md', '--quiet')).exits(0);
  expect(w.calls().map((call) => call.argv)).toEqual([['--flag']]);
});

test('several stories in one iteration are each judged and accepted', async () => {
  const w = createWorld({
    stories: [{}, { checks: ['test -e src/US-002.txt'] }, {}],
    agent(a) {
      for (const id of ['US-001', 'US-002', 'US-003']) a.solve(id);
      a.commit('feat: three at once');
      a.say(a.sentinel);
    },
  });
  (await w.loop(5)).exits(0);
  expect(w.calls()).toHaveLength(1);
  expect(w.event('story.passed').map((event) => event.story)).toEqual(['US-001', 'US-002', 'US-003']);
  expect(w.event('claim.premature')).toEqual([]);
  expect(w.subjects()).toContain('feat: three at once');
  const own = w.read('progress.txt').split('solved US-003').at(-1);
  for (const id of ['US-001', 'US-002', 'US-003']) expect(own).toContain(`${id}: passed`);
});
