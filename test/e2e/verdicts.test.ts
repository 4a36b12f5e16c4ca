/** What ralph concludes after an iteration, and what follows from it. */
import { expect, test } from 'vitest';
import { createWorld } from './world.ts';

test('rejected work is out of the tree but kept, and the next agent hears the gate, its output and where to look', async () => {
  const w = createWorld({
    config: { gates: [{ name: 'colours', run: 'if [ -e BAD ]; then echo "E4711 no colour"; exit 1; fi' }] },
    files: { 'old.txt': 'old\n' },
    agent(a) {
      if (a.call === 1) {
        a.write('BAD', 'x');
        a.write('README.md', 'agent\n');
        a.remove('notes.txt');
        a.write('old.txt', 'back\n');
        a.git('add', 'BAD');
        a.git('commit', '--quiet', '--message', 'too early');
        a.sh('chmod -x mine.sh; rm link; echo text > link');
      }
      if (a.call === 2) a.say('Let me think.');
      else a.solve();
    },
  });
  w.write('README.md', '# edited by the user\n');
  w.write('notes.txt', 'mine\n');
  w.write('mine.sh', '#!/bin/sh\n', 0o755);
  w.sh('ln -s nowhere link');
  w.remove('old.txt');
  const before = w.status();

  (await w.loop(2)).exits(1);
  expect(w.verdicts()).toEqual(['rejected', 'unfinished']);
  expect(
    w
      .status()
      .replaceAll(/.*(prd\.json|progress\.txt)\n?/gu, '')
      .trimEnd(),
  ).toBe(before);
  expect(w.read('README.md')).toBe('# edited by the user\n');
  expect(w.sh('readlink link; ls -l mine.sh | cut -c1-10')).toBe('nowhere\n-rwxr-xr-x\n');
  expect(w.subjects()).toEqual(['base']);
  expect(w.story('US-001').ralph?.attempts).toBe(1);
  const [ref = ''] = w.rescueRefs();
  expect(ref).toBe(`refs/ralph/${w.runs()[0]}/001`);
  expect(w.event('rescue.saved').map((event) => event.ref)).toEqual([ref]);
  expect(w.tree(ref)).toEqual(expect.arrayContaining(['BAD', 'src/US-001.txt']));
  expect(w.git('log', '--format=%s', ref)).toContain('too early');
  expect(w.read(`${w.run()}/001/gate-colours.log`)).toBe('E4711 no colour\n');
  const prompt = w.calls()[1]?.prompt ?? '';
  for (const part of ['rejected', 'colours', 'E4711 no colour', `git show ${ref}`]) expect(prompt).toContain(part);
  expect(w.calls()[0]?.prompt).not.toContain('What was wrong last time');
  (await w.loop(1)).exits(0);
  expect(w.subjects()).toEqual(['feat: [US-001] - Story 1', 'base']);
});

test('checks bind a story, and the checks of earlier ones bind it, too; with green checks no tick is needed', async () => {
  const w = createWorld({
    stories: [
      { checks: ['true', 'grep -q right src/US-001.txt || { echo C0815 >&2; exit 3; }'] },
      { checks: ['test -f two'] },
    ],
    agent(a) {
      if (a.call === 1) {
        a.write('src/US-001.txt', 'wrong');
        a.tick('US-001');
      }
      if (a.call === 2) a.write('src/US-001.txt', 'right');
      if (a.call === 3) {
        a.remove('src/US-001.txt');
        a.tick('US-002');
      }
      if (a.call >= 3) a.write('two', 'x');
      a.say('worked on it');
    },
  });
  (await w.loop(9)).exits(0);
  expect(w.verdicts()).toEqual(['rejected', 'passed', 'rejected', 'passed']);
  expect(w.calls()[1]?.prompt).toContain('C0815');
  expect(w.event('story.rejected')[1]).toMatchObject({
    story: 'US-002',
    reason: expect.stringContaining('US-001') as string,
  });
  expect(w.calls()[3]?.prompt).toMatch(/it breaks US-001 \(Story 1\), which had passed/u);
  expect(w.tree()).toEqual(expect.arrayContaining(['src/US-001.txt', 'two']));
});

test('--regressions off: only the own checks of a story count', async () => {
  const w = createWorld({
    stories: [{ checks: ['test -f src/US-001.txt'] }, { checks: ['test -f src/US-002.txt'] }],
    agent(a) {
      if (a.call === 2) a.remove('src/US-001.txt');
      a.solve();
    },
  });
  (await w.loop(2, '--regressions', 'off')).exits(0);
  expect(w.tree()).not.toContain('src/US-001.txt');
});

