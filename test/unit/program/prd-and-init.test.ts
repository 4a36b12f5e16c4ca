import { describe, expect, it } from 'vitest';
import { call } from './calling.ts';

const plain = { cwd: undefined, noColor: false, verbose: false };

describe('ralph prd', () => {
  it.each([
    [['prd', 'mark tasks'], { idea: ['mark tasks'] }],
    [['prd', 'mark', 'tasks'], { idea: ['mark', 'tasks'] }],
    [['prd'], { idea: [] }],
    [['prd', '--yes', 'x'], { idea: ['x'], yes: true }],
    [['--yes', 'prd', 'x'], { idea: ['x'], yes: true }],
    [['prd', 'x', '--answers', '1B 2A'], { idea: ['x'], answers: '1B 2A' }],
    [['prd', '--answers', 'run', 'x'], { idea: ['x'], answers: 'run' }],
    [['prd', 'run', '10'], { idea: ['run', '10'] }],
    [['prd', 'x', '--', '--effort', 'low'], { idea: ['x'], agentArgs: ['--effort', 'low'] }],
    [['-C', 'sub', 'prd', 'x'], { idea: ['x'], cwd: 'sub' }],
    [['prd', 'x', '--agent', 'amp'], { idea: ['x'], given: { tool: { value: 'amp', source: '--agent' } } }],
    [['prd', 'x', '--model=m'], { idea: ['x'], given: { model: { value: 'm', source: '--model' } } }],
  ])('%j', async (argv, expected) => {
    const { calls } = await call(...argv);
    const unset = { ...plain, given: {}, answers: undefined, yes: false, agentArgs: [] };
    expect(calls).toEqual([{ name: 'prd', options: { ...unset, ...expected } }]);
  });

  it.each([
    [['prd', 'x', '--answers'], /^--answers needs a value/],
    [['prd', 'x', '--answer', '1B'], /^unknown option --answer .*--answers/],
    [['prd', 'x', '--push'], /^unknown option --push/],
  ])('%j makes no sense', async (argv, message) => {
    const { calls, error } = await call(...argv);
    expect([calls, error?.message]).toEqual([[], expect.stringMatching(message)]);
  });
});

describe('ralph init', () => {
  it.each([
    [['init'], undefined],
    [['init', '--skills', 'agents'], 'agents'],
    [['init', '--skills=none', '--skills', 'claude'], 'claude'],
  ])('%j', async (argv, skills) => {
    expect((await call(...argv)).calls).toEqual([{ name: 'init', options: { ...plain, skills } }]);
  });
});
