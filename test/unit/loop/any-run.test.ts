import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AgentEnd } from '../../../src/loop/ports.ts';
import { blockedBy, limitUntil, noCredit, overloaded, rateLimited, sentinel } from './fake-agents.ts';
import { START, World } from './fake-ports.ts';
import type { Hand } from './fake-agents.ts';
import type { CheckEnd } from './fake-ports.ts';

interface Turn {
  readonly changes: boolean;
  readonly ticks: readonly string[];
  readonly opens: boolean;
  readonly note: string | undefined;
  readonly commits: boolean;
  readonly end: Partial<AgentEnd>;
  readonly check: CheckEnd;
  readonly stops: boolean;
  readonly cuts: boolean;
}

const ids = ['US-001', 'US-002', 'US-003', 'US-004'];
const rarely = fc.integer({ min: 0, max: 30 }).map((n) => n === 0);
const turn: fc.Arbitrary<Turn> = fc.record({
  changes: fc.boolean(),
  ticks: fc.subarray(ids),
  opens: rarely,
  note: fc.option(fc.constantFrom('hm', 'BLOCKED: no key'), { nil: undefined, freq: 8 }),
  commits: fc.boolean(),
  end: fc.oneof(
    {
      weight: 6,
      arbitrary: fc
        .constantFrom(...(['ok', 'empty', 'crash', 'killed', 'idle', 'timeout', 'budget'] as const))
        .map((name) => ({ class: name })),
    },
    {
      weight: 4,
      arbitrary: fc.constantFrom(
        sentinel,
        blockedBy('no'),
        overloaded,
        rateLimited,
        limitUntil(undefined),
        limitUntil(START),
      ),
    },
    { weight: 1, arbitrary: fc.constantFrom(noCredit, { class: 'auth' as const }) },
  ),
  check: fc.oneof(
    { weight: 3, arbitrary: fc.constant<CheckEnd>('green') },
    { weight: 2, arbitrary: fc.constantFrom<CheckEnd>('red', 'timeout') },
  ),
  stops: rarely,
  cuts: rarely,
});

const options = fc.record({
  maxIterations: fc.option(fc.integer({ min: 1, max: 12 }), { nil: undefined }),
  maxAttempts: fc.integer({ min: 1, max: 3 }),
  maxStalls: fc.integer({ min: 1, max: 3 }),
  maxFailures: fc.integer({ min: 1, max: 5 }),
  maxCostUsd: fc.option(fc.integer({ min: 1, max: 9 }), { nil: undefined }),
  trust: rarely,
  onReject: fc.constantFrom('rollback' as const, 'keep' as const),
  regressions: fc.constantFrom('each' as const, 'off' as const),
  onLimit: fc.constantFrom('wait' as const, 'stop' as const),
});

/** Plays the turns, then an agent that says nothing, so that only ralph's own guards can end the run. */
function play(turns: readonly Turn[], given: Partial<World['options']>): World {
  const now = (call: number): Turn | undefined => turns[call - 1];
  const world: World = new World({
    stories: [{}, { checks: ['true'] }, { dependsOn: ['US-001'] }, { passes: true, checks: ['true'] }],
    options: given,
    agent: (hand: Hand) => {
      const step = now(hand.call);
      if (step === undefined)
        return { class: 'empty', words: { sentinel: false, sentinelLast: false, blocked: undefined } };
      if (step.changes) hand.write(`${hand.call}.txt`);
      if (step.commits) hand.commit();
      for (const id of hand.story === '' ? [] : step.ticks) hand.tick(id);
      if (step.opens && hand.story !== '') hand.tick('US-004', false);
      if (step.note !== undefined && hand.story !== '') hand.note('US-002', step.note);
      if (step.stops) world.stopRequested = true;
      if (step.cuts) hand.cut({ kind: 'signal', signal: 'SIGINT' });
      return { costUsd: 0.5, ...step.end };
    },
    check: () => now(world.requests.length)?.check ?? 'green',
  });
  return world;
}

const sane = (
  world: World,
  turns: readonly Turn[],
  { maxIterations, maxAttempts, maxCostUsd }: Partial<World['options']>,
): void => {
  const { state } = world;
  for (const number of [
    state.stalls,
    state.failures,
    state.passed,
    state.rejected,
    state.failed,
    state.overloads,
    state.blindWaits,
    state.costUsd,
  ])
    expect(number).toBeGreaterThanOrEqual(0);
  expect(state.stalls).toBeLessThanOrEqual(world.options.maxStalls);
  expect(state.failures).toBeLessThanOrEqual(world.options.maxFailures);
  if (maxIterations !== undefined) expect(state.iteration).toBeLessThanOrEqual(maxIterations);
  if (maxCostUsd !== undefined) expect(state.costUsd).toBeLessThan(maxCostUsd + 0.5);
  expect(world.event('iteration.started').map(({ iteration }) => iteration)).toEqual(
    world.event('iteration.finished').map(({ iteration }) => iteration),
  );
  expect(world.requests.length).toBeLessThanOrEqual(turns.length + world.options.maxStalls + world.options.maxFailures);
  expect(world.steps.filter((step) => step === 'snapshot')).toHaveLength(world.requests.length);
  expect(maxAttempts).toBeDefined();
};

describe('any run', () => {
  it('over stories ends, with every iteration begun and ended once, and records only what was judged', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(turn, { maxLength: 14 }), options, async (turns, given) => {
        const world = play(turns, given);
        const stop = await world.run();
        sane(world, turns, given);
        const judged = new Set(world.event('story.passed').map(({ story }) => story));
        const claimed = ids.filter((_, at) => world.passes()[at] === true && at < 3);
        expect(claimed.every((id) => judged.has(id))).toBe(true);
        if (stop.reason === 'complete' && !world.options.trust) expect(world.passes()).not.toContain(false);
        if (!world.options.trust) {
          expect(world.commits.length).toBe(world.verdicts().filter((verdict) => verdict === 'passed').length);
        }
        for (const { attempts } of [...world.event('story.rejected'), ...world.event('story.failed')])
          expect(attempts).toBeGreaterThanOrEqual(0);
      }),
      { numRuns: 100 },
    );
  });

  it('over a text ends, too', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(turn, { maxLength: 14 }), options, async (turns, given) => {
        const world = play(turns, { ...given, mode: 'prompt' });
        await world.runPrompt();
        sane(world, turns, given);
        expect(world.commits).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });

  it('starts with guards that no run before has left behind', async () => {
    const first = play([], { maxStalls: 2 });
    expect((await first.run()).reason).toBe('stalled');
    const second = play([], { maxStalls: 2 });
    second.prdText = first.prdText;
    expect((await second.run()).reason).toBe('stalled');
    expect(second.requests).toHaveLength(2);
  });
});