test('attempts used up block a story, a block outlives the run, and a rewritten story or `unblock` frees it', async () => {
  const w = createWorld({
    stories: [{}, { dependsOn: ['US-001'] }, {}],
    agent(a) {
      if (a.story === 'US-001' && !a.exists(`${a.home}/cured`)) {
        a.write('BROKEN', 'x');
        a.write(`try-${a.call}.txt`, 'x');
        a.commit('a try');
      }
      a.solve();
    },
  });
  const r = (await w.loop(9, '--max-attempts', '2')).exits(3);
  expect(w.order()).toEqual(['US-001', 'US-001', 'US-003']);
  expect(w.passes()).toEqual([false, false, true]);
  expect(w.story('US-001').ralph).toMatchObject({ attempts: 2, blocked: expect.stringContaining('sound') as string });
  expect(w.story('US-002').ralph?.blocked).toBeUndefined();
  expect(w.event('story.blocked').map((event) => event.story)).toEqual(['US-001']);
  expect(r.out).toMatch(/US-002.*waits for.*US-001/u);
  for (const n of [1, 2]) expect(w.git('log', '--format=%s', w.rescued(`try-${n}.txt`) ?? '')).toContain('a try');

  expect((await w.loop(9)).exits(3).out).toContain('ralph unblock US-001');
  expect(w.calls()).toHaveLength(3);
  expect((await w.ralph('status')).exits(0).out).toMatch(/US-001[^]*sound/u);

  (await w.ralph('unblock', 'US-999')).exits(2);
  (await w.ralph('unblock', 'US-001')).exits(0);
  expect(w.story('US-001').ralph?.blocked).toBeUndefined();
  (await w.loop(1, '--max-attempts', '1')).exits(3);
  expect(w.calls()).toHaveLength(4);

  w.mark('cured');
  w.write('prd.json', w.read('prd.json').replace('The file exists', 'The file is there'));
  (await w.loop(9, '--max-attempts', '1')).exits(0);
  expect(w.story('US-001').ralph?.blocked).toBeUndefined();
});

test('BLOCKED in the last words or in fresh notes blocks at once; old notes and a tick beside it do not', async () => {
  const w = createWorld({
    stories: [{ notes: 'BLOCKED until the schema is merged (it is now)' }, {}, {}, {}],
    agent(a) {
      if (a.story === 'US-001' && a.call === 1) a.say('Read the schema first.');
      else if (a.story === 'US-002')
        a.say('I looked everywhere.\n\n<promise>BLOCKED: no key for the sandbox</promise>');
      else if (a.story === 'US-003') {
        a.solve();
        a.note('US-003', 'BLOCKED: look at the badge by hand');
        a.note('US-004', 'BLOCKER: no database');
      } else a.solve();
    },
  });
  const r = (await w.loop(9)).exits(3);
  expect(w.order()).toEqual(['US-001', 'US-001', 'US-002', 'US-003']);
  expect(w.verdicts()).toEqual(['unfinished', 'passed', 'blocked', 'passed']);
  expect(w.passes()).toEqual([true, false, true, false]);
  expect(w.story('US-002').ralph).toMatchObject({ blocked: 'no key for the sandbox' });
  expect(w.story('US-004').ralph?.blocked).toContain('no database');
  expect(r.out).toContain('no key for the sandbox');
  expect(w.git('show', 'HEAD:prd.json')).toContain('look at the badge by hand');
  expect(w.event('state.restored')).toEqual([]);
});

test('a passed story that the agent opens, or whose check is red before the run, is open and worked on', async () => {
  const w = createWorld({
    stories: [{ passes: true }, { passes: true, checks: ['test -e src/US-002.txt'] }, {}],
    agent(a) {
      if (a.call === 2) a.tick('US-001', false);
      a.solve();
    },
  });
  (await w.loop(9)).exits(0);
  expect(w.order()).toEqual(['US-002', 'US-003', 'US-001']);
  expect(w.event('claim.withdrawn').map((event) => [event.story, event.by])).toEqual([
    ['US-002', 'check'],
    ['US-001', 'agent'],
  ]);
  expect(w.event('story.rejected')).toEqual([]);
});

test('what must not be in git is rejected with the cure: dependency folders, secrets, huge files', async () => {
  const w = createWorld({
    stories: [{}],
    agent(a) {
      if (a.call === 1) a.write('node_modules/left/index.js', 'x');
      if (a.call === 2) a.write('config/.env.local', 'TOKEN=x');
      if (a.call === 3) {
        a.write('id_rsa', 'x');
        a.commit('a key');
      }
      if (a.call === 4) a.write('big.bin', new Uint8Array(51 * 1024 * 1024));
      if (a.call === 5) {
        a.write('node_modules/left/index.js', 'x');
        a.write('.gitignore', 'node_modules/\n');
        a.write('.env.example', 'TOKEN=\n');
      }
      a.solve();
    },
  });
  (await w.loop(9, '--max-attempts', '9')).exits(0);
  expect(w.verdicts()).toEqual(['rejected', 'rejected', 'rejected', 'rejected', 'passed']);
  for (const [at, name] of ['node_modules', '.env.local', 'id_rsa', 'big.bin'].entries()) {
    expect(w.calls()[at + 1]?.prompt).toContain(name);
    expect(w.calls()[at + 1]?.prompt).toContain('.gitignore');
  }
  expect(w.tree()).toEqual(expect.arrayContaining(['.gitignore', '.env.example']));
  expect(
    [...w.rescueRefs(), 'HEAD'].flatMap((rev) => w.tree(rev)).filter((file) => file.startsWith('node_modules')),
  ).toEqual([]);
});
