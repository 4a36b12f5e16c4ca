import { describe, expect, it } from 'vitest';
import { option, problemsOf, resolve } from './resolving.ts';
import type { World } from './resolving.ts';

describe('the limit of iterations is one setting', () => {
  const lifted = { unlimited: option(true, '--unlimited') };
  const three = { maxIterations: option('3', '[iterations]') };
  const ways: [string, World, number | undefined, string][] = [
    ['an option lifts the limit of the file', { given: lifted, file: { maxIterations: 3 } }, undefined, '--unlimited'],
    ['an option limits what the file lifts', { given: three, file: { unlimited: true } }, 3, '[iterations]'],
    ['a variable lifts', { env: { RALPH_UNLIMITED: '1' }, file: { maxIterations: 3 } }, undefined, 'RALPH_UNLIMITED'],
    ['a variable limits', { env: { RALPH_MAX_ITERATIONS: '4' }, file: { unlimited: true } }, 4, 'RALPH_MAX_ITERATIONS'],
    ['in one source the lifting wins', { file: { maxIterations: 3, unlimited: true } }, undefined, 'ralph.config.json'],
    ['false lifts nothing', { file: { maxIterations: 3, unlimited: false } }, 3, 'ralph.config.json'],
    ['false takes a lifting back', { env: { RALPH_UNLIMITED: '0' }, file: { unlimited: true } }, 10, 'default'],
    [
      'false keeps the number',
      { env: { RALPH_UNLIMITED: '0' }, file: { unlimited: true, maxIterations: 6 } },
      6,
      'ralph.config.json',
    ],
  ];
  it.each(ways)('%s', (_, world, limit, source) => {
    const { settings, sources } = resolve(world);
    expect([settings.maxIterations, sources.maxIterations]).toEqual([limit, source]);
    expect(settings).not.toHaveProperty('unlimited');
  });
});

describe('gates', () => {
  it('an empty list is none, and not the same as nothing said', () => {
    expect(resolve({ file: { gates: [] } }).settings.gates).toEqual([]);
    expect(resolve({ env: { RALPH_GATES: '[]' }, file: { gates: ['x'] } }).settings.gates).toEqual([]);
    expect(resolve({ given: { gates: option([], '--no-gates') }, file: { gates: ['x'] } }).sources.gates).toBe(
      '--no-gates',
    );
  });

  it('options give commands, which get names', () => {
    const given = { gates: option(['npm run --silent lint', 'cargo test', 'cargo test', '!!'], '--gate') };
    expect(resolve({ given }).settings.gates?.map((gate) => gate.name)).toEqual([
      'lint',
      'cargo-test',
      'cargo-test-2',
      'gate',
    ]);
  });

  it('an empty command is an error', () => {
    expect(problemsOf({ given: { gates: option([' '], '--gate') } })).toEqual([
      '--gate: must be text that is not empty, not " "',
    ]);
  });
});

describe('agents', () => {
  it('a command is enough: the rest has defaults', () => {
    const agents = {
      mine: { command: 'my-agent' },
      other: { command: 'x', args: ['-p'], prompt: 'argument', model: ['-m={{model}}'] },
    };
    expect(resolve({ file: { agents } }).settings.agents).toEqual({
      mine: { command: 'my-agent', args: [], prompt: 'stdin', output: 'text', memoryFile: undefined, model: [] },
      other: {
        command: 'x',
        args: ['-p'],
        prompt: 'argument',
        output: 'text',
        memoryFile: undefined,
        model: ['-m={{model}}'],
      },
    });
  });
});

describe('warnings', () => {
  it('an idle timeout under 10m is told, with its source; 0 is not', () => {
    expect(resolve({ env: { RALPH_IDLE_TIMEOUT: '9m' } }).warnings).toEqual([
      { place: 'RALPH_IDLE_TIMEOUT', text: expect.stringMatching(/under 10m/) },
    ]);
    expect(resolve({ file: { idleTimeout: '1s' } }).warnings[0]?.place).toBe('ralph.config.json: idleTimeout');
    expect(resolve({ given: { idleTimeout: option('10m', '--idle-timeout') } }).warnings).toEqual([]);
    expect(resolve({ file: { idleTimeout: 0 } }).warnings).toEqual([]);
  });
});
