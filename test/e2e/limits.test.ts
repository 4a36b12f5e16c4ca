/** Usage limits, logins, provider errors, refusals to start, and the limits of cost and time. */
import { expect, test } from 'vitest';
import { createWorld } from './world.ts';

test("a usage limit with a reset is waited for: same iteration, no attempt, begun work kept and told, edits meanwhile are the user's", async () => {
  const w = createWorld({
    agent(a) {
      if (a.call > 1) return a.solve();
      a.write('src/begun.txt', 'x');
      return a.limit(Math.ceil(Date.now() / 1000) + 1);
    },
  });
  const ralph = w.startLoop(1, '--max-attempts', '1', '--max-failures', '1', '--max-stalls', '1');
  await w.happened('agent.limit');
  w.write('README.md', '# edited during the wait\n');
  w.write('mine.txt', 'mine\n');
  (await ralph.done).exits(0);
  expect(w.event('agent.started').map((event) => [event.iteration, event.try])).toEqual([
    [1, 1],
    [1, 2],
  ]);
  expect(w.event('iteration.started')).toHaveLength(1);
  const ref = w.rescued('src/begun.txt');
  expect(w.calls()[1]?.prompt).toContain(ref);
  expect(w.tree()).not.toContain('src/begun.txt');
  expect(w.list(`${w.run()}/001`)).toEqual(expect.arrayContaining(['output.log', 'output-2.log']));
  expect(w.status()).toBe(' M README.md\n?? mine.txt');
});

test('exit 8: each wording with --on-limit stop, an account that will not reset, a reset after --max-duration; a claim is judged first', async () => {
  const w = createWorld({
    agent(a) {
      const later = Math.ceil(Date.now() / 1000) + 7_200;
      const limit = { error: 'rate_limit', status: 429 };
      if (a.call === 1) return a.apiError("You've hit your limit · resets 12:45pm (UTC)", limit);
      if (a.call === 2) return a.apiError(`Claude AI usage limit reached|${later}`, { ...limit, exit: 0 });
      if (a.call === 3) return a.apiError('5-hour limit reached ∙ resets 2am', limit);
      if (a.call === 4) return a.apiError('Credit balance is too low', { error: 'billing_error', status: 400 });
      if (a.call === 6) a.solve();
      return a.limit(later);
    },
  });
  for (let n = 1; n <= 3; n += 1) (await w.loop(5, '--on-limit', 'stop')).exits(8);
  expect((await w.loop(5)).exits(8).text).toContain('Credit balance is too low');
  (await w.loop(5, '--max-duration', '10m')).exits(8);
  expect(w.reason()).toBe('limit');
  expect(w.calls()).toHaveLength(5);
  expect(w.story('US-001').ralph?.attempts ?? 0).toBe(0);
  (await w.loop(5)).exits(0);
});

test('an overloaded provider: paused and tried again in the same iteration, each begun work kept; five in a row end the run', async () => {
  const w = createWorld({
    env: { RALPH_RETRY_DELAY: '20ms' },
    agent(a) {
      if (a.exists(`${a.home}/up`) && a.call > 4) return a.solve();
      a.write(`src/try-${a.call}.txt`, 'x');
      return a.apiError('API Error: 529 Overloaded', { error: 'server_error', status: 529 });
    },
  });
  (await w.loop(1, '--max-failures', '2')).exits(6);
  expect(w.event('agent.retry')).toHaveLength(1);
  w.mark('up');
  (await w.loop(1)).exits(0);
  expect(w.event('agent.started').map((event) => event.try)).toEqual([1, 2, 3]);
  expect(w.verdicts()).toEqual(['passed']);
  expect(w.rescueRefs().map((ref) => ref.split('/').at(-1))).toEqual(['001', '001-2', '001', '001-2']);
  expect(w.story('US-001').ralph?.attempts).toBe(1);
});

