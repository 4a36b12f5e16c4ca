/** One loop per tree; and after a kill -9 at any moment the next run puts things in order and goes on. */
import { expect, test } from 'vitest';
import { createWorld } from './world.ts';

test('killed while the agent works: orphans are stopped, work and later edits kept, the tree as before, nothing believed', async () => {
  const w = createWorld({
    stories: [{}, { passes: true }],
    files: { 'app.txt': 'one\n', 'old.txt': 'old\n' },
    async agent(a) {
      if (a.call <= 2) {
        a.deaf();
        process.stdout.on('error', () => {});
        a.write('app.txt', 'by the agent\n');
        a.remove('old.txt');
        a.write(`half-${a.call}.txt`, 'half\n');
        a.log(`half way ${a.call}`);
        if (a.call === 1) a.tick(a.story);
        else a.remove('prd.json');
        a.mark(`busy-${a.call}`);
        await a.stay();
      }
      a.mark(
        'seen',
        [a.read('app.txt'), a.exists('old.txt'), a.exists('half-1.txt'), a.exists('half-2.txt')].join(' '),
      );
      a.solve();
    },
  });
  w.write('README.md', '# edited by the user\n');
  w.write('todo.txt', 'mine\n');
  const pids: string[] = [];
  for (const n of [1, 2]) {
    const ralph = w.startLoop(5);
    pids.push(await w.marked(`busy-${n}`));
    ralph.kill('SIGKILL');
    await w.until('its end', () => !w.alive(ralph.pid));
  }
  w.write('idea.txt', 'written after the crash\n');
  w.sh(`printf '{"v":1,"type":"agent.te' >> ${w.run()}/events.jsonl`);
  expect(JSON.parse((await w.ralph('status', '--json')).exits(0).out)).toMatchObject({ run: { status: 'crashed' } });

  const r = (await w.loop(5)).exits(0);
  expect(await w.marked('seen')).toBe('one\n true false false');
  for (const pid of pids) expect(w.alive(pid)).toBe(false);
  expect(w.rescued('half-1.txt')).toBeDefined();
  const ref = w.rescued('half-2.txt');
  expect(w.git('show', `${ref}:app.txt`)).toBe('by the agent');
  expect(w.read('README.md')).toBe('# edited by the user\n');
  expect(w.read('todo.txt')).toBe('mine\n');
  expect(w.exists('idea.txt') || w.rescued('idea.txt') !== undefined).toBe(true);
  expect(w.event('run.recovered')[0]?.files).toEqual(
    expect.arrayContaining(['app.txt', 'half-2.txt', 'idea.txt', 'old.txt']),
  );
  expect(r.out).toMatch(/was cut off and is put in order: .*half-2\.txt/u);
  expect(w.read('progress.txt')).toMatch(/half way 1[^]*half way 2/u);
  expect(w.passes()).toEqual([true, true]);
  expect(w.tree()).toEqual(expect.not.arrayContaining(['todo.txt', 'idea.txt', 'half-1.txt', 'half-2.txt']));
});

test('killed while a gate runs: the gate is stopped, the claim not believed', async () => {
  const gate = '[ -e src/US-001.txt ] && [ ! -e "$HOME/gate" ] || exit 0; echo $$ > "$HOME/gate"; exec sleep 50';
  const w = createWorld({ config: { gates: [{ name: 'slow', run: gate }] } });
  const ralph = w.startLoop(5);
  const pid = await w.marked('gate');
  await ralph.end('SIGKILL');
  (await w.loop(5)).exits(0);
  expect(w.alive(pid)).toBe(false);
  expect(w.calls()).toHaveLength(2);
  expect(w.read('src/US-001.txt')).toBe('US-001 in call 2\n');
  expect(w.rescued('src/US-001.txt')).toBeDefined();
});

test('killed in a hook before and after the commit: it is there once, and nothing is done twice', async () => {
  const w = createWorld({ stories: [{}, {}] });
  const once = (name: string): string => `[ -e "$HOME/${name}" ] && exit 0; echo $$ > "$HOME/${name}"; exec sleep 50`;
  w.hook('pre-commit', once('pre'));
  w.hook('post-commit', once('post'));
  for (const name of ['pre', 'post']) {
    const ralph = w.startLoop(5);
    const hook = await w.marked(name);
    await ralph.end('SIGKILL');
    expect(w.alive(hook)).toBe(true);
    // What ralph had written before the hook is nobody's tampering.
    expect(w.event('state.restored')).toEqual([]);
  }
  w.write('mine.txt', 'staged after the commit\n');
  w.git('add', 'mine.txt');
  (await w.loop(5)).exits(0);
  expect(w.alive(await w.marked('pre')) || w.alive(await w.marked('post'))).toBe(false);
  expect(w.subjects()).toEqual(['feat: [US-002] - Story 2', 'feat: [US-001] - Story 1', 'base']);
  expect(w.order()).toEqual(['US-001', 'US-001', 'US-002']);
  expect(w.event('run.started')[0]).toMatchObject({ stories: 2, passed: 1 });
  expect(w.read('progress.txt').match(/verdict of ralph: \w+/gu)).toEqual([
    'verdict of ralph: interrupted',
    'verdict of ralph: passed',
    'verdict of ralph: passed',
  ]);
  expect(w.status()).toBe('A  mine.txt');
});

test('killed in the delay: what was accepted stays, and the next run goes on with the next story', async () => {
  const w = createWorld({ stories: [{}, {}] });
  const ralph = w.startLoop(5, '--delay', '40s');
  await w.happened('iteration.finished');
  await ralph.end('SIGKILL');
  (await w.loop(5)).exits(0);
  expect(w.order()).toEqual(['US-001', 'US-002']);
  expect(w.subjects()).toHaveLength(3);
  expect(w.rescueRefs()).toEqual([]);
});

test('two starts at once: one runs, the other exits 7 and names it; a lock of a dead or reused pid is taken over', async () => {
  const w = createWorld({
    stories: [{}, {}],
    async agent(a) {
      if (a.call === 1) await a.until('go');
      if (a.call === 2) {
        a.mark('busy');
        await a.stay();
      }
      a.solve();
    },
  });
  const starts = [w.startLoop(1), w.startLoop(1)];
  const loser = await Promise.race(starts.map(async ({ done }, at) => ({ at, outcome: await done })));
  expect(loser.outcome.exits(7).err).toContain(`pid ${starts[1 - loser.at]?.pid}`);
  expect(loser.outcome.out).toBe('');
  await w.until('the agent', () => w.calls().length === 1);
  expect(JSON.parse((await w.ralph('status', '--json')).out)).toMatchObject({
    run: { status: 'running', iteration: 1 },
  });
  w.mark('go');
  (await starts[1 - loser.at]?.done)?.exits(1);

  const killed = w.startLoop(1);
  await w.marked('busy');
  await killed.end('SIGKILL');
  expect(w.locked()).toBe(true);
  w.sh(`sed -i.bak 's/\\b${killed.pid}\\b/${process.pid}/g' $(find .git/ralph/lock* -type f)`);
  (await w.loop(1)).exits(0);
  expect(w.locked()).toBe(false);
});
