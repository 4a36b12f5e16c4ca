/** Gates: red before any work, slow, writing, leaving processes behind, and what becomes of work with none. */
import { expect, test } from 'vitest';
import { createWorld } from './world.ts';

test('a gate that is red before any work: exit 2, no agent, three ways on; only the branch is checked out', async () => {
  const w = createWorld({ files: { BROKEN: 'since yesterday\n' } });
  const prd = w.read('prd.json');
  const r = (await w.loop(3)).exits(2);
  expect(r.err).toMatch(/gate sound is red before any work[^]*mend it[^]*drop it[^]*--allow-red/u);
  expect(w.calls()).toEqual([]);
  expect(w.read('prd.json')).toBe(prd);
  expect(w.branch()).toBe('ralph/feature');
  expect(w.status()).toBe('');
});

test('--allow-red: a red gate binds from its first green on', async () => {
  const w = createWorld({
    stories: [{}, {}, {}],
    config: { gates: ['test ! -e BROKEN', { name: 'docs', run: 'test -e docs/index.md' }] },
    agent(a) {
      if (a.call === 2) a.write('docs/index.md', 'x');
      if (a.call === 3) a.remove('docs');
      a.solve();
    },
  });
  (await w.loop(9, '--allow-red')).exits(0);
  expect(w.order()).toEqual(['US-001', 'US-002', 'US-003', 'US-003']);
  expect(w.verdicts()).toEqual(['passed', 'passed', 'rejected', 'passed']);
  expect(w.event('story.rejected')[0]?.reason).toContain('docs');
});

test('--allow-red with a gate that never gets green: summary and status say so, and nothing counts as verified', async () => {
  const w = createWorld({ config: { gates: [{ name: 'never', run: 'exit 3' }] } });
  const r = (await w.loop(2, '--allow-red')).exits(0);
  expect(r.out).toMatch(/Never green in this run, so never binding: never/u);
  expect(r.out).toContain('claimed, not verified');
  expect((await w.ralph('status')).out).toMatch(/never/iu);
  expect(w.story('US-001').ralph).not.toHaveProperty('verified');
  expect(w.git('log', '-1', '--format=%(trailers:key=Ralph-Gates,valueonly)')).toMatch(/never \(red/u);
});

test('without a gate and a check a finished story is "claimed, not verified"', async () => {
  const w = createWorld({ config: { gates: ['touch ../GATE-RAN; false'] } });
  const r = (await w.loop(1, '--no-gates')).exits(0);
  expect(r.out).toContain('claimed, not verified');
  expect((await w.ralph('status')).out).toContain('claimed, not verified');
  expect(w.exists('../GATE-RAN')).toBe(false);
  expect(w.story('US-001').ralph).not.toHaveProperty('verified');
});

test('what a gate or check writes is put back and in no commit; the log of each is kept', async () => {
  const w = createWorld({
    stories: [{ checks: ['echo check >> README.md; echo from the check'] }],
    config: {
      gates: [
        {
          name: 'writes',
          run: 'mkdir -p coverage; echo x > coverage/index.html; rm -f ralph.config.json; echo out; echo err >&2',
        },
      ],
    },
  });
  (await w.loop(1)).exits(0);
  expect(w.status()).toBe('');
  expect(w.exists('coverage')).toBe(false);
  expect(w.tree()).toEqual(['README.md', 'prd.json', 'progress.txt', 'ralph.config.json', 'src/US-001.txt']);
  expect(w.read('README.md')).toBe('# test project\n');
  expect(w.read(`${w.run()}/001/gate-writes.log`)).toBe('out\nerr\n');
});

test('a gate that hangs is red after its time, a server that a green one leaves behind is stopped', async () => {
  const w = createWorld({
    config: {
      gates: [
        { name: 'serve', run: 'sleep 50 & echo $! >> "$HOME/served"' },
        {
          name: 'slow',
          run: 'if [ -e src/US-001.txt ] && [ ! -e fixed ]; then echo $$ > "$HOME/slow"; exec sleep 50; fi',
        },
      ],
    },
    agent(a) {
      if (a.call === 2) a.write('fixed', '');
      a.solve();
    },
  });
  const r = (await w.loop(3, '--gate-timeout', '1500ms')).exits(0);
  expect(r.ms).toBeLessThan(20_000);
  expect(w.verdicts()).toEqual(['rejected', 'passed']);
  expect(w.event('gate.finished').map((event) => event.timedOut)).toContain(true);
  expect(w.calls()[1]?.prompt).toMatch(/slow.*timed out/u);
  expect(w.alive(await w.marked('slow'))).toBe(false);
  for (const pid of (await w.marked('served')).split('\n')) expect(w.alive(pid)).toBe(false);
});

test('gates, checks, hooks and agents see the same environment, less the marks of a session around ralph', async () => {
  const w = createWorld({
    stories: [{ checks: ['env > ../check.env'] }],
    config: { gates: [{ name: 'env', run: 'env > ../gate.env' }] },
    env: { CLAUDECODE: '1', CLAUDE_CODE_ENTRYPOINT: 'cli', CLAUDE_CODE_MAX_OUTPUT_TOKENS: '9', MY_TOKEN: 'kept' },
  });
  w.hook('pre-commit', 'env > ../hook.env');
  (await w.loop(1)).exits(0);
  const env = w.calls()[0]?.env ?? {};
  const agents = Object.entries(env).map(([key, value]) => `${key}=${value}`);
  for (const lines of [agents, ...['gate', 'check', 'hook'].map((name) => w.read(`../${name}.env`).split('\n'))]) {
    expect(lines).toEqual(
      expect.arrayContaining([
        `RALPH_RUN_ID=${w.runs()[0]}`,
        'RALPH_ITERATION=1',
        'RALPH_STORY_ID=US-001',
        'GIT_TERMINAL_PROMPT=0',
        'GIT_EDITOR=true',
        'CLAUDE_CODE_MAX_OUTPUT_TOKENS=9',
        'MY_TOKEN=kept',
      ]),
    );
    expect(lines.filter((line) => /^(CLAUDECODE|CLAUDE_CODE_ENTRYPOINT|GIT_DIR|GIT_WORK_TREE)=/u.test(line))).toEqual(
      [],
    );
  }
});
