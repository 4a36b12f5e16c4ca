import { describe, expect, it } from 'vitest';
import { good, limitUntil } from './fake-agents.ts';
import { START, World } from './fake-ports.ts';

const HOUR = 60 * 60_000;

describe('the branch', () => {
  it('is looked after before each iteration, behind its pause, and before each further try', async () => {
    const world = new World({
      stories: [{}, {}],
      agent: (hand) => (hand.call === 2 ? limitUntil(START + HOUR) : (hand.work(), {})),
    });
    await world.run();
    // Before the first agent, behind the delay, and behind the wait for the limit.
    expect(world.looks).toEqual([0, 1, 2]);
  });

  it('is left alone where the run was cut short meanwhile', async () => {
    const world = new World({
      stories: [{}, {}],
      agent: good,
      onSleep: (now) => now.controller.abort({ kind: 'signal', signal: 'SIGINT' }),
    });
    await world.run();
    expect(world.looks).toEqual([0]);
  });
});
