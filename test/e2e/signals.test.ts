/** The first signal ends the run in order, whatever is under way; the second at once. */
import { expect, test } from 'vitest';
import { createWorld } from './world.ts';

test('INT: even a deaf agent is gone within 10 s, its work kept, files of the user as before, no new iteration', async () => {
  const w = createWorld({
    stories: [{}, {}],
    async agent(a) {
      a.deaf();
      a.mark('child', String(a.leave('exec sleep 50')));
      a.write('half.txt', 'half\n');
      a.mark('busy');
      for (;;) {
        a.append('half.txt', 'more\n');
        await a.pause(50);
      }
    },
  });
  w.write('README.md', '# edited by the user\n');
  const ralph = w.startLoop(5);
  const agent = await w.marked('busy');
  const r = (await ralph.end('SIGINT')).exits(130);
  expect(r.ms).toBeLessThan(11_000);
  expect(w.alive(agent) || w.alive(await w.marked('child'))).toBe(false);
  expect(w.calls()).toHaveLength(1);
  expect(w.verdicts()).toEqual(['interrupted']);
  expect(w.event('run.finished')[0]).toMatchObject({ reason: 'interrupted', code: 130, signal: 'SIGINT' });
  expect(w.exists('half.txt')).toBe(false);
  expect(w.rescued('half.txt')).toBeDefined();
  expect(w.read('README.md')).toBe('# edited by the user\n');
  expect(w.story('US-001').ralph?.attempts ?? 0).toBe(0);
  expect(w.locked()).toBe(false);
});

test('HUP: exit 129; a tick made after the signal is not accepted, even if the agent ends well', async () => {
  const w = createWorld({
    async agent(a) {
      a.write('src/US-001.txt', 'x');
      process.on('SIGINT', () => {
        a.tick(a.story);
        process.exit(0);
      });
      a.mark('busy');
      await a.stay();
    },
  });
  const ralph = w.startLoop(5);
  await w.marked('busy');
  (await ralph.end('SIGHUP')).exits(129);
  expect(w.passes()).toEqual([false]);
  expect(w.subjects()).toEqual(['base']);
});

test('TERM while a gate runs: exit 143, the gate is stopped, the claim not accepted, its work kept', async () => {
  const w = createWorld({
    config: { gates: ['[ ! -e src/US-001.txt ] || { echo $$ > "$HOME/gate"; exec sleep 50; }'] },
  });
  const ralph = w.startLoop(5);
  const gate = await w.marked('gate');
  (await ralph.end('SIGTERM')).exits(143);
  expect(w.alive(gate)).toBe(false);
  expect(w.verdicts()).toEqual(['interrupted']);
  expect(w.passes()).toEqual([false]);
  expect(w.rescued('src/US-001.txt')).toBeDefined();
  expect(w.read('progress.txt')).toContain('solved US-001');
});

test('a second INT kills at once', async () => {
  const w = createWorld({
    async agent(a) {
      a.deaf();
      process.on('SIGINT', () => a.mark('asked'));
      a.mark('busy');
      await a.stay();
    },
  });
  const ralph = w.startLoop(5);
  const agent = await w.marked('busy');
  ralph.kill('SIGINT');
  await w.marked('asked');
  const r = (await ralph.end('SIGINT')).exits(130);
  expect(r.ms).toBeLessThan(4_000);
  expect(w.alive(agent)).toBe(false);
  expect(w.locked()).toBe(false);
});

test('INT before any agent, in a hook, and in the delay: over at once, prd.json and history agree', async () => {
  const w = createWorld({ stories: [{}, {}] });
  w.config({ gates: ['[ -e ../open ] || { echo $$ > "$HOME/first"; exec sleep 50; }'] });
  const before = w.read('prd.json');
  let ralph = w.startLoop(5);
  const gate = await w.marked('first');
  (await ralph.end('SIGINT')).exits(130);
  expect(w.alive(gate)).toBe(false);
  expect(w.read('prd.json')).toBe(before);
  expect(w.calls()).toEqual([]);

  w.write('../open', '');
  w.hook('pre-commit', 'echo $$ > "$HOME/hook"; exec sleep 50');
  ralph = w.startLoop(5);
  const hook = await w.marked('hook');
  (await ralph.end('SIGINT')).exits(130);
  expect(w.alive(hook)).toBe(false);
  expect(w.passes()).toEqual([false, false]);
  expect(w.subjects()).toEqual(['base']);

  w.hook('pre-commit', 'true');
  ralph = w.startLoop(5, '--delay', '40s');
  await w.until('an accepted story', () => w.runs().length === 3 && w.verdicts()[0] === 'passed');
  const r = (await ralph.end('SIGINT')).exits(130);
  expect(r.ms).toBeLessThan(4_000);
  expect(w.calls()).toHaveLength(2);
  expect(w.passes()).toEqual([true, false]);
  expect(w.subjects()).toEqual(['feat: [US-001] - Story 1', 'base']);
  expect(w.event('iteration.started')).toHaveLength(1);
  expect(w.event('run.finished')[0]?.totals.iterations).toBe(1);
});

test('works without any input', async () => {
  const w = createWorld();
  (await w.start(['sh', '-c', `exec ${w.command} run 1 --tool claude <&-`]).done).exits(0);
  expect(w.calls()[0]?.prompt).toContain('US-001');
});
