import { describe, expect, it } from 'vitest';
import { limitUntil } from './fake-agents.ts';
import { once, START, World } from './fake-ports.ts';

describe('a passed story that the agent opens again', () => {
  it('is open, on record, and its checks do not count against the others', async () => {
    const world = new World({
      stories: [{ passes: true, checks: ['old'] }, {}],
      options: once,
      agent: (hand) => (hand.tick('US-001', false), hand.work()),
      check: ({ command }) => (command === 'old' ? 'red' : 'green'),
    });
    await world.run();
    expect(world.passes()).toEqual([false, true]);
    expect(world.event('claim.withdrawn')).toMatchObject([{ by: 'agent', story: 'US-001' }]);
  });

  it('is open also where a limit cut the try off', async () => {
    const world = new World({
      stories: [{ passes: true }, {}],
      options: once,
      agent: (hand) => (hand.call === 1 ? (hand.tick('US-001', false), limitUntil(START + 1_000)) : undefined),
    });
    await world.run();
    expect(world.passes()).toEqual([false, false]);
  });
});
