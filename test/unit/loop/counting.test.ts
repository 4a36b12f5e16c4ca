import { describe, expect, it } from 'vitest';
import type { AgentClass } from '../../../src/loop/events.ts';
import { blockedBy, good, limitUntil, overloaded } from './fake-agents.ts';
import { START, World } from './fake-ports.ts';
import type { Agent } from './fake-agents.ts';
import type { WorldOptions } from './fake-ports.ts';

interface Counts {
  verdict: string;
  attempts: number;
  failures: number;
  stalls: number;
}

async function countOf(agent: Agent, more: WorldOptions = {}, before = { failures: 2, stalls: 2 }): Promise<Counts> {
  const options = { maxIterations: 1, maxFailures: 9, maxStalls: 9, maxAttempts: 9, ...more.options };
  const world = new World({ ...more, options, agent });
  Object.assign(world.state, before);
  await world.run();
  const { failures, stalls } = world.state;
  return { verdict: world.verdicts().join(' '), attempts: world.story().attempts, failures, stalls };
}

const ended =
  (name: AgentClass, changed: boolean): Agent =>
  (hand) => {
    if (changed) hand.write('a.txt');
    return { class: name };
  };

describe('what counts as what', () => {
  it.each<[string, Agent, Counts, WorldOptions?]>([
    ['passed resets both', good, { verdict: 'passed', attempts: 1, failures: 0, stalls: 0 }],
    [
      'rejected: an attempt',
      good,
      { verdict: 'rejected', attempts: 1, failures: 0, stalls: 0 },
      { check: () => 'red' },
    ],
    [
      'rejected without a change: no stall either',
      (hand) => hand.tick(),
      { verdict: 'rejected', attempts: 1, failures: 0, stalls: 0 },
    ],
    [
      'rejected with keep: an attempt',
      good,
      { verdict: 'rejected', attempts: 1, failures: 0, stalls: 0 },
      { check: () => 'red', options: { onReject: 'keep' } },
    ],
    [
      'rejected after a crash: an attempt, no failure',
      (hand) => (hand.work(), { class: 'crash' }),
      { verdict: 'rejected', attempts: 1, failures: 0, stalls: 0 },
      { check: () => 'red' },
    ],
    [
      'unfinished with a change: an attempt',
      ended('ok', true),
      { verdict: 'unfinished', attempts: 1, failures: 0, stalls: 0 },
    ],
    [
      'unfinished with a change and keep: none',
      ended('ok', true),
      { verdict: 'unfinished', attempts: 0, failures: 0, stalls: 0 },
      { options: { onReject: 'keep' } },
    ],
    [
      'unfinished with a commit of its own: an attempt',
      (hand) => hand.commit(),
      { verdict: 'unfinished', attempts: 1, failures: 0, stalls: 0 },
    ],
    [
      'unfinished without a change: a stall',
      ended('ok', false),
      { verdict: 'unfinished', attempts: 0, failures: 0, stalls: 3 },
    ],
    [
      'only a note: a stall',
      (hand) => hand.note('US-001', 'hm'),
      { verdict: 'unfinished', attempts: 0, failures: 0, stalls: 3 },
    ],
    [
      'crash without a change: an attempt and a failure',
      ended('crash', false),
      { verdict: 'failed', attempts: 1, failures: 3, stalls: 2 },
    ],
    [
      'crash with a change: an attempt and a failure',
      ended('crash', true),
      { verdict: 'failed', attempts: 1, failures: 3, stalls: 0 },
    ],
    [
      'crash with keep: an attempt and a failure',
      ended('crash', true),
      { verdict: 'failed', attempts: 1, failures: 3, stalls: 0 },
      { options: { onReject: 'keep' } },
    ],
    [
      'killed: an attempt and a failure',
      ended('killed', false),
      { verdict: 'failed', attempts: 1, failures: 3, stalls: 2 },
    ],
    [
      'idle: an attempt and a failure',
      ended('idle', false),
      { verdict: 'failed', attempts: 1, failures: 3, stalls: 2 },
    ],
    [
      'timeout: an attempt and a failure',
      ended('timeout', false),
      { verdict: 'failed', attempts: 1, failures: 3, stalls: 2 },
    ],
    [
      'empty without a change: a failure and a stall',
      ended('empty', false),
      { verdict: 'failed', attempts: 0, failures: 3, stalls: 3 },
    ],
    [
      'empty with a change: an attempt',
      ended('empty', true),
      { verdict: 'unfinished', attempts: 1, failures: 0, stalls: 0 },
    ],
    [
      'its own cap, with a change: an attempt',
      ended('budget', true),
      { verdict: 'unfinished', attempts: 1, failures: 0, stalls: 0 },
    ],
    [
      'its own cap, without a change: a stall',
      ended('budget', false),
      { verdict: 'unfinished', attempts: 0, failures: 0, stalls: 3 },
    ],
    ['blocked: none', () => blockedBy('no key'), { verdict: 'blocked', attempts: 0, failures: 0, stalls: 2 }],
    [
      'blocked after a crash: none',
      () => ({ class: 'crash', ...blockedBy('no key') }),
      { verdict: 'blocked', attempts: 0, failures: 0, stalls: 2 },
    ],
    ['not logged in: none', ended('auth', true), { verdict: 'unfinished', attempts: 0, failures: 0, stalls: 0 }],
    ['refused to start: none', ended('refused', false), { verdict: 'unfinished', attempts: 0, failures: 0, stalls: 2 }],
    ['wrong arguments: none', ended('usage', false), { verdict: 'unfinished', attempts: 0, failures: 0, stalls: 2 }],
    [
      'interrupted: none',
      (hand) => (hand.work(), hand.cut({ kind: 'signal', signal: 'SIGINT' })),
      { verdict: 'interrupted', attempts: 0, failures: 0, stalls: 0 },
    ],
    [
      'a limit, then nothing: only what follows',
      (hand) => (hand.call === 1 ? limitUntil(START) : undefined),
      { verdict: 'unfinished', attempts: 0, failures: 0, stalls: 3 },
    ],
    [
      'overloaded: a failure, no attempt, no stall',
      (hand) => (hand.call === 1 ? (hand.write('a'), overloaded) : hand.cut({ kind: 'stop' })),
      { verdict: 'interrupted', attempts: 0, failures: 0, stalls: 2 },
    ],
  ])('%s', async (_, agent, wanted, more) => {
    expect(await countOf(agent, more)).toEqual(wanted);
  });

  it('overloaded counts as a failure while it lasts', async () => {
    const world = new World({ options: { maxFailures: 3 }, agent: () => overloaded });
    expect(await world.run()).toEqual({ reason: 'stalled', text: '529' });
    expect(world.requests.map(({ iteration, try: number }) => [iteration, number])).toEqual([
      [1, 1],
      [1, 2],
      [1, 3],
    ]);
    expect(world.state).toMatchObject({ failures: 3, stalls: 0, iteration: 1 });
    expect(world.story().attempts).toBe(0);
  });
});

