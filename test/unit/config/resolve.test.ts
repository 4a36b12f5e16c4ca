import { describe, expect, it } from 'vitest';
import { settingRows } from '../../../src/config/option-rows.ts';
import { fileKeys, variableOf } from '../../../src/config/options.ts';
import { option, problemsOf, resolve } from './resolving.ts';
import type { World } from './resolving.ts';

describe('resolveSettings', () => {
  it('has the defaults of the table, each from "default"', () => {
    const { settings, sources, warnings } = resolve();
    expect(settings).toEqual({
      maxIterations: 10,
      tool: undefined,
      model: undefined,
      prd: undefined,
      prompt: undefined,
      gates: undefined,
      allowRed: false,
      trust: false,
      onReject: 'rollback',
      regressions: 'each',
      maxAttempts: 3,
      maxStalls: 3,
      maxFailures: 5,
      maxDuration: undefined,
      maxCost: undefined,
      idleTimeout: 900_000,
      iterationTimeout: undefined,
      gateTimeout: 600_000,
      delay: 2_000,
      retryDelay: 5_000,
      onLimit: 'wait',
      push: false,
      agents: {},
      baseBranch: undefined,
      commitMessage: 'feat: [{{storyId}}] - {{storyTitle}}',
      verify: { setup: undefined },
      hooks: true,
      check: { off: [] },
    });
    expect(new Set(Object.values(sources))).toEqual(new Set(['default']));
    expect(Object.keys(sources).sort()).toEqual(Object.keys(settings).sort());
    expect(warnings).toEqual([]);
  });

  it('option beats environment beats file beats default, and each is named', () => {
    const file = { model: 'from-file' };
    const env = { RALPH_MODEL: 'from-env' };
    const given = { model: option('from-option', '--model') };
    const ways: [World, string | undefined, string][] = [
      [{}, undefined, 'default'],
      [{ file }, 'from-file', 'ralph.config.json'],
      [{ file, env }, 'from-env', 'RALPH_MODEL'],
      [{ file, env, given }, 'from-option', '--model'],
      [{ file, given: { model: undefined }, env: { RALPH_MODEL: undefined } }, 'from-file', 'ralph.config.json'],
      [{ file, env: { RALPH_MODEL: '' } }, 'from-file', 'ralph.config.json'],
    ];
    for (const [world, model, source] of ways) {
      const { settings, sources } = resolve(world);
      expect([settings.model, sources.model]).toEqual([model, source]);
    }
  });

  it('a false of a nearer source beats a true of a farther one', () => {
    const { settings, sources } = resolve({ file: { push: true, trust: true }, env: { RALPH_PUSH: 'no' } });
    expect([settings.push, sources.push]).toEqual([false, 'RALPH_PUSH']);
    expect([settings.trust, sources.trust]).toEqual([true, 'ralph.config.json']);
  });

  it('reads every kind of value in the file', () => {
    const file = {
      maxIterations: 20,
      maxCost: 1.5,
      delay: 0,
      maxDuration: '8h',
      gates: [{ name: 'g', run: 'x', timeout: '30m' }],
    };
    expect(resolve({ file }).settings).toMatchObject({
      maxIterations: 20,
      maxCost: 1.5,
      delay: 0,
      maxDuration: 28_800_000,
      gates: [{ name: 'g', run: 'x', timeout: 1_800_000 }],
    });
  });

  it('reads every kind of variable', () => {
    const { settings } = resolve({
      env: {
        RALPH_MAX_ITERATIONS: '007',
        RALPH_TOOL: 'amp',
        RALPH_GATES: '["npm run lint", {"name": "t", "run": "npm test", "timeout": "5m"}]',
        RALPH_ALLOW_RED: '1',
        RALPH_TRUST: 'TRUE',
        RALPH_ON_REJECT: 'keep',
        RALPH_REGRESSIONS: 'off',
        RALPH_MAX_COST: '.5',
        RALPH_IDLE_TIMEOUT: '0',
        RALPH_RETRY_DELAY: '10ms',
      },
    });
    expect(settings).toMatchObject({
      maxIterations: 7,
      tool: 'amp',
      allowRed: true,
      trust: true,
      onReject: 'keep',
      regressions: 'off',
      maxCost: 0.5,
      idleTimeout: 0,
      retryDelay: 10,
      gates: [
        { name: 'lint', run: 'npm run lint', timeout: undefined },
        { name: 't', run: 'npm test', timeout: 300_000 },
      ],
    });
  });

  it('has a variable for every option and only for those', () => {
    for (const { key } of settingRows) {
      const variable = variableOf(key);
      const [problem, ...more] = problemsOf({ env: { [variable]: ' ' } });
      expect(problem).toMatch(new RegExp(`^${variable}: must be .*, not " "$`));
      expect(more).toEqual([]);
    }
    const env = Object.fromEntries(fileKeys.map((key) => [`RALPH_X_${key}`, 'nonsense']));
    expect(
      problemsOf({
        env: { ...env, RALPH_AGENTS: '3', RALPH_COMMIT_MESSAGE: '', RALPH_RUN_ID: 'x', RALPH_DRY_RUN: '7' },
      }),
    ).toEqual([]);
  });

  it('lists every bad option and variable at once, by name', () => {
    expect(
      problemsOf({
        given: {
          maxIterations: option('ten', '[iterations]'),
          maxCost: option('0', '--max-cost'),
          onReject: option('shrug', '--on-reject'),
          gateTimeout: option('-1s', '--gate-timeout'),
          tool: option('', '--agent'),
        },
        env: { RALPH_MAX_STALLS: '0', RALPH_PUSH: 'maybe', RALPH_GATES: 'npm test', RALPH_MAX_DURATION: '30' },
      }),
    ).toEqual([
      '[iterations]: must be a whole number above 0, not "ten"',
      '--agent: must be text that is not empty, not ""',
      '--on-reject: must be rollback or keep, not "shrug"',
      '--max-cost: must be a number of US dollars above 0, not 0',
      '--gate-timeout: must be a duration like 90s, 15m or 8h, not "-1s"',
      'RALPH_GATES: must be a list of commands like ["npm test"], or [] for none, not "npm test"',
      'RALPH_MAX_STALLS: must be a whole number above 0, not 0',
      'RALPH_MAX_DURATION: has no unit: 30s for seconds, 30m for minutes, 30h for hours',
      'RALPH_PUSH: must be true or false, not "maybe"',
    ]);
  });

  it.each(['0', '-5', '1.5', '1e9x', '1e3', '+3', '', ' 3', 'ten', '0x10', '９', '99999999999999999999'])(
    '%j is no number of iterations',
    (text) => expect(problemsOf({ given: { maxIterations: option(text, '--max-iterations') } })).toHaveLength(1),
  );

  it.each(['0', '-1', 'much', '1e3', '$5', '', 'Infinity', 'NaN', '1,5'])('%j is no cost', (text) =>
    expect(problemsOf({ given: { maxCost: option(text, '--max-cost') } })).toHaveLength(1),
  );

  it.each(['maxDuration', 'iterationTimeout', 'gateTimeout'] as const)('%s is longer than 0', (key) => {
    expect(problemsOf({ given: { [key]: option('0', '--x') } })).toEqual(['--x: must be longer than 0']);
    expect(problemsOf({ given: { [key]: option('1s', '--x') } })).toEqual([]);
  });
});
