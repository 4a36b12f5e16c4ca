/** The old behaviour, on demand: ticks and the sentinel are believed, but nothing gets lost. */
import { expect, test } from 'vitest';
import { createWorld } from './world.ts';

const nosy = { gates: [{ name: 'nosy', run: 'touch ../GATE-RAN; false' }] };

test('ticks are believed: no gate, no check, no attempt, nothing taken back, and each ticked story is committed', async () => {
  const w = createWorld({
    stories: [{ checks: ['touch ../CHECK-RAN; false'] }, {}],
    config: nosy,
    agent(a) {
      if (a.call !== 2) return a.solve();
      a.write('half.txt', 'x');
      a.say('half of it');
    },
  });
  const r = (await w.loop(9, '--trust')).exits(0);
  expect(w.order()).toEqual(['US-001', 'US-002', 'US-002']);
  expect(w.subjects()).toEqual(['feat: [US-002] - Story 2', 'feat: [US-001] - Story 1', 'base']);
  expect(w.tree()).toEqual(expect.arrayContaining(['half.txt', 'src/US-001.txt', 'src/US-002.txt']));
  expect(r.out).toContain('claimed, not verified');
  expect(w.exists('../GATE-RAN') || w.exists('../CHECK-RAN')).toBe(false);
  expect(w.rescueRefs()).toEqual([]);
  expect(w.status()).toBe('');
});

test('the sentinel as the last line ends the run though stories are open; stories and log entries are guarded all the same', async () => {
  const w = createWorld({
    stories: [{}, {}],
    config: nosy,
    files: { 'progress.txt': '# Ralph Progress Log\n---\n\n## old\n- entry\n---\n' },
    agent(a) {
      a.write(`part-${a.call}.txt`, 'x');
      if (a.call === 1) a.say(`${a.sentinel}\nNo, wait.`);
      if (a.call === 2) {
        a.write('prd.json', '{}');
        a.write('progress.txt', 'gone\n');
        a.say('I tidied up.');
      }
      if (a.call === 3) a.say(a.sentinel);
    },
  });
  w.write('mine.txt', 'mine\n');
  (await w.loop(9, '--trust')).exits(0);
  expect(w.calls()).toHaveLength(3);
  expect(w.reason()).toBe('complete');
  expect(w.passes()).toEqual([false, false]);
  expect(
    w
      .event('state.restored')
      .map((event) => event.file)
      .sort(),
  ).toEqual(['prd.json', 'progress.txt']);
  expect(w.read('progress.txt')).toContain('## old\n- entry\n');
  expect(w.read('mine.txt')).toBe('mine\n');
  for (const n of [1, 2, 3]) expect(w.exists(`part-${n}.txt`)).toBe(true);
});
