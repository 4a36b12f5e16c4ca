/** The commands around the loop, as they are typed one after another. */
import { expect, test } from 'vitest';
import { createWorld } from './world.ts';

test('init: from a package.json to a config, an example and skills; nothing is overwritten; doctor and a dry run go on from there', async () => {
  const scripts = { lint: 'true', test: 'true' };
  const w = createWorld({ prd: null, config: null, files: { 'package.json': JSON.stringify({ scripts }) } });
  (await w.ralph('doctor', '--tool', 'claude')).exits(2);
  const first = (await w.ralph('init')).exits(0).out;
  expect(JSON.parse(w.read('ralph.config.json'))).toMatchObject({
    gates: [{ run: 'npm run lint' }, { run: 'npm test' }],
  });
  for (const made of ['prd.json', 'ralph.config.json', 'skills/prd/SKILL.md']) expect(first).toContain(made);
  const config = w.read('ralph.config.json');
  w.write('prd.json', w.read('prd.json').replace('TaskApp', 'Mine'));
  expect((await w.ralph('init')).exits(0).out).toMatch(/prd\.json/u);
  expect(w.prd()).toMatchObject({ project: 'Mine' });
  expect(w.read('ralph.config.json')).toBe(config);
  (await w.ralph('check', '--strict')).exits(0);
  expect((await w.ralph('doctor', '--tool', 'claude')).exits(0).out).toMatch(/All is well/u);
  expect((await w.ralph('run', '--dry-run', '--tool', 'claude')).exits(0).out).toContain('npm run lint');
  expect(w.calls()).toEqual([]);
  expect(w.exists('.ralph')).toBe(false);
});

test('doctor exits as a run would: 0, 2 for bad input, 4 without an agent, 2 where both are wrong; it writes nothing', async () => {
  const w = createWorld({ config: { agents: { ghost: { command: './nowhere' } } } });
  const before = w.sh('find . -newer README.md -not -path "./.git/*" | sort; git status --porcelain');
  const good = (await w.ralph('doctor', '--max-stalls', '7')).exits(0);
  expect(good.out).toMatch(/maxStalls +7 +--max-stalls/u);
  expect(good.out).toMatch(/sound +test ! -e BROKEN/u);
  expect((await w.ralph('doctor', '--tool', 'ghost')).exits(4).out).toMatch(/nowhere[^]*exit 4/u);
  w.write('prd.json', '{"userStories": [');
  (await w.ralph('doctor')).exits(2);
  (await w.ralph('doctor', '--tool', 'ghost')).exits(2);
  w.git('checkout', '--', 'prd.json');
  expect(w.sh('find . -newer README.md -not -path "./.git/*" | sort; git status --porcelain')).toBe(before);
});

test('stop: the iteration is finished and counts, then exit 9; a later run is not stopped', async () => {
  const w = createWorld({ stories: [{}, {}], agent: async (a) => (await a.until('go'), a.solve()) });
  expect((await w.ralph('stop')).exits(0).out).toMatch(/nothing to stop/u);
  const loop = w.startLoop(5);
  await w.happened('agent.started');
  expect((await w.ralph('stop')).exits(0).out).toMatch(/ends after this iteration \(iteration 1, US-001\)/u);
  w.mark('go');
  expect((await loop.done).exits(9).out).toMatch(/Stopped by `ralph stop`\. 1 of 2 stories passed/u);
  expect(w.passes()).toEqual([true, false]);
  expect(w.reason()).toBe('stopped');
  expect(w.locked()).toBe(false);
  (await w.loop(5)).exits(0);
});

test('stop --now: the iteration is interrupted, its work is kept, no attempt counts: exit 9', async () => {
  const w = createWorld({ agent: (a) => (a.write('half.txt', 'half'), a.mark('begun'), a.stay()) });
  const loop = w.startLoop(5);
  await w.marked('begun');
  (await w.ralph('stop', '--now')).exits(0);
  (await loop.done).exits(9);
  expect(w.verdicts()).toEqual(['interrupted']);
  expect(w.story('US-001').ralph?.attempts ?? 0).toBe(0);
  expect(w.exists('half.txt')).toBe(false);
  expect(w.rescued('half.txt')).toBeDefined();
  expect(w.alive(w.calls()[0]?.pid ?? 0)).toBe(false);
});

test('archive, list, restore: the pair comes back byte for byte, and a PRD in place goes into the archive first', async () => {
  const w = createWorld();
  (await w.loop(1)).exits(0);
  const [prd, log] = [w.read('prd.json'), w.read('progress.txt')];
  const stored = (await w.ralph('archive')).exits(0).out;
  const [name = ''] = w.list('archive');
  expect(name).toMatch(/^\d{4}-\d\d-\d\d-feature$/u);
  expect(w.exists('prd.json')).toBe(false);
  expect(w.read('progress.txt')).not.toContain('US-001');
  // The removal of a tracked file is the user's to commit, with the line that was printed.
  const line = stored.split('\n').find((text) => text.startsWith('  git ')) ?? '';
  w.sh(line);
  expect(w.status()).toBe('');
  expect((await w.ralph('archive', 'list')).exits(0).out).toMatch(new RegExp(`${name} .* ralph/feature +1/1`, 'u'));
  w.write('prd.json', prd.replace('ralph/feature', 'ralph/next').replace('"Test"', '"Next"'));
  (await w.ralph('archive', 'restore', name)).exits(0);
  expect([w.read('prd.json'), w.read('progress.txt')]).toEqual([prd, log]);
  expect(w.list('archive')).toEqual([name, expect.stringMatching(/-next$/u)]);
  (await w.ralph('archive', 'restore', 'unknown')).exits(2);
});
