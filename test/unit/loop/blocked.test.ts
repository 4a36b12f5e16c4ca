import { describe, expect, it } from 'vitest';
import { blockedBy, limitUntil } from './fake-agents.ts';
import { once, START, World } from './fake-ports.ts';

describe('blocked', () => {
  it('by the words of the agent: the selected story, at once, without an attempt', async () => {
    const world = new World({
      stories: [{}, {}],
      agent: (hand) => (hand.call === 1 ? blockedBy(' no key ') : hand.work()),
    });
    expect(await world.run()).toEqual({ reason: 'blocked' });
    expect(world.verdicts()).toEqual(['blocked', 'passed']);
    expect(world.story()).toMatchObject({ blocked: 'no key', attempts: 0 });
    expect(world.event('story.blocked')).toEqual([
      { type: 'story.blocked', reason: 'no key', iteration: 1, story: 'US-001' },
    ]);
    expect(world.event('story.unfinished')).toEqual([]);
    expect([world.state.stalls, world.state.failures]).toEqual([0, 0]);
    expect(world.entries[0]?.lines).toContain('US-001: blocked, no key');
  });

  it('by a note that begins so, on any story; what it says is the reason', async () => {
    const world = new World({
      stories: [{}, {}, {}],
      options: once,
      agent: (hand) => (hand.note('US-001', 'BLOCKER - no key'), hand.note('US-003', 'BLOCKED')),
    });
    await world.run();
    expect(world.story('US-001')).toMatchObject({ blocked: 'no key', notes: 'BLOCKER - no key' });
    expect(world.story('US-003').blocked).toBe('the agent gave no reason');
    expect(world.verdicts()).toEqual(['blocked']);
    expect(world.event('story.blocked').map(({ story }) => story)).toEqual(['US-001', 'US-003']);
  });

  it('of another story by a note while the selected one passes: on record, too', async () => {
    const world = new World({
      stories: [{}, {}],
      agent: (hand) => (hand.work(), hand.note('US-002', 'BLOCKED: later')),
    });
    expect(await world.run()).toEqual({ reason: 'blocked' });
    expect(world.event('story.blocked')).toMatchObject([{ story: 'US-002', reason: 'later' }]);
    expect(JSON.parse(world.commits[0]?.prd ?? '').userStories[1].ralph.blocked).toBe('later');
  });

  it('is judged instead where the same story was ticked', async () => {
    const world = new World({
      agent: (hand) => (hand.work(), hand.note('US-001', 'BLOCKED: or not'), blockedBy('no key')),
    });
    expect(await world.run()).toEqual({ reason: 'complete' });
    expect(world.event('story.blocked')).toEqual([]);
  });

  it('is no block where that tick is rejected: an attempt like any other', async () => {
    const world = new World({
      options: once,
      agent: (hand) => (hand.work(), hand.note('US-001', 'BLOCKED: or not'), blockedBy('no key')),
      check: () => 'red',
    });
    await world.run();
    expect(world.verdicts()).toEqual(['rejected']);
    expect(world.story()).toMatchObject({ attempts: 1, blocked: undefined });
  });

  it('at once, although a limit ended the agent: no other try, and the wait comes before the next iteration', async () => {
    const world = new World({
      stories: [{}, {}],
      options: { delayMs: 0 },
      agent: (hand) => {
        if (hand.call > 1) return hand.work();
        hand.note('US-001', 'BLOCKED: no key');
        return limitUntil(START + 60_000);
      },
    });
    await world.run();
    expect(world.story().blocked).toBe('no key');
    expect(world.requests.map(({ iteration, story }) => [iteration, story])).toEqual([
      [1, 'US-001'],
      [2, 'US-002'],
    ]);
    expect(world.event('agent.limit')).toHaveLength(1);
  });

  it('a story that the agent opened again in the same turn is open and blocked', async () => {
    const world = new World({
      stories: [{ passes: true }, {}],
      options: once,
      agent: (hand) => (hand.tick('US-001', false), hand.note('US-001', 'BLOCKED: broken')),
    });
    await world.run();
    expect(world.story('US-001')).toMatchObject({ passes: false, blocked: 'broken' });
  });
});
