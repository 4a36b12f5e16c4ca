import { describe, expect, it } from 'vitest';
import { RalphError } from '../../../src/errors.ts';
import { findBrokenStories, tryGates } from '../../../src/loop/start-checks.ts';
import { World } from './fake-ports.ts';

const interrupted = { kind: 'signal', signal: 'SIGINT' } as const;

describe('the gates before any work', () => {
  it('all run once, in order', async () => {
    const world = new World({ gates: ['lint', 'test'] });
    expect(await tryGates(world.ports(), world.options, world.state)).toBeUndefined();
    expect(world.checks).toEqual(['lint', 'test']);
    expect(world.state.unboundGates.size).toBe(0);
  });

  it('a red one ends the start with its last lines and the three ways on', async () => {
    const tail = Array.from({ length: 30 }, (_, at) => `line ${at + 1}`).join('\n');
    const world = new World({ gates: ['lint', 'test'], check: () => ({ red: tail }) });
    const error = await tryGates(world.ports(), world.options, world.state).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(RalphError);
    if (!(error instanceof RalphError)) return;
    expect(error.reason).toBe('usage');
    expect(error.message).toContain('lint');
    expect(error.problems[0]).toBe('line 16');
    expect(error.problems.at(-1)).toContain('logs/lint.log');
    expect(error.cures.join('\n')).toMatch(/run lint[^]*--no-gates[^]*--allow-red/);
    expect(world.checks).toEqual(['lint']);
  });

  it('with --allow-red a red one does not bind, and says so; the others are run', async () => {
    const world = new World({
      gates: ['lint', 'test'],
      options: { allowRed: true },
      check: ({ name }) => (name === 'lint' ? 'red' : 'green'),
    });
    expect(await tryGates(world.ports(), world.options, world.state)).toBeUndefined();
    expect([...world.state.unboundGates]).toEqual(['lint']);
    expect(world.event('warning.raised')).toMatchObject([
      { place: 'gate lint', text: expect.stringContaining('--allow-red') },
    ]);
    expect(world.checks).toEqual(['lint', 'test']);
  });

  it('are not run with --trust; a signal ends the start', async () => {
    const trusting = new World({ options: { trust: true }, check: () => 'red' });
    expect(await tryGates(trusting.ports(), trusting.options, trusting.state)).toBeUndefined();
    expect(trusting.checks).toEqual([]);
    const cut = new World({ check: (_, self) => (self.controller.abort(interrupted), 'interrupted') });
    expect(await tryGates(cut.ports(), cut.options, cut.state)).toEqual({ reason: 'interrupted', signal: 'SIGINT' });
  });
});

describe('the checks of stories that passed', () => {
  const stories = [
    { passes: true, checks: ['a', 'b'] },
    { passes: true },
    { checks: ['c'] },
    { passes: true, checks: ['d'] },
  ];
  const brokenIn = async (world: World): Promise<unknown> =>
    findBrokenStories(world.ports(), world.options, await world.ports().prd.read());

  it('run once each; a red one opens its story again', async () => {
    const world = new World({ stories, check: ({ command }) => (command === 'a' ? 'red' : 'green') });
    expect(await brokenIn(world)).toEqual([{ id: 'US-001', reason: 'the check US-001-1 failed with exit code 1 (a)' }]);
    expect(world.checks).toEqual(['US-001-1', 'US-004-1']);
  });

  it('are not run with --trust or --regressions off; a signal ends the start', async () => {
    for (const options of [{ trust: true }, { regressions: 'off' } as const]) {
      const world = new World({ stories, options, check: () => 'red' });
      expect(await brokenIn(world)).toEqual([]);
      expect(world.checks).toEqual([]);
    }
    const cut = new World({ stories, check: (_, self) => (self.controller.abort(interrupted), 'interrupted') });
    expect(await brokenIn(cut)).toEqual({ reason: 'interrupted', signal: 'SIGINT' });
  });
});
