import { describe, expect, it } from 'vitest';
import type { StopReason } from '../../../src/exit.ts';
import { createRunState } from '../../../src/loop/run-state.ts';
import { decideStop, firstStop, stopOfCut } from '../../../src/loop/stop.ts';
import type { RunState } from '../../../src/loop/run-state.ts';
import type { StopFacts } from '../../../src/loop/stop.ts';
import type { Selection } from '../../../src/prd/select.ts';
import { blockedBy, good, limitUntil, noCredit } from './fake-agents.ts';
import { START, World } from './fake-ports.ts';
import type { Agent } from './fake-agents.ts';
import type { WorldOptions } from './fake-ports.ts';

const interrupt = { kind: 'signal', signal: 'SIGTERM' } as const;
const nothing: StopFacts = { now: START, cut: undefined, stopRequested: false };
const blocked: Selection = { kind: 'blocked', blocked: [], waiting: [] };

/** Everything holds at once; each step takes the first reason away. */
const everything = {
  options: new World({ options: { maxCostUsd: 1, onLimit: 'stop', maxIterations: 1 } }).options,
  state: {
    ...createRunState(START),
    costUsd: 1,
    stalls: 3,
    iteration: 1,
    lastLine: 'why',
    cutOff: { class: 'limit', obstacle: { kind: 'limit', resetAt: START, text: 'usage limit' } } as const,
  },
};

describe('where several reasons hold at once', () => {
  it('the first in the order of the contract is the reason', () => {
    const { options, state } = everything;
    const facts: StopFacts = { ...nothing, cut: interrupt, stopRequested: true };
    const reasonOf = (
      ...[more, given, selection]: [Partial<RunState>, Partial<StopFacts>, Selection | undefined]
    ): StopReason | undefined => decideStop(options, { ...state, ...more }, { ...facts, ...given }, selection)?.reason;
    const cutAway = { cut: undefined };
    const quiet = { ...cutAway, stopRequested: false };
    expect(reasonOf({}, {}, { kind: 'complete' })).toBe('complete');
    expect(reasonOf({}, {}, blocked)).toBe('interrupted');
    expect(reasonOf({}, cutAway, blocked)).toBe('stopped');
    expect(reasonOf({}, quiet, blocked)).toBe('budget');
    expect(reasonOf({ costUsd: 0 }, quiet, blocked)).toBe('limit');
    expect(reasonOf({ costUsd: 0, cutOff: undefined }, quiet, blocked)).toBe('stalled');
    expect(reasonOf({ costUsd: 0, cutOff: undefined, stalls: 0 }, quiet, blocked)).toBe('blocked');
    expect(reasonOf({ costUsd: 0, cutOff: undefined, stalls: 0 }, quiet, undefined)).toBe('iterations');
    expect(reasonOf({ costUsd: 0, cutOff: undefined, stalls: 0, iteration: 0 }, quiet, undefined)).toBeUndefined();
  });

  it('a run that was asked to stop is stopped, even if its time is up', () => {
    const { options, state } = everything;
    expect(
      decideStop(options, state, { ...nothing, cut: { kind: 'duration' }, stopRequested: true }, undefined),
    ).toEqual({ reason: 'stopped' });
  });

  it('of two stops the weightier one is taken, whichever came first', () => {
    const [limit, budget] = [{ reason: 'limit' }, { reason: 'budget' }] as const;
    expect(firstStop(limit, budget)).toBe(budget);
    expect(firstStop(budget, limit)).toBe(budget);
    expect(firstStop(undefined, limit)).toBe(limit);
    expect(firstStop(limit, undefined)).toBe(limit);
    expect(firstStop(undefined, undefined)).toBeUndefined();
  });

  it('a cut carries its signal, or says what is used up', () => {
    expect(stopOfCut(interrupt)).toEqual({ reason: 'interrupted', signal: 'SIGTERM' });
    expect(stopOfCut({ kind: 'stop' })).toEqual({ reason: 'stopped' });
    expect(stopOfCut({ kind: 'duration' })).toMatchObject({
      reason: 'budget',
      text: expect.stringContaining('--max-duration'),
    });
  });
});

