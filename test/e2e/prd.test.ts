/** prd.json: bad input stops early, harmless variation does not, and what the agent may not change is put back. */
import { expect, test } from 'vitest';
import { prdText } from './setting.ts';
import { createWorld } from './world.ts';

test('bad input: exit 2 with place and cure, before anything is started or written', async () => {
  const w = createWorld({ prd: '{\n  "userStories": [\n    { "id": "A", "title": , "passes": false }\n  ]\n}\n' });
  const refused = async (text: string, ...words: (RegExp | string)[]): Promise<void> => {
    w.write('prd.json', text);
    const r = (await w.loop(2)).exits(2);
    expect(r.out).toBe('');
    for (const word of words) expect(r.err).toMatch(word);
    expect(w.read('prd.json')).toBe(text);
  };
  await refused(w.read('prd.json'), /prd\.json:3:27/u);
  await refused(
    '{"prd":{"userStories":[{"id":"A","title":"T","passes":"no"}]}}',
    /ralph convert/u,
    /"?prd"?/u,
    /passes/u,
  );
  await refused('{"tasks":[{"id":"A","title":"T","passes":false}]}', 'tasks', 'userStories', /ralph convert/u);
  await refused('{"userStories":[]}', 'userStories');
  await refused(
    prdText([{}, { id: 'US-001' }, { title: '' }, { passes: 'true' }, { dependsOn: ['nobody'] }]),
    /userStories\[1\]\.id/u,
    /userStories\[2\]\.title/u,
    /userStories\[3\]\.passes/u,
    /userStories\[4\]\.dependsOn/u,
  );
  await refused(prdText([{ dependsOn: ['US-002'] }, { dependsOn: ['US-001'] }]), 'dependsOn', /US-001.*US-002/u);
  await refused(prdText([{}], { branchName: '--orphan' }), 'branchName');
  expect(w.calls()).toEqual([]);
  expect(w.exists('.ralph')).toBe(false);
  expect(w.git('branch', '--format=%(refname:short)')).toBe('main');
});

test('odd ids, unknown keys and missing optional keys are fine and keep their bytes; priority decides the order', async () => {
  const prd = `{
  "$comment": "by hand", "branchName": "ralph/feature",
  "userStories": [
    { "id": "login form/3", "title": "Odd id", "status": "todo", "priority": 2, "passes": false, "estimate": { "points": 5 } },
    { "title": "Other order of keys", "labels": ["ui", "sp\\u00e4ti"], "passes": false, "id": "ÄÖ 1", "priority": 1 },
    { "id": "last", "title": "No priority" },
    { "id": "tie", "title": "Same priority", "passes": false, "priority": 1 }
  ]
}
`;
  const w = createWorld({
    prd,
    agent(a) {
      a.write(`src/${a.call}.txt`, 'x');
      a.tick(a.story);
      a.say('done');
    },
  });
  const r = (await w.loop(9)).exits(0);
  expect(w.order()).toEqual(['ÄÖ 1', 'tie', 'login form/3', 'last']);
  expect(r.out).toMatch(/userStories\[2\]\.passes/u);
  expect(w.subjects()).toContain('feat: [ÄÖ 1] - Other order of keys');
  const text = w.read('prd.json');
  for (const part of [
    '{\n  "$comment": "by hand", "branchName"',
    '"labels": ["ui", "sp\\u00e4ti"], "passes": true, "id"',
    '{ "points": 5 }',
  ]) {
    expect(text).toContain(part);
  }
});

test('byte order mark and CRLF stay; a write-protected file is no obstacle', async () => {
  const w = createWorld({
    prd: `\uFEFF${prdText([{ checks: ['test -e done.txt'] }]).replaceAll('\n', '\r\n')}`,
    agent(a) {
      a.write('done.txt', 'x');
      a.say('prd.json is write-protected, so there is no tick.');
    },
  });
  w.sh('chmod 444 prd.json');
  (await w.loop(1)).exits(0);
  const text = w.read('prd.json');
  expect(text).toMatch(/^\uFEFF\{\r\n {2}"project": "Test",\r\n/u);
  expect(text).not.toMatch(/[^\r]\n/u);
  expect(text.endsWith('}\r\n')).toBe(true);
  expect(w.passes()).toEqual([true]);
  expect(w.sh('ls -l prd.json')).toMatch(/^-r--r--r--/u);
});

test('what an agent may not change is put back and told, and its claim is judged all the same', async () => {
  const w = createWorld({
    stories: [{}, {}, {}, {}, {}],
    agent(a) {
      const prd = JSON.parse(a.read('prd.json')) as { userStories: { acceptanceCriteria: string[] }[] };
      const first = `${a.home}/first.json`;
      if (a.call === 1) {
        a.write(first, a.read('prd.json'));
        a.solve();
      }
      if (a.call === 2) {
        a.write('src/half.txt', 'x');
        a.write('prd.json', `${a.read('prd.json').slice(0, 150)} <<< cut here`);
        a.say('done');
      }
      if (a.call === 3) {
        prd.userStories.splice(2);
        a.write('prd.json', JSON.stringify(prd));
        a.solve();
        a.say(a.sentinel);
      }
      if (a.call === 4) {
        for (const story of prd.userStories) story.acceptanceCriteria = ['It exists'];
        a.write('prd.json', JSON.stringify(prd));
        a.solve();
      }
      if (a.call === 5) {
        a.write('prd.json', a.read(first));
        a.solve();
      }
      if (a.call === 6) {
        a.write('src/last.txt', 'x');
        a.remove('prd.json');
        a.say('gone');
      }
      if (a.call === 7) a.solve();
    },
  });
  (await w.loop(9)).exits(0);
  expect(w.verdicts()).toEqual(['passed', 'unfinished', 'passed', 'passed', 'passed', 'unfinished', 'passed']);
  const restored = w.event('state.restored');
  expect(restored.map((event) => [event.iteration, event.file])).toEqual([2, 3, 4, 5, 6].map((n) => [n, 'prd.json']));
  expect(w.read(restored[0]?.kept ?? '')).toContain('<<< cut here');
  expect(w.calls()[2]?.prompt).toMatch(/prd\.json was put back/u);
  expect(w.event('claim.premature')[0]?.open).toEqual(['US-003', 'US-004', 'US-005']);
  expect(w.passes()).toEqual([true, true, true, true, true]);
  for (const story of w.prd().userStories)
    expect(story.acceptanceCriteria).toEqual(['The file exists', 'Typecheck passes']);
  expect(w.status()).toBe('');
});

test('a tick without a change and without checks is rejected, even when the tick was committed', async () => {
  const w = createWorld({
    agent(a) {
      if (a.call > 1) return a.solve();
      a.tick(a.story);
      a.commit('feat: [US-001] - Story 1');
      a.say('done');
    },
  });
  (await w.loop(2)).exits(0);
  expect(w.verdicts()).toEqual(['rejected', 'passed']);
  expect(w.calls()[1]?.prompt).toMatch(/add a test/iu);
  expect(w.subjects()).toEqual(['feat: [US-001] - Story 1', 'base']);
  expect(w.tree()).toContain('src/US-001.txt');
});

test('an untracked prd.json keeps all state files out of the commits', async () => {
  const w = createWorld({ prd: null });
  w.write('prd.json', prdText([{}]));
  (await w.loop(1)).exits(0);
  expect(w.tree()).toEqual(['README.md', 'ralph.config.json', 'src/US-001.txt']);
  expect(w.passes()).toEqual([true]);
  expect(w.status()).toBe('?? prd.json\n?? progress.txt');
});