describe('attempts', () => {
  it('used up: the story is blocked with the last reason, and the next one is taken', async () => {
    const world = new World({
      stories: [{}, {}],
      options: { maxAttempts: 2 },
      agent: (hand) => (hand.story === 'US-001' ? hand.write('a.txt') : hand.work()),
    });
    expect(await world.run()).toEqual({ reason: 'blocked' });
    expect(world.requests.map(({ story }) => story)).toEqual(['US-001', 'US-001', 'US-002']);
    expect(world.story()).toMatchObject({ attempts: 2, blocked: 'work was done, but the story was not ticked' });
    expect(world.event('story.blocked')).toMatchObject([{ story: 'US-001', iteration: 2 }]);
  });

  it('are counted on from an earlier run', async () => {
    const world = new World({ stories: [{ ralph: { attempts: 2 } }], agent: good, check: () => 'red' });
    expect(await world.run()).toEqual({ reason: 'blocked' });
    expect(world.story().attempts).toBe(3);
    expect(world.requests).toHaveLength(1);
  });
});

describe('the reason of a story that did not pass', () => {
  it.each<[AgentClass, boolean, string]>([
    ['ok', false, 'nothing was changed and nothing ticked'],
    ['ok', true, 'work was done, but the story was not ticked'],
    ['empty', false, 'the agent said nothing and changed nothing'],
    ['empty', true, 'work was done, but the story was not ticked'],
    ['crash', false, 'the agent failed: the last line'],
    ['killed', false, 'the agent was killed'],
    ['idle', false, 'the agent went silent and was stopped'],
    ['timeout', false, 'the agent worked longer than the iteration timeout and was stopped'],
    ['budget', true, 'the agent reached its own limit of cost, turns or output before it was done'],
    ['auth', false, 'the agent could not work: the last line'],
  ])('%s, changed: %s', async (name, changed, reason) => {
    const world = new World({ options: { maxIterations: 1 }, agent: ended(name, changed) });
    await world.run();
    const [told] = [...world.event('story.failed'), ...world.event('story.unfinished')];
    expect(told?.reason).toBe(reason);
    expect(world.entries[0]?.lines[1]).toBe(`US-001: ${told?.type.slice(6)}, ${reason}`);
  });
});
