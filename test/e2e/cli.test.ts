/** The command line: arguments, environment and config. */
import { symlinkSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createWorld } from './world.ts';

test('--help and --version answer and start nothing, wherever they stand', async () => {
  const w = createWorld();
  for (const args of [['--help'], ['run', '-h'], ['--tool', 'claude', '--help']]) {
    expect((await w.ralph(...args)).exits(0).out).toMatch(/usage: ralph/iu);
  }
  expect((await w.ralph('--version')).exits(0).out).toMatch(/^\d+\.\d+\.\d+\n$/u);
  expect(w.calls()).toEqual([]);
  expect(w.exists('.ralph')).toBe(false);
});

test('arguments that make no sense: exit 2 on standard error with a suggestion, nothing started', async () => {
  const w = createWorld();
  const wrong: [string, RegExp][] = [
    ['run 0', /above 0/u],
    ['-5', /-5/u],
    ['run ten', /ten/u],
    ['run 3 4', /arguments/u],
    ['run --max-iteration 3', /--max-iterations/u],
    ['--tol claude', /--tool/u],
    ['statsu', /status/u],
    ['run --tool', /--tool/u],
    ['run --max-cost 0', /--max-cost/u],
    ['run --max-duration soon', /--max-duration/u],
    ['run --delay 5', /5s for seconds/u],
    ['run --on-reject shrug', /rollback/u],
    ['run --tool nobody', /unknown agent "nobody"/u],
    ['-C nowhere run', /nowhere/u],
    ['run --prd nowhere.json', /nowhere\.json/u],
  ];
  for (const [args, words] of wrong) {
    const r = (await w.ralph(...args.split(' '))).exits(2);
    expect(r.out).toBe('');
    expect(`${args}: ${r.err}`).toMatch(words);
  }
  expect(w.calls()).toEqual([]);
  expect(w.branch()).toBe('main');
  expect(w.exists('.ralph')).toBe(false);
});

test('an option beats the environment, the environment the config; of a repeated option the last one counts', async () => {
  const w = createWorld({
    stories: [{}, {}, {}],
    config: { model: 'from-config', maxIterations: 1 },
    env: { RALPH_TOOL: 'amp', RALPH_UNHEARD_OF: 'x', RALPH_MAX_COST: '' },
  });
  const claude = { RALPH_TOOL: 'claude' };
  (await w.ralph('--tool', 'nobody', '--tool', 'claude')).exits(1);
  (await w.startRalph([], { env: { ...claude, RALPH_MODEL: 'from-env' } }).done).exits(1);
  const env = { ...claude, RALPH_MODEL: 'from-env', RALPH_MAX_ITERATIONS: '1' };
  (await w.startRalph(['--model', 'from-option', '--max-iterations', '1', '9'], { env }).done).exits(0);
  expect(w.calls().map(({ tool, argv }) => [tool, argv[argv.indexOf('--model') + 1]])).toEqual([
    ['claude', 'from-config'],
    ['claude', 'from-env'],
    ['claude', 'from-option'],
  ]);
});

test('bad values of the environment and of the config: exit 2, all at once, named with place and suggestion', async () => {
  const w = createWorld({ env: { RALPH_MAX_ITERATIONS: 'many', RALPH_ON_REJECT: 'shrug' } });
  const env = (await w.ralph('run')).exits(2);
  expect(env.err).toMatch(/RALPH_MAX_ITERATIONS[^]*many/u);
  expect(env.err).toMatch(/RALPH_ON_REJECT[^]*rollback/u);
  w.config({ maxIteration: 3, completionPromise: '', maxStalls: 'x' });
  const clean = { env: { RALPH_MAX_ITERATIONS: undefined, RALPH_ON_REJECT: undefined } };
  const config = (await w.startRalph(['run'], clean).done).exits(2);
  for (const word of ['ralph.config.json', 'maxIterations', 'completionPromise', 'maxStalls'])
    expect(config.err).toContain(word);
  expect(w.calls()).toEqual([]);
});