describe('a run ends as', () => {
  const last: Agent = (hand) => (hand.work(), noCredit);

  it.each<[StopReason, WorldOptions, number]>([
    ['complete', { stories: [{ passes: true }], agent: good }, 0],
    ['complete', { agent: last }, 1],
    ['complete', { options: { maxCostUsd: 1 }, agent: (hand) => (hand.work(), { costUsd: 2 }) }, 1],
    ['complete', { agent: (hand) => (hand.work(), { class: 'auth' }) }, 1],
    ['iterations', { options: { maxIterations: 4, maxAttempts: 9 }, agent: (hand) => hand.write(`${hand.call}`) }, 4],
    [
      'budget',
      { options: { maxCostUsd: 2.5 }, agent: (hand) => (hand.write('a'), { costUsd: 1 }), stories: [{}, {}] },
      3,
    ],
    [
      'budget',
      { options: { deadline: START + 3_000, delayMs: 2_000, maxAttempts: 9 }, agent: (hand) => hand.write('a') },
      2,
    ],
    ['budget', { options: { deadline: START + 1_000, delayMs: 2_000 }, agent: (hand) => hand.write('a') }, 1],
    ['stalled', { options: { maxStalls: 2 } }, 2],
    ['stalled', { options: { maxFailures: 2, maxAttempts: 9 }, agent: () => ({ class: 'crash' }) }, 2],
    ['blocked', { stories: [{}, { dependsOn: ['US-001'] }], agent: () => blockedBy('x') }, 1],
    ['blocked', { stories: [{}, {}], agent: () => blockedBy('x') }, 2],
    ['agent-unavailable', { agent: () => ({ class: 'auth' }) }, 1],
    ['agent-unavailable', { agent: () => ({ class: 'refused' }) }, 1],
    ['agent-unavailable', { agent: () => ({ class: 'usage' }) }, 1],
    ['agent-unavailable', { stories: [{}, {}], agent: (hand) => (hand.work(), { class: 'auth' }) }, 1],
    ['limit', { agent: () => noCredit }, 1],
    ['limit', { stories: [{}, {}], options: { maxIterations: 1 }, agent: last }, 1],
    ['limit', { options: { onLimit: 'stop' }, agent: () => limitUntil(START + 1) }, 1],
    [
      'limit',
      {
        stories: [{}, {}],
        options: { onLimit: 'stop', maxIterations: 1 },
        agent: (hand) => (hand.work(), limitUntil(START + 1)),
      },
      1,
    ],
    [
      'budget',
      { options: { maxCostUsd: 1, onLimit: 'stop' }, agent: () => ({ ...limitUntil(START + 1), costUsd: 1 }) },
      1,
    ],
    [
      'iterations',
      { stories: [{}, {}], options: { maxIterations: 1 }, agent: (hand) => (hand.work(), limitUntil(START + 1)) },
      1,
    ],
  ])('%s: %j', async (reason, given, calls) => {
    const world = new World(given);
    expect((await world.run()).reason).toBe(reason);
    expect(world.requests).toHaveLength(calls);
  });

  it('agent-unavailable shows the line of the agent', async () => {
    const world = new World({ agent: () => ({ class: 'auth', lastLine: 'Please run /login' }) });
    expect(await world.run()).toEqual({ reason: 'agent-unavailable', text: 'Please run /login' });
  });
});

describe('money', () => {
  it('counts every try, and what is left is handed to the agent', async () => {
    const world = new World({
      stories: [{}, {}],
      options: { maxCostUsd: 1, maxIterations: 9 },
      agent: (hand) => ({
        ...(hand.call === 1 ? limitUntil(START) : (hand.work(), {})),
        costUsd: 0.1,
        tokens: { input: 1, output: 2, cacheRead: 3, cacheCreation: 4 },
      }),
    });
    await world.run();
    expect(world.requests.map(({ maxCostUsd }) => maxCostUsd?.toFixed(2))).toEqual(['1.00', '0.90', '0.80']);
    expect(world.state.costUsd).toBe(0.3);
    expect(world.state.tokens).toEqual({ input: 3, output: 6, cacheRead: 9, cacheCreation: 12 });
    expect(world.event('iteration.finished').map(({ costUsd }) => costUsd)).toEqual([0.2, 0.1]);
  });

  it('that is used up by a try that was cut off ends the run before the wait', async () => {
    const world = new World({
      options: { maxCostUsd: 1 },
      agent: () => ({ ...limitUntil(START + 3_600_000), costUsd: 1 }),
    });
    expect((await world.run()).reason).toBe('budget');
    expect(world.now).toBe(START);
    expect(world.requests).toHaveLength(1);
  });
});

describe('ralph stop', () => {
  it('lets the iteration end and starts no other', async () => {
    const world = new World({ stories: [{}, {}], agent: (hand) => ((world.stopRequested = true), hand.work()) });
    expect(await world.run()).toEqual({ reason: 'stopped' });
    expect(world.passes()).toEqual([true, false]);
    expect(world.requests).toHaveLength(1);
  });

  it('during the delay starts no other, and ends the delay', async () => {
    const world = new World({
      stories: [{}, {}],
      options: { delayMs: 60_000 },
      agent: good,
      onSleep: (self) => (self.stopRequested = true),
    });
    expect(await world.run()).toEqual({ reason: 'stopped' });
    expect(world.requests).toHaveLength(1);
    expect(world.now - START).toBeLessThan(5_000);
  });

  it('during the wait for a limit ends the iteration there', async () => {
    const world = new World({
      agent: () => limitUntil(START + 3_600_000),
      onSleep: (self) => {
        if (self.now >= START + 10_000) self.stopRequested = true;
      },
    });
    expect(await world.run()).toEqual({ reason: 'stopped' });
    expect(world.now - START).toBeLessThan(20_000);
    expect(world.verdicts()).toEqual(['unfinished']);
    expect(world.event('story.unfinished')).toMatchObject([{ attempts: 0 }]);
  });
});

describe('the user may edit the list between iterations', () => {
  it('a story that is ticked, or added, during the delay counts', async () => {
    const world = new World({
      stories: [{}, {}],
      agent: good,
      onSleep: (self) => self.setStory('US-002', { passes: true }),
    });
    expect(await world.run()).toEqual({ reason: 'complete' });
    expect(world.requests).toHaveLength(1);
  });

  it.each([{ passes: true }, { id: 'US-009' }])(
    'a story that is ticked or taken out while a limit is waited for is not tried again: %j',
    async (change) => {
      const world = new World({
        stories: [{}, {}],
        agent: (hand) => (hand.call === 1 ? limitUntil(START) : hand.work()),
        onSleep: (self) => {
          if (self.prdText.includes('"US-001"')) self.setStory('US-001', change);
        },
      });
      expect(await world.run()).toEqual({ reason: 'complete' });
      expect(world.requests[1]).toMatchObject({ iteration: 2, try: 1 });
    },
  );
});
