/** progress.txt: nothing of it is lost, ralph adds its own entry, and however long it grows the prompt stays small. */
import { expect, test } from 'vitest';
import { createWorld } from './world.ts';

const header = '# Ralph Progress Log\nBranch: ralph/feature\nStarted: Mon Jan  6 10:00:00 UTC 2025\n---\n';
const entry = (name: string, text: string): string => `\n## ${name}\n- ${text}\n---\n`;
const count = (text: string, part: string): number => text.split(part).length - 1;

test('a missing log is made, and each iteration adds an entry that is part of the commit', async () => {
  const w = createWorld({
    agent(a) {
      if (a.call === 1) a.write('BROKEN', 'x');
      a.write('src/a.txt', 'x');
      a.tick(a.story);
      a.say('done');
    },
    stories: [{}],
  });
  (await w.loop(1)).exits(1);
  w.remove('BROKEN');
  (await w.loop(1)).exits(0);
  const log = w.read('progress.txt');
  expect(log).toMatch(/^# Ralph Progress Log\nBranch: ralph\/feature\nStarted: .+\n---\n/u);
  expect(log).toMatch(
    /verdict of ralph: rejected\n[^]*the gate sound failed[^]*refs\/ralph\/[^]*verdict of ralph: passed/u,
  );
  expect(w.git('show', 'HEAD:progress.txt')).toBe(log.replace(/\n$/u, ''));
});

test('a log that the agent replaced comes back in front of what is new; the patterns may be rewritten', async () => {
  const patterns = '\n## Codebase Patterns\n- use tabs\n- no tests\n\n---\n';
  const w = createWorld({
    stories: [{}, {}],
    files: {
      'progress.txt': `${header}${patterns}${entry('ONE', 'ports start at 4000')}${entry('TWO', 'needs a database')}`,
    },
    agent(a) {
      if (a.call === 1)
        a.write('progress.txt', a.read('progress.txt').replace('- use tabs\n- no tests', '- tabs, and tests first'));
      if (a.call === 2) a.write('progress.txt', '## NEW\n- started over\n---\n');
      a.write(`src/${a.story}.txt`, 'x');
      a.tick(a.story);
      a.say('done');
    },
  });
  const r = (await w.loop(2)).exits(0);
  const log = w.read('progress.txt');
  for (const part of [
    '- tabs, and tests first',
    'ONE\n- ports start at 4000',
    'TWO\n- needs a database',
    'NEW\n- started over',
  ]) {
    expect([part, count(log, part)]).toEqual([part, 1]);
  }
  expect(count(log, '- no tests')).toBe(0);
  expect(log).toMatch(/^# Ralph Progress Log\n[^]*ONE[^]*TWO[^]*NEW/u);
  expect(w.event('state.restored').map((event) => [event.iteration, event.file])).toEqual([[2, 'progress.txt']]);
  expect(r.out).toMatch(/progress\.txt was put back/u);
});

test('of a log of 5 MB the prompt carries the patterns and the newest entries alone', async () => {
  const w = createWorld();
  const filler = Array.from({ length: 5_000 }, (_, at) => entry(`filler ${at}`, 'x'.repeat(1_000))).join('');
  const patterns = '\n## Codebase Patterns\n- money is in cents\n\n---\n';
  w.write('progress.txt', `${header}${patterns}${entry('FIRST', 'the oldest')}${filler}${entry('LAST', 'the newest')}`);
  (await w.loop(1)).exits(0);
  const prompt = w.calls()[0]?.prompt ?? '';
  expect(Buffer.byteLength(prompt)).toBeLessThan(80_000);
  expect(prompt).toContain('money is in cents');
  expect(prompt).toContain('LAST\n- the newest');
  expect(prompt).not.toContain('FIRST');
  expect(w.read('progress.txt')).toMatch(/FIRST[^]*filler 4999[^]*solved US-001/u);
});