test('each agent gets its own command line, the prompt by input, never an old session', async () => {
  const command = 'my tools/cl$(touch PWNED)&de';
  const w = createWorld({ stories: [{}, {}, {}] });
  w.sh(`mkdir '../my tools'; cp ../bin/plain '../${command}'`);
  w.config({
    agents: {
      mine: {
        command: w.at(`../${command}`),
        args: ['--flag', 'two words; touch PWNED'],
        prompt: 'stdin',
        output: 'text',
      },
    },
  });
  for (const tool of ['claude', 'amp', 'mine']) await w.ralph('run', '1', '--no-gates', '--tool', tool, '--', '--more');
  expect(w.calls().map((call) => call.argv)).toEqual([
    ['-p', '--dangerously-skip-permissions', '--output-format', 'stream-json', '--verbose', '--more'],
    ['--dangerously-allow-all', '-x', '--stream-json', '--more'],
    ['--flag', 'two words; touch PWNED', '--more'],
  ]);
  for (const { prompt } of w.calls()) expect(prompt).toMatch(/Story: US-00\d/u);
  expect(w.passes()).toEqual([true, true, true]);
  expect(w.sh('find .. -name PWNED')).toBe('');
});

test('a loop inside an iteration of a loop is refused, unless it is meant', async () => {
  const w = createWorld({ env: { RALPH_RUN_ID: 'outer', RALPH_STORY_ID: 'US-009' } });
  expect((await w.loop(1)).exits(2).err).toContain('--nested');
  expect(w.calls()).toEqual([]);
  (await w.loop(1, '--nested')).exits(0);
  expect(w.calls()[0]?.env).toMatchObject({ RALPH_RUN_ID: w.runs()[0], RALPH_STORY_ID: 'US-001' });
});

test('started through a symbolic link, with a lean PATH, on a changed feature: the old one is archived, nothing is missing', async () => {
  const w = createWorld();
  w.sh('mkdir ../lean; for tool in sh env git node; do ln -s "$(command -v $tool)" ../lean/$tool; done');
  const env = { PATH: `${w.bin}:${w.at('../lean')}` };
  symlinkSync(w.program, w.at('../ralph'));
  (await w.start([process.execPath, w.at('../ralph'), '1', '--tool', 'claude'], { env }).done).exits(0);
  w.write('prd.json', w.read('prd.json').replace('ralph/feature', 'ralph/second').replace('true', 'false'));
  const r = (await w.startRalph(['1', '--tool', 'claude'], { env }).done).exits(0);
  expect(r.text).not.toMatch(/not found|ENOENT/u);
  expect(w.list('archive').map((name) => name.replace(/^\d{4}-\d\d-\d\d/u, '<date>'))).toEqual(['<date>-feature']);
  expect(w.branch()).toBe('ralph/second');
});

test('status --json is one document: stories, the next one, the blocked ones and why, the last run', async () => {
  const w = createWorld({
    stories: [{}, {}, {}],
    agent(a) {
      if (a.story === 'US-002') a.say('<promise>BLOCKED: no database</promise>');
      else a.solve();
    },
  });
  (await w.loop(2)).exits(1);
  expect(JSON.parse((await w.ralph('status', '--json')).exits(0).out)).toEqual({
    v: 1,
    project: 'Test',
    branch: 'ralph/feature',
    stories: [
      { id: 'US-001', title: 'Story 1', passes: true, attempts: 1, blocked: null },
      { id: 'US-002', title: 'Story 2', passes: false, attempts: 0, blocked: 'no database' },
      { id: 'US-003', title: 'Story 3', passes: false, attempts: 0, blocked: null },
    ],
    next: 'US-003',
    run: { id: w.runs()[0], status: 'finished', reason: 'iterations', code: 1, iteration: 2, story: 'US-002' },
  });
});
