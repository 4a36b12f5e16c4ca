import { describe, expect, it } from 'vitest';
import { findAgent, listAgents, verifyModel } from '../../../src/agent/registry.ts';
import type { ArgsOptions } from '../../../src/agent/types.ts';
import type { AgentSetting } from '../../../src/config/settings.ts';
import { UsageError } from '../../../src/errors.ts';

const own: AgentSetting = {
  command: './my agent',
  args: ['--flag', 'two words; touch X'],
  prompt: 'stdin',
  output: 'text',
  memoryFile: undefined,
  model: [],
};
const options: ArgsOptions = { model: undefined, maxCostUsd: undefined, extraArgs: [], prompt: undefined };
const find = (name: string, agents: Record<string, AgentSetting> = {}): ReturnType<typeof findAgent> =>
  findAgent(name, agents, (word, known) => known.find((other) => other.startsWith(word.slice(0, 2))));
const failure = (step: () => unknown): UsageError => {
  try {
    step();
  } catch (error) {
    if (error instanceof UsageError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
};

describe('command lines', () => {
  it('claude: events, no questions, then model, cap and the arguments of the user', () => {
    const claude = find('claude');
    expect(claude.args(options)).toEqual([
      '-p',
      '--dangerously-skip-permissions',
      '--output-format',
      'stream-json',
      '--verbose',
    ]);
    const all = claude.args({ ...options, model: 'opus', maxCostUsd: 0.1 + 0.2, extraArgs: ['--effort', 'high'] });
    expect(all.slice(5)).toEqual(['--model', 'opus', '--max-budget-usd', '0.3', '--effort', 'high']);
    expect(claude.args({ ...options, maxCostUsd: 1e-9 }).at(-1)).toBe('0.0001');
    expect(claude).toMatchObject({ promptBy: 'stdin', memoryFile: 'CLAUDE.md', env: { DISABLE_AUTOUPDATER: '1' } });
  });

  it('amp: the stream of claude; an option stands behind -x', () => {
    expect(find('amp').args({ ...options, extraArgs: ['--mode', 'x'] })).toEqual([
      '--dangerously-allow-all',
      '-x',
      '--stream-json',
      '--mode',
      'x',
    ]);
    expect(find('amp')).toMatchObject({ promptBy: 'stdin', memoryFile: 'AGENTS.md' });
  });

  it('codex: the arguments of the user before the dash that stands for the prompt', () => {
    const args = find('codex').args({ ...options, model: 'gpt', extraArgs: ['-c', 'a=b'] });
    expect(args).toEqual([
      'exec',
      '--json',
      '--dangerously-bypass-approvals-and-sandbox',
      '-m',
      'gpt',
      '-c',
      'a=b',
      '-',
    ]);
  });

  it('gemini and opencode', () => {
    expect(find('gemini').args(options)).toEqual(['--yolo', '--skip-trust']);
    expect(find('opencode').args(options)).toEqual(['run', '--auto']);
  });

  it.each(listAgents({ mine: own }).map((spec) => [spec.name, spec] as const))(
    '%s never takes up an old session',
    (_, spec) => {
      for (const old of ['-c', '--continue', '-r', '--resume'])
        expect(spec.args({ ...options, model: 'm', maxCostUsd: 1 })).not.toContain(old);
    },
  );
});

describe('an agent of the config', () => {
  it('has its arguments as they are, then model and arguments of the user', () => {
    const mine = find('mine', { mine: { ...own, model: ['--model={{model}}'] } });
    expect(mine.args({ ...options, model: '$&', extraArgs: ['-x'] })).toEqual([...own.args, '--model=$&', '-x']);
    expect(mine.args(options)).toEqual(own.args);
    expect(mine).toMatchObject({ command: './my agent', memoryFile: 'AGENTS.md', preflight: undefined });
  });

  it('gets its prompt as the last argument, or where it says', () => {
    const prompt = 'a $& `b`\n"c"';
    const last = find('mine', { mine: { ...own, prompt: 'argument' } });
    expect(last.args({ ...options, prompt, extraArgs: ['-x'] })).toEqual([...own.args, '-x', prompt]);
    const placed = find('mine', { mine: { ...own, args: ['--task={{prompt}}', '-q'], prompt: 'argument' } });
    expect(placed.args({ ...options, prompt, extraArgs: ['-x'] })).toEqual([`--task=${prompt}`, '-q', '-x']);
    const file = find('mine', { mine: { ...own, args: ['@{{promptFile}}'], prompt: 'file' } });
    expect(file.args({ ...options, prompt: '/run/prompt.md' })).toEqual(['@/run/prompt.md']);
  });

  it('may take the place of a preset, not of a built-in one', () => {
    expect(find('codex', { codex: own }).origin).toBe('config');
    expect(listAgents({ codex: own }).filter((spec) => spec.name === 'codex')).toHaveLength(1);
    const error = failure(() => find('mine', { claude: own, mine: own }));
    expect(error.problems).toEqual([expect.stringContaining('agents.claude')]);
  });
});

describe('a name', () => {
  it('that is unknown is answered with all that are known, and the one that was meant', () => {
    const error = failure(() => find('cluade', { mine: own }));
    expect(error.message).toContain('"cluade"');
    expect(error.message).toContain('claude');
    expect(error.problems.join()).toContain('claude, amp, mine, codex, gemini, opencode');
  });

  it('of something that every object has is no agent', () => {
    expect(failure(() => find('toString'))).toBeInstanceOf(UsageError);
  });
});

describe('a model', () => {
  it('is refused for an agent that can not be told', () => {
    expect(() => verifyModel(find('claude'), 'opus')).not.toThrow();
    expect(() => verifyModel(find('amp'), undefined)).not.toThrow();
    expect(failure(() => verifyModel(find('amp'), 'opus')).cures.join()).toContain('--');
    expect(failure(() => verifyModel(find('mine', { mine: own }), 'opus')).cures.join()).toContain('agents.mine.model');
  });
});
