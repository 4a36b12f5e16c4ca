import { describe, expect, it } from 'vitest';
import { blockedBy, earlySentinel, limitUntil, noCredit, overloaded, sentinel } from './fake-agents.ts';
import { START, World } from './fake-ports.ts';
import type { Agent } from './fake-agents.ts';
import type { WorldOptions } from './fake-ports.ts';

const promptWorld = (given: WorldOptions): World =>
  new World({ ...given, options: { mode: 'prompt', ...given.options } });
const works =
  (doneAt: number): Agent =>
  (hand) => {
    hand.write(`${hand.call}.txt`);
    return hand.call >= doneAt ? sentinel : undefined;
  };

describe('prompt mode', () => {
  it('ends with the sentinel as the last line and green gates; ralph makes no commits', async () => {
    const world = promptWorld({ gates: ['lint', 'test'], agent: works(2) });
    expect(await world.runPrompt()).toEqual({ reason: 'complete' });
    expect(world.verdicts()).toEqual(['unfinished', 'passed']);
    expect(world.checks).toEqual(['lint', 'test']);
    expect(world.requests.map(({ story }) => story)).toEqual([undefined, undefined]);
    expect(world.event('iteration.started')[0]).toEqual({ type: 'iteration.started', title: null, iteration: 1 });
    expect(world.steps).not.toContain('commit');
    expect([...world.tree.keys()]).toEqual(['1.txt', '2.txt']);
    expect([world.state.verified, world.state.unverified]).toEqual([1, 0]);
  });

  it('a sentinel further up ends nothing', async () => {
    const world = promptWorld({
      options: { maxIterations: 2 },
      agent: (hand) => (hand.write(`${hand.call}`), earlySentinel),
    });
    expect(await world.runPrompt()).toEqual({ reason: 'iterations' });
    expect(world.checks).toEqual([]);
  });

  it('a sentinel while a gate is red is rejected: rolled back, told to the next agent, once', async () => {
    const world = promptWorld({
      options: { maxIterations: 3 },
      agent: (hand) => (hand.write(`${hand.call}.txt`), hand.call === 1 ? sentinel : undefined),
      check: () => ({ red: 'E42' }),
    });
    await world.runPrompt();
    expect(world.verdicts()).toEqual(['rejected', 'unfinished', 'unfinished']);
    expect([...world.tree.keys()]).toEqual(['2.txt', '3.txt']);
    expect(world.event('rescue.saved')).toEqual([{ type: 'rescue.saved', ref: 'refs/ralph/run-1/1', iteration: 1 }]);
    expect(world.prompts.map(({ feedback }) => feedback?.verdict)).toEqual([undefined, 'rejected', undefined]);
    expect(world.prompts[1]?.feedback).toMatchObject({
      gate: { name: 'test', tail: 'E42' },
      ref: 'refs/ralph/run-1/1',
    });
    expect(world.state.rejected).toBe(1);
  });

  it('with --on-reject keep a rejected sentinel leaves the work', async () => {
    const world = promptWorld({ options: { maxIterations: 1, onReject: 'keep' }, agent: works(1), check: () => 'red' });
    await world.runPrompt();
    expect([...world.tree.keys()]).toEqual(['1.txt']);
    expect(world.steps).not.toContain('roll back');
  });

  it('with --trust no gate is run', async () => {
    const world = promptWorld({ options: { trust: true }, agent: works(1), check: () => 'red' });
    expect(await world.runPrompt()).toEqual({ reason: 'complete' });
    expect(world.checks).toEqual([]);
  });

  it('with --allow-red a gate binds from its first green on', async () => {
    const world = promptWorld({ agent: works(1), check: () => 'red' });
    world.state.unboundGates.add('test');
    expect(await world.runPrompt()).toEqual({ reason: 'complete' });
    expect([world.state.verified, world.state.unverified]).toEqual([0, 1]);
  });

  it.each([limitUntil(START + 60_000), overloaded])(
    'a limit or an overloaded provider is waited for, and the work stays',
    async (end) => {
      const world = promptWorld({
        options: { maxIterations: 1, maxFailures: 2 },
        agent: (hand) => (hand.write(`${hand.call}.txt`), hand.call === 1 ? end : sentinel),
      });
      expect(await world.runPrompt()).toEqual({ reason: 'complete' });
      expect(world.requests.map(({ iteration, try: number }) => [iteration, number])).toEqual([
        [1, 1],
        [1, 2],
      ]);
      expect([...world.tree.keys()]).toEqual(['1.txt', '2.txt']);
      expect(world.prompts[1]?.feedback?.reason).toMatch(/cut off, and its work is still there/);
    },
  );

  it('a sentinel that the gates reject, from an agent that was cut off: another try is told what was wrong', async () => {
    const world = promptWorld({
      options: { maxIterations: 1 },
      agent: (hand) => (
        hand.write(`${hand.call}.txt`),
        hand.call === 1 ? { ...limitUntil(START), ...sentinel } : sentinel
      ),
      check: (_, { requests }) => (requests.length === 1 ? 'red' : 'green'),
    });
    expect(await world.runPrompt()).toEqual({ reason: 'complete' });
    expect(world.prompts[1]?.feedback?.verdict).toBe('rejected');
    expect([...world.tree.keys()]).toEqual(['2.txt']);
  });

  it('a good sentinel counts, whatever cut the agent off', async () => {
    const world = promptWorld({ agent: () => ({ ...noCredit, ...sentinel }) });
    expect(await world.runPrompt()).toEqual({ reason: 'complete' });
  });

  it.each(['signal', 'duration', 'stop'] as const)(
    'a cut (%s) while the agent works or a gate runs: interrupted, the work stays',
    async (kind) => {
      const cut = kind === 'signal' ? ({ kind, signal: 'SIGINT' } as const) : { kind };
      const during = promptWorld({ agent: (hand) => (hand.write('a.txt'), hand.cut(cut), sentinel) });
      const gate = promptWorld({
        agent: (hand) => (hand.write('a.txt'), sentinel),
        check: (_, self) => (self.tree.set('coverage', 'x'), self.controller.abort(cut), 'interrupted'),
      });
      for (const world of [during, gate]) {
        const { reason } = await world.runPrompt();
        expect(reason).toBe({ signal: 'interrupted', duration: 'budget', stop: 'stopped' }[kind]);
        expect(world.verdicts()).toEqual(['interrupted']);
        expect([...world.tree.keys()]).toEqual(['a.txt']);
      }
    },
  );

  it('stalls, failures, a block and an unusable agent end it', async () => {
    const reasonOf = async (agent: Agent): Promise<string> => (await promptWorld({ agent }).runPrompt()).reason;
    expect(await reasonOf(() => undefined)).toBe('stalled');
    expect(await reasonOf((hand) => (hand.write(`${hand.call}`), { class: 'crash' }))).toBe('stalled');
    expect(await reasonOf(() => blockedBy('no key'))).toBe('blocked');
    expect(await reasonOf(() => ({ class: 'auth' }))).toBe('agent-unavailable');
    expect(await reasonOf(() => noCredit)).toBe('limit');
  });

  it('a failure is told to the next agent', async () => {
    const world = promptWorld({ options: { maxIterations: 2 }, agent: () => ({ class: 'crash', lastLine: 'boom' }) });
    await world.runPrompt();
    expect(world.prompts[1]?.feedback).toMatchObject({ verdict: 'failed', reason: 'boom' });
    expect(world.state).toMatchObject({ failed: 2, failures: 2 });
  });
});
