import { describe, expect, it } from 'vitest';
import { good } from './fake-agents.ts';
import { World } from './fake-ports.ts';

describe('a commit hook', () => {
  it('that refuses turns the acceptance into a rejection', async () => {
    const world = new World({
      options: { maxIterations: 2, maxAttempts: 9 },
      agent: good,
      commit: (_, { commits }) =>
        commits.length === 0 && world.requests.length === 1
          ? {
              kind: 'hook',
              result: {
                check: { name: 'pre-commit', kind: 'hook', command: 'git hook run pre-commit', timeoutMs: 1 },
                green: false,
                exit: 2,
                timedOut: false,
                interrupted: false,
                tail: 'no tabs',
                log: 'x.log',
              },
            }
          : undefined,
    });
    expect(await world.run()).toEqual({ reason: 'complete' });
    expect(world.verdicts()).toEqual(['rejected', 'passed']);
    expect(world.event('story.rejected')).toMatchObject([
      { reason: 'the commit hook pre-commit failed with exit code 2', attempts: 1 },
    ]);
    expect(world.prompts[1]?.feedback?.gate).toEqual({ name: 'pre-commit', tail: 'no tabs' });
    expect(world.steps.filter((step) => step === 'roll back')).toHaveLength(1);
    expect(world.logText).toContain('verdict of ralph: rejected');
    expect(world.logText.match(/verdict of ralph: passed/g)).toHaveLength(1);
  });

  it('git that refuses to commit leaves no tick behind, and the iteration has an end on record', async () => {
    const world = new World({
      agent: good,
      commit: () => {
        throw new Error('disk full');
      },
    });
    await expect(world.run()).rejects.toThrow('disk full');
    expect(world.passes()).toEqual([false]);
    expect(world.logText).not.toContain('verdict of ralph: passed');
    expect([...world.tree.keys()]).toEqual(['src/US-001']);
    expect(world.verdicts()).toEqual(['interrupted']);
  });
});

describe('--push', () => {
  it('pushes after each accepted story; a refusal is a warning and tried again after the next', async () => {
    const world = new World({ stories: [{}, {}], options: { push: true }, agent: good });
    world.pushWarning = 'the remote refuses';
    expect(await world.run()).toEqual({ reason: 'complete' });
    expect(world.steps.filter((step) => step === 'push')).toHaveLength(2);
    expect(world.event('warning.raised')).toMatchObject([
      { text: 'the remote refuses', place: '--push' },
      { place: '--push' },
    ]);
  });
});
