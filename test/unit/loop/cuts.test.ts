import { describe, expect, it } from 'vitest';
import type { Cut } from '../../../src/loop/ports.ts';
import type { Stop } from '../../../src/loop/stop.ts';
import { good, limitUntil, overloaded } from './fake-agents.ts';
import { START, World } from './fake-ports.ts';
import type { WorldOptions } from './fake-ports.ts';

const cuts: [Cut, Partial<Stop>][] = [
  [
    { kind: 'signal', signal: 'SIGINT' },
    { reason: 'interrupted', signal: 'SIGINT' },
  ],
  [
    { kind: 'signal', signal: 'SIGHUP' },
    { reason: 'interrupted', signal: 'SIGHUP' },
  ],
  [{ kind: 'duration' }, { reason: 'budget' }],
  [{ kind: 'stop' }, { reason: 'stopped' }],
];

describe.each(cuts)('a cut (%j)', (cut, stop) => {
  const expectUndone = (world: World): void => {
    expect(world.verdicts()).toEqual(['interrupted']);
    expect(world.passes()).toEqual([false, false]);
    expect(world.story().attempts).toBe(0);
    expect(world.commits).toEqual([]);
    expect(world.tree.size).toBe(0);
    expect(world.requests).toHaveLength(1);
    expect(world.event('story.rejected')).toEqual([]);
    expect([world.state.failures, world.state.stalls]).toEqual([0, 0]);
    expect(world.steps.at(-1)).toBe('release');
  };
  const worldOf = (given: WorldOptions): World => new World({ stories: [{}, {}], gates: ['lint', 'test'], ...given });

  it('while the agent works: a tick is not accepted, the work is kept aside', async () => {
    const world = worldOf({ agent: (hand) => (hand.work(), hand.cut(cut)) });
    expect(await world.run()).toMatchObject(stop);
    expectUndone(world);
    expect(world.checks).toEqual([]);
    expect(world.refs).toHaveLength(1);
    expect(world.logText).toContain('verdict of ralph: interrupted');
  });

  it('while a gate runs: nothing is concluded, and what the gate changed is put back', async () => {
    const world = worldOf({
      agent: good,
      check: ({ name }, self) => {
        if (name !== 'lint') return 'green';
        self.tree.set('coverage', 'x');
        self.controller.abort(cut);
        return 'interrupted';
      },
    });
    expect(await world.run()).toMatchObject(stop);
    expectUndone(world);
    expect(world.checks).toEqual(['lint']);
    expect(world.steps).toContain('put back');
  });

  it('just after the last gate got green: too late for the claim', async () => {
    const world = worldOf({
      agent: good,
      check: ({ name }, self) => {
        if (name === 'test') self.controller.abort(cut);
        return 'green';
      },
    });
    expect(await world.run()).toMatchObject(stop);
    expectUndone(world);
  });

  it('while a commit hook runs', async () => {
    const world = worldOf({
      agent: good,
      commit: (_, self) => {
        self.controller.abort(cut);
        return { kind: 'interrupted' };
      },
    });
    expect(await world.run()).toMatchObject(stop);
    expectUndone(world);
    expect(world.logText).not.toContain('verdict of ralph: passed');
  });

  it('while the commit is written: it is finished and counts', async () => {
    const world = worldOf({ agent: good, commit: (_, self) => self.controller.abort(cut) });
    expect(await world.run()).toMatchObject(stop);
    expect(world.verdicts()).toEqual(['passed']);
    expect(world.passes()).toEqual([true, false]);
    expect(world.commits).toHaveLength(1);
  });

  it('while the commit of the last story is written: complete', async () => {
    const world = new World({ agent: good, commit: (_, self) => self.controller.abort(cut) });
    expect(await world.run()).toEqual({ reason: 'complete' });
  });

  it('during the delay: no other iteration', async () => {
    const world = worldOf({ agent: good, onSleep: (self) => self.controller.abort(cut) });
    expect(await world.run()).toMatchObject(stop);
    expect(world.requests).toHaveLength(1);
    expect(world.event('iteration.started')).toHaveLength(1);
    expect(world.verdicts()).toEqual(['passed']);
  });

  it.each([limitUntil(START + 3_600_000), overloaded])(
    'during the wait in an iteration: settled as interrupted',
    async (end) => {
      const world = worldOf({
        agent: (hand) => (hand.write('a.txt'), end),
        onSleep: (self) => self.controller.abort(cut),
      });
      expect(await world.run()).toMatchObject(stop);
      expect(world.verdicts()).toEqual(['interrupted']);
      expect(world.requests).toHaveLength(1);
      expect(world.tree.size).toBe(0);
      expect(world.story().attempts).toBe(0);
      expect(world.event('story.unfinished')).toEqual([]);
      expect(world.logText).toContain('verdict of ralph: interrupted');
      expect(world.now - START).toBeLessThan(5_000);
    },
  );

  it('during the wait before the next iteration', async () => {
    const world = worldOf({
      agent: (hand) => (hand.work(), limitUntil(START + 3_600_000)),
      onSleep: (self) => self.controller.abort(cut),
    });
    expect(await world.run()).toMatchObject(stop);
    expect(world.passes()).toEqual([true, false]);
    expect(world.requests).toHaveLength(1);
  });

  it('before the first iteration: none is started', async () => {
    const world = worldOf({ agent: good });
    world.controller.abort(cut);
    expect(await world.run()).toMatchObject(stop);
    expect(world.events).toEqual([]);
  });

  it('with --on-reject keep leaves the work in the tree', async () => {
    const world = worldOf({
      options: { onReject: 'keep' },
      agent: (hand) => (hand.work(), hand.cut(cut)),
    });
    expect(await world.run()).toMatchObject(stop);
    expect([...world.tree.keys()]).toEqual(['src/US-001']);
    expect(world.passes()).toEqual([false, false]);
  });
});