test('signals end a wait, a pause and nothing else is started', async () => {
  const w = createWorld({
    agent(a) {
      if (a.call === 1) return a.limit(Math.ceil(Date.now() / 1000) + 3_600);
      return a.apiError("This request would exceed your organization's rate limit", {
        error: 'rate_limit',
        status: 429,
      });
    },
  });
  for (const [at, type] of (['agent.limit', 'agent.retry'] as const).entries()) {
    const ralph = w.startLoop(3);
    await w.until(type, () => w.runs().length > at && w.event(type)[0]);
    const r = (await ralph.end('SIGTERM')).exits(143);
    expect(r.ms).toBeLessThan(4_000);
    expect(w.locked()).toBe(false);
  }
  expect(w.event('agent.retry')[0]?.waitMs).toBeGreaterThanOrEqual(60_000);
  expect(w.calls()).toHaveLength(2);
});

test('exit 4 after the first call, with the own line of the agent: no login, unknown option, login flow, command not found', async () => {
  const w = createWorld({
    config: { agents: { gone: { command: 'plain', args: [], prompt: 'stdin', output: 'text' } } },
    async agent(a) {
      if (a.tool === 'plain') {
        a.err('plain: exec: node: not found\n');
        return 127;
      }
      if (a.call === 1) return a.apiError('Not logged in · Please run /login', { error: 'authentication_failed' });
      a.mute();
      if (a.call === 2) a.err("error: unknown option '--verbose'\n");
      if (a.call === 2) return 1;
      a.raw('No API key found. Starting login flow...\n');
      return a.stay();
    },
  });
  const line = async (tool: string, words: string): Promise<void> => {
    const r = (await w.ralph('run', '9', '--tool', tool)).exits(4);
    expect(r.text).toContain(words);
    expect(w.reason()).toBe('agent-unavailable');
  };
  await line('claude', 'Not logged in · Please run /login');
  w.write('../bin/bare', '');
  await line('claude', "error: unknown option '--verbose'");
  await line('amp', 'No API key found');
  await line('gone', 'exec: node: not found');
  expect(w.calls()).toHaveLength(4);
  expect(w.story('US-001').ralph?.attempts ?? 0).toBe(0);
});

test('exit 4 before anything: not logged in, root without a sandbox, no agent on PATH', async () => {
  const w = createWorld({ tools: ['claude'] });
  if (process.getuid?.() === 0) {
    const r = (await w.startRalph(['1', '--tool', 'claude'], { env: { IS_SANDBOX: undefined } }).done).exits(4);
    expect(r.err).toContain('root');
  }
  w.write('../bin/logged-out', '');
  expect((await w.loop(1)).exits(4).err).toMatch(/log/iu);
  w.sh('mkdir ../lean; for tool in sh env git node; do ln -s "$(command -v $tool)" ../lean/$tool; done');
  const none = (await w.startRalph(['1'], { env: { PATH: w.at('../lean') } }).done).exits(4);
  expect(none.err).toMatch(/claude[^]*amp/u);
  expect(w.calls()).toEqual([]);
  expect(w.branch()).toBe('main');
});

test('--max-cost: exit 5 after the iteration that reached it, the rest handed to the agent; finished is complete all the same', async () => {
  const w = createWorld({
    stories: [{}, {}, {}, {}],
    agent(a) {
      a.cost(0.4);
      a.solve();
    },
  });
  (await w.loop(9, '--max-cost', '0.75')).exits(5);
  expect(w.passes()).toEqual([true, true, false, false]);
  expect(w.event('run.finished')[0]?.totals).toMatchObject({ iterations: 2, passed: 2, costUsd: 0.8 });
  expect(w.calls().map(({ argv }) => argv[argv.indexOf('--max-budget-usd') + 1])).toEqual(['0.75', '0.35']);
  (await w.loop(9, '--max-cost', '0.8')).exits(0);
});

test('--max-duration cuts into an iteration: settled as interrupted, exit 5', async () => {
  const w = createWorld({
    async agent(a) {
      a.write('half.txt', 'x');
      await a.stay();
    },
  });
  (await w.loop(9, '--max-duration', '8s')).exits(5);
  expect(w.reason()).toBe('budget');
  expect(w.verdicts()).toEqual(['interrupted']);
  expect(w.rescued('half.txt')).toBeDefined();
  expect(w.story('US-001').ralph?.attempts ?? 0).toBe(0);
});
