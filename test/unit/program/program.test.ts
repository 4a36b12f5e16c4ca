import { describe, expect, it } from 'vitest';
import { settingRows } from '../../../src/config/option-rows.ts';
import { longNameOf } from '../../../src/config/options.ts';
import { call, given } from './calling.ts';

describe('ralph [iterations] [options]', () => {
  it.each([
    [[], {}],
    [['10'], { maxIterations: '10' }],
    [['run', '10'], { maxIterations: '10' }],
    [['--tool', 'claude', '10'], { tool: 'claude', maxIterations: '10' }],
    [['10', '--tool', 'amp'], { tool: 'amp', maxIterations: '10' }],
    [['--tool=claude', '1'], { tool: 'claude', maxIterations: '1' }],
    [['--tool', 'claude', 'run', '5'], { tool: 'claude', maxIterations: '5' }],
    [['run', '--push', '5', '--trust'], { push: true, trust: true, maxIterations: '5' }],
    [['-q', '3'], { maxIterations: '3' }],
    [['-C', 'a', '3'], { maxIterations: '3' }],
    [['-qC', 'a', '3'], { maxIterations: '3' }],
    [['-Ca', '3'], { maxIterations: '3' }],
    [['--model', 'run', '3'], { model: 'run', maxIterations: '3' }],
  ])('%j', async (argv, expected) => expect(await given(...argv)).toEqual(expected));

  it('knows every setting of the table', async () => {
    for (const { key, kind, flags } of settingRows) {
      const value = key === 'onReject' ? 'keep' : key === 'regressions' ? 'off' : key === 'onLimit' ? 'stop' : '7s';
      const text = kind === 'number' ? '7' : value;
      const isFlag = !flags.includes('<');
      const argv = isFlag ? [longNameOf(flags)] : [longNameOf(flags), text];
      expect(await given('run', ...argv)).toEqual({ [key]: isFlag ? true : kind === 'list' ? [text] : text });
    }
  });

  it('hands on the options of one call', async () => {
    const argv = ['-C', 'sub', '--dry-run', '--nested', '--json', '-qv', '--no-color'];
    const plain = {
      cwd: undefined,
      dryRun: false,
      nested: false,
      json: false,
      quiet: false,
      verbose: false,
      noColor: false,
    };
    expect((await call('run')).calls[0]?.options).toMatchObject(plain);
    expect((await call('run', ...argv)).calls[0]?.options).toMatchObject({
      cwd: 'sub',
      dryRun: true,
      nested: true,
      json: true,
      quiet: true,
      verbose: true,
      noColor: true,
    });
  });

  it('gives the exit code of the command', async () => expect((await call('5')).code).toBe(42));
});

describe('the last one wins', () => {
  it.each([
    [['--model', 'a', '--model', 'b'], { model: 'b' }],
    [['--tool', 'claude', '--agent', 'amp'], { tool: 'amp' }],
    [['--agent', 'amp', '--tool', 'claude'], { tool: 'claude' }],
    [['--max-iterations', '3', '--unlimited'], { unlimited: true }],
    [['--unlimited', '--max-iterations=3'], { maxIterations: '3' }],
    [['5', '--max-iterations', '3'], { maxIterations: '3' }],
    [['--max-iterations', '3', '5'], { maxIterations: '5' }],
    [['5', '--unlimited'], { unlimited: true }],
    [['--unlimited', '5'], { maxIterations: '5' }],
    [['--gate', 'a', '--gate', 'b'], { gates: ['a', 'b'] }],
    [['--gate', 'a', '--no-gates'], { gates: [] }],
    [['--no-gates', '--gate', 'a'], { gates: ['a'] }],
  ])('%j', async (argv, expected) => expect(await given('run', ...argv)).toEqual(expected));

  it('and is named as it was given', async () => {
    const { calls } = await call('--tool', 'a', '--agent', 'b', '7', '--no-gates');
    expect(calls[0]?.options['given']).toEqual({
      tool: { value: 'b', source: '--agent' },
      maxIterations: { value: '7', source: '[iterations]' },
      gates: { value: [], source: '--no-gates' },
    });
  });
});

describe('what stands behind --', () => {
  it.each([
    [
      ['3', '--', '--foo', 'bar', '--', '--help'],
      ['--foo', 'bar', '--', '--help'],
    ],
    [['--'], []],
    [['run', '--', '-5'], ['-5']],
    [['run'], []],
  ])('%j', async (argv, agentArgs) => {
    const { calls } = await call(...argv);
    expect(calls[0]?.options['agentArgs']).toEqual(agentArgs);
  });

  it('is refused where no agent is started', async () => {
    expect((await call('status', '--', 'x')).error?.message).toBe(
      'status starts no agent: nothing can stand behind --',
    );
    expect((await call('status', '--')).calls).toHaveLength(1);
  });
});

