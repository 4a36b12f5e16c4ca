import { describe, expect, it } from 'vitest';
import { World } from './fake-ports.ts';

describe('with --trust', () => {
  const trust = { trust: true };

  it('ticks are believed: no gate, no check, no attempt; what is left is committed', async () => {
    const world = new World({
      stories: [{ checks: ['x'] }],
      options: trust,
      agent: (hand) => (hand.write('a.txt'), hand.tick()),
    });
    expect(await world.run()).toEqual({ reason: 'complete' });
    expect(world.checks).toEqual([]);
    expect(world.prompts[0]?.gates).toEqual([]);
    expect(world.commits).toMatchObject([
      { files: ['a.txt'], trailers: { 'Ralph-Gates': 'none (claimed, not verified)' } },
    ]);
    expect(world.story()).toMatchObject({ passes: true, attempts: 0 });
    expect(world.event('story.passed')).toMatchObject([{ verified: false, attempts: 0 }]);
  });

  it('a tick without any change is believed, too', async () => {
    const world = new World({ options: trust, agent: (hand) => hand.tick() });
    expect(await world.run()).toEqual({ reason: 'complete' });
  });

  it('nothing is rolled back and no story ever blocked by attempts; the guards still end the run', async () => {
    const world = new World({
      options: { ...trust, maxAttempts: 1, maxFailures: 2 },
      agent: (hand) => (hand.write(`${hand.call}`), { class: 'crash' }),
    });
    expect(await world.run()).toEqual({ reason: 'stalled', text: 'the last line' });
    expect([...world.tree.keys()]).toEqual(['1', '2']);
    expect(world.steps).not.toContain('roll back');
    expect(world.story()).toMatchObject({ attempts: 0, blocked: undefined });
  });

  it('the sentinel as the last line ends the run; one further up is premature', async () => {
    const world = new World({
      stories: [{}, {}],
      options: trust,
      agent: (hand) => ({ words: { sentinel: true, sentinelLast: hand.call === 2, blocked: undefined } }),
    });
    expect(await world.run()).toEqual({ reason: 'complete' });
    expect(world.requests).toHaveLength(2);
    expect(world.event('claim.premature')).toMatchObject([{ iteration: 1, open: ['US-001', 'US-002'] }]);
    expect(world.passes()).toEqual([false, false]);
  });

  it('the sentinel ends the run, too, when a story passed with it', async () => {
    const world = new World({
      stories: [{}, {}],
      options: trust,
      agent: (hand) => (hand.work(), { words: { sentinel: true, sentinelLast: true, blocked: undefined } }),
    });
    expect(await world.run()).toEqual({ reason: 'complete' });
    expect(world.requests).toHaveLength(1);
    expect(world.passes()).toEqual([true, false]);
  });
});
