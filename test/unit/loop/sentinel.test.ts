import { describe, expect, it } from 'vitest';
import { earlySentinel } from './fake-agents.ts';
import { once, World } from './fake-ports.ts';

describe('a sentinel while stories are open', () => {
  it('is on record after the judging with what is open then, told once to the next agent, and ends nothing', async () => {
    const world = new World({
      stories: [{ passes: true }, {}, {}, {}],
      options: { maxIterations: 3 },
      agent: (hand) => (hand.work(), hand.call === 1 ? earlySentinel : {}),
    });
    await world.run();
    expect(world.event('claim.premature')).toMatchObject([{ open: ['US-003', 'US-004'], iteration: 1 }]);
    const names = world.events.map(({ type }) => type);
    expect(names.indexOf('claim.premature')).toBeGreaterThan(names.indexOf('story.passed'));
    expect(world.prompts[1]?.feedback?.remarks).toEqual([expect.stringContaining('US-003, US-004')]);
    expect(world.prompts[2]?.feedback).toBeUndefined();
  });

  it('is none when the last story passes with it, and claims nothing by itself', async () => {
    const done = new World({ agent: (hand) => (hand.work(), earlySentinel) });
    expect(await done.run()).toEqual({ reason: 'complete' });
    expect(done.event('claim.premature')).toEqual([]);
    const empty = new World({ options: once, agent: (hand) => (hand.write('a'), earlySentinel) });
    await empty.run();
    expect(empty.verdicts()).toEqual(['unfinished']);
  });
});