describe('other commands', () => {
  it('take their options, also in front of them', async () => {
    const { calls } = await call('-C', 'sub', 'status', '--json', '--prd', 'a.json');
    const prd = { value: 'a.json', source: '--prd' };
    expect(calls).toEqual([
      { name: 'status', options: { cwd: 'sub', json: true, given: { prd }, noColor: false, verbose: false } },
    ]);
    expect((await call('unblock', 'US-001', 'US-002')).calls[0]?.options).toMatchObject({ ids: ['US-001', 'US-002'] });
    expect((await call('unblock')).calls[0]?.options).toMatchObject({ ids: [] });
    expect((await call('init', '-v')).calls[0]).toMatchObject({ name: 'init', options: { verbose: true } });
    expect((await call('demo', '--no-color')).calls[0]).toMatchObject({ name: 'demo', options: { noColor: true } });
  });

  it.each([
    ['init', 'x'],
    ['status', 'x'],
    ['demo', '3'],
  ])('%s takes no word %s', async (...argv) =>
    expect((await call(...argv)).error?.message).toMatch(/too many arguments/),
  );
});

describe('convert and check', () => {
  it('take their options', async () => {
    const [convert] = (await call('convert', '-o', 'x.json', 'a.md', '--dry-run', '--tool', 'amp', '--', '--fast'))
      .calls;
    expect(convert).toMatchObject({
      name: 'convert',
      options: { file: 'a.md', output: 'x.json', dryRun: true, withAgent: false, agentArgs: ['--fast'] },
    });
    expect((await call('convert', '--with-agent', 'a.md')).calls[0]?.options).toMatchObject({ withAgent: true });
    expect((await call('check', '--strict', '--json', 'a.json')).calls[0]?.options).toMatchObject({
      file: 'a.json',
      strict: true,
      json: true,
    });
    expect((await call('check')).calls[0]?.options).toMatchObject({ file: undefined, strict: false, json: false });
  });

  it.each([
    [['convert'], /missing required argument/],
    [['convert', 'a', 'b'], /too many arguments/],
    [['convert', 'a.md', '-o'], /-o needs a value/],
    [['check', 'a', 'b'], /too many arguments/],
    [['check', '--', 'x'], /check starts no agent/],
  ])('%j', async (argv, message) => expect((await call(...argv)).error?.message).toMatch(message));
});

describe('what makes no sense is a usage error, and nothing is started', () => {
  it.each([
    [['run', '--max-iteration', '3'], 'unknown option --max-iteration (did you mean --max-iterations?)'],
    [['--tol', 'claude'], 'unknown option --tol (did you mean --tool?)'],
    [['run', '--max=3'], 'unknown option --max (did you mean --max-iterations?)'],
    [['status', '--jsn'], 'unknown option --jsn (did you mean --json?)'],
    [['--frobnicate'], 'unknown option --frobnicate'],
    [['run', '-x'], 'unknown option -x'],
    [['statsu'], 'unknown command statsu (did you mean status?)'],
    [['statsu', '--frob'], 'unknown command statsu (did you mean status?)'],
    [['statsu', 'x'], 'unknown command statsu (did you mean status?)'],
    [['--tool', 'claude', 'statsu'], 'unknown command statsu (did you mean status?)'],
    [['run', '3', '4'], expect.stringMatching(/too many arguments/)],
    [['run', '--tool'], '--tool needs a value'],
    [['run', '--tool', '--max-stalls', '3'], '--tool needs a value, and --max-stalls is the next option'],
    [['--gate', '--', 'x'], '--gate needs a value'],
    [['run', 'ten', '--max-iterations', '3'], 'a setting has a bad value'],
    [['run', '--push=yes'], '--push takes no value, and here it has "yes"'],
    [['--no-gates=false'], '--no-gates takes no value, and here it has "false"'],
  ])('%j: %s', async (argv, message) => {
    const { error, calls, out, err } = await call(...argv);
    expect(error?.message).toEqual(message);
    expect(error?.reason).toBe('usage');
    expect(calls).toEqual([]);
    expect(out + err).toBe('');
  });

  it.each([
    [['run', '--push=yes'], ['ralph run --push']],
    [['--push=false'], ['leave it out: ralph run', 'or, where the config has turned it on: RALPH_PUSH=0 ralph run']],
    [['check', '--strict=0'], ['leave it out: ralph check']],
  ])('%j says how the flag is switched', async (argv, cures) => {
    expect((await call(...argv)).error?.cures).toEqual(cures);
  });

  it.each(['-5', '0', 'ten', '1.5', '1e9x', ''])('run %j', async (text) => {
    await expect(given('run', text)).rejects.toThrow('a setting has a bad value');
  });

  it.each(['-5', '0', '1.5', '1e9x'])('%j without a command', async (text) => {
    await expect(given(text)).rejects.toThrow('a setting has a bad value');
  });
});
