import { describe, expect, it } from 'vitest';
import { World } from './fake-ports.ts';

describe('with --on-reject keep', () => {
  it('the work stays, and the next accepted commit holds everything since the last one', async () => {
    const world = new World({
      options: { onReject: 'keep' },
      agent: (hand) => (hand.write(`${hand.call}.txt`), hand.call === 3 ? hand.tick() : undefined),
    });
    expect(await world.run()).toEqual({ reason: 'complete' });
    expect(world.commits.map(({ files }) => files)).toEqual([['1.txt', '2.txt', '3.txt']]);
    expect(world.steps).not.toContain('roll back');
    expect(world.event('rescue.saved')).toEqual([]);
  });

  it('a tick alone can claim what was kept', async () => {
    const world = new World({
      options: { onReject: 'keep' },
      agent: (hand) => (hand.call === 1 ? hand.write('a.txt') : hand.tick()),
    });
    expect(await world.run()).toEqual({ reason: 'complete' });
    expect(world.commits.map(({ files }) => files)).toEqual([['a.txt']]);
  });
});
