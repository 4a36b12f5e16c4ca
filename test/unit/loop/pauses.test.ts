import { describe, expect, it } from 'vitest';
import type { AgentEnd, Obstacle } from '../../../src/loop/ports.ts';
import { planPause } from '../../../src/loop/pause.ts';
import { createRunState } from '../../../src/loop/run-state.ts';
import { good, limitUntil, noCredit, overloaded, rateLimited } from './fake-agents.ts';
import { START, World } from './fake-ports.ts';
import type { WorldOptions } from './fake-ports.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** The waits that are planned for the same obstacle again and again. */
function waitsFor(
  obstacle: Obstacle,
  times: number,
  given: WorldOptions['options'] = {},
  random = 0,
): (number | string)[] {
  const { options } = new World({ options: { maxFailures: 99, ...given } });
  const state = createRunState(START);
  return Array.from({ length: times }, () => {
    const pause = planPause(options, state, obstacle, { now: START, random, isFailure: true });
    return pause.kind === 'wait' ? pause.waitMs : pause.stop.reason;
  });
}

describe('a usage limit', () => {
  const until = (resetAt: number | undefined): Obstacle => ({ kind: 'limit', resetAt, text: 'usage limit' });

  it('with a reset time is waited for, and one to ten seconds more', () => {
    expect(waitsFor(until(START + HOUR), 1, {}, 0)).toEqual([HOUR + 1_000]);
    expect(waitsFor(until(START + HOUR), 1, {}, 0.999_999)).toEqual([HOUR + 10_000]);
    expect(waitsFor(until(START - HOUR), 1)).toEqual([1_000]);
  });

  it('whose reset cannot be read is looked at after 15 and 30 minutes, then each hour', () => {
    expect(waitsFor(until(undefined), 5)).toEqual([15 * MINUTE, 30 * MINUTE, HOUR, HOUR, HOUR]);
  });

  it('that resets after the end of the time, or whose next look would come then, is not waited for', () => {
    expect(waitsFor(until(START + HOUR), 1, { deadline: START + HOUR })).toEqual(['limit']);
    expect(waitsFor(until(START + HOUR), 1, { deadline: START + HOUR + 1_000 })).toEqual([HOUR + 1_000]);
    expect(waitsFor(until(undefined), 3, { deadline: START + 20 * MINUTE })).toEqual([15 * MINUTE, 'limit', 'limit']);
  });

  it('is not waited for with --on-limit stop, nor is an account that will not reset', () => {
    expect(waitsFor(until(START), 1, { onLimit: 'stop' })).toEqual(['limit']);
    expect(waitsFor({ kind: 'account', text: 'no credit' }, 1)).toEqual(['limit']);
  });

  it('is on record with its reset time and no wait where it ends the run', async () => {
    const limits = async (agent: Partial<AgentEnd>, more: WorldOptions): Promise<unknown[]> => {
      const world = new World({ ...more, agent: (hand) => (more.stories === undefined ? {} : hand.work(), agent) });
      expect(await world.run()).toMatchObject({ reason: 'limit' });
      return world.event('agent.limit').map((event) => [event.resetAt, event.waitMs, event.text]);
    };
    const known = [[new Date(START + HOUR).toISOString(), 0, 'usage limit']];
    expect(await limits(limitUntil(START + HOUR), { options: { onLimit: 'stop' } })).toEqual(known);
    expect(await limits(limitUntil(START + HOUR), { options: { deadline: START + MINUTE } })).toEqual(known);
    // The claim of the first story is accepted, and the limit ends the run before the second.
    expect(await limits(limitUntil(START + HOUR), { options: { onLimit: 'stop' }, stories: [{}, {}] })).toEqual(known);
    expect(await limits(noCredit, {})).toEqual([[null, 0, 'no credit']]);
  });

  it('counts blind looks in a row: a known reset in between begins anew', async () => {
    const resets = [undefined, undefined, START, undefined];
    const world = new World({ agent: (hand) => (hand.call <= 4 ? limitUntil(resets[hand.call - 1]) : hand.work()) });
    await world.run();
    expect(world.event('agent.limit').map(({ waitMs }) => waitMs)).toEqual([
      15 * MINUTE,
      30 * MINUTE,
      1_000,
      15 * MINUTE,
    ]);
  });
});

describe('an overloaded provider', () => {
  it('is tried again after a pause that is tripled up to five minutes, with jitter, never longer', () => {
    const obstacle: Obstacle = { kind: 'overloaded', text: '529' };
    expect(waitsFor(obstacle, 6)).toEqual([5_000, 15_000, 45_000, 135_000, 5 * MINUTE, 5 * MINUTE]);
    expect(waitsFor(obstacle, 6, {}, 0.5)).toEqual([5_500, 16_500, 49_500, 148_500, 4.5 * MINUTE, 4.5 * MINUTE]);
    expect(Math.max(...waitsFor(obstacle, 9, {}, 0.999).map(Number))).toBeLessThanOrEqual(5 * MINUTE);
    expect(waitsFor(obstacle, 2, { retryDelayMs: 200 })).toEqual([200, 600]);
  });

  it('that refuses for too many requests gets a minute, or the retry delay where that is longer', () => {
    expect(waitsFor({ kind: 'rate', text: '429' }, 4)).toEqual([MINUTE, MINUTE, MINUTE, 135_000]);
    expect(waitsFor({ kind: 'rate', text: '429' }, 1, { retryDelayMs: 2 * MINUTE })).toEqual([2 * MINUTE]);
  });

  it('ends the run when it has failed as often as --max-failures allows', () => {
    expect(waitsFor({ kind: 'overloaded', text: '529' }, 2, { maxFailures: 2 })).toEqual([5_000, 'stalled']);
  });

  it('begins with the first pause again after a try that went well', async () => {
    const world = new World({
      stories: [{}, {}],
      agent: (hand) => ([1, 2, 4].includes(hand.call) ? overloaded : hand.work()),
    });
    await world.run();
    expect(world.event('agent.retry').map(({ waitMs }) => waitMs)).toEqual([5_000, 15_000, 5_000]);
    expect(world.state.failures).toBe(0);
  });
});

describe('a try that was cut off', () => {
  it('is followed by another one of the same iteration: a new snapshot, a new prompt file, its events with its number', async () => {
    const world = new World({
      options: { maxIterations: 1 },
      agent: (hand) => (hand.call === 1 ? rateLimited : hand.work()),
    });
    expect(await world.run()).toEqual({ reason: 'complete' });
    expect(world.keptFiles).toEqual(['1/prompt.md', '1/prompt-2.md']);
    expect(world.steps.filter((step) => step === 'snapshot')).toHaveLength(2);
    expect(world.event('agent.retry')).toEqual([
      { type: 'agent.retry', class: 'overloaded', text: '429', waitMs: MINUTE, iteration: 1, story: 'US-001', try: 1 },
    ]);
    expect(world.event('iteration.started')).toHaveLength(1);
    expect(world.verdicts()).toEqual(['passed']);
  });

  it('keeps what had been begun aside, and the next try is told where, without losing what was wrong before', async () => {
    const world = new World({
      options: { maxAttempts: 9 },
      agent: (hand) => {
        hand.write(`${hand.call}.txt`);
        if (hand.call === 2 || hand.call === 3) return limitUntil(START);
        return hand.tick();
      },
      check: (_, { requests }) => (requests.length === 1 ? { red: 'E42' } : 'green'),
    });
    expect(await world.run()).toEqual({ reason: 'complete' });
    const [, , third, fourth] = world.prompts.map(({ feedback }) => feedback);
    expect(third).toMatchObject({
      verdict: 'cut off',
      reason:
        'the last try was cut off: usage limit; before that: rejected, the gate test failed with exit code 1 (run test)',
      gate: { tail: 'E42' },
      ref: 'refs/ralph/run-1/2',
    });
    expect(fourth).toMatchObject({ verdict: 'cut off', gate: { tail: 'E42' }, ref: 'refs/ralph/run-1/3' });
    expect(world.commits.map(({ files }) => files)).toEqual([['4.txt']]);
    expect(world.event('rescue.saved')).toHaveLength(3);
  });

  it('whose claim is rejected counts nothing: the next try is told what was wrong', async () => {
    const world = new World({
      options: { maxIterations: 1, maxAttempts: 1 },
      agent: (hand) => (hand.work(), hand.call === 1 ? limitUntil(START) : {}),
      check: (_, { requests }) => (requests.length === 1 ? { red: 'E42' } : 'green'),
    });
    expect(await world.run()).toEqual({ reason: 'complete' });
    expect(world.requests.map(({ try: number }) => number)).toEqual([1, 2]);
    expect(world.prompts[1]?.feedback).toMatchObject({
      verdict: 'rejected',
      gate: { tail: 'E42' },
      ref: 'refs/ralph/run-1/1',
    });
    expect(world.event('story.rejected')).toEqual([]);
    expect(world.story().attempts).toBe(1);
  });

  it('keeps notes and log entries of the agent, not its ticks, and tells the next try again what it had been told', async () => {
    const world = new World({
      stories: [{}, {}],
      options: { maxIterations: 2 },
      agent: (hand) => {
        if (hand.call === 1) return { words: { sentinel: true, sentinelLast: true, blocked: undefined } };
        if (hand.call > 2) return undefined;
        hand.note('US-001', 'half way');
        world.logText += '\n## mine\n- learnt\n';
        return overloaded;
      },
    });
    await world.run();
    expect(world.story().notes).toBe('half way');
    expect(world.logText).toContain('- learnt');
    expect(world.prompts.map(({ feedback }) => feedback?.remarks.length ?? 0)).toEqual([0, 1, 1]);
  });

  it('with an accepted claim ends its iteration, and the wait comes before the next one; it is no failure', async () => {
    for (const [obstacle, ms] of [
      [limitUntil(START + HOUR), HOUR + 1_000],
      [overloaded, 5_000],
    ] as const) {
      const world = new World({
        stories: [{}, {}],
        options: { maxFailures: 1 },
        agent: (hand) => (hand.work(), hand.call === 1 ? obstacle : {}),
      });
      expect(await world.run()).toEqual({ reason: 'complete' });
      expect(world.requests.map(({ iteration, try: number }) => [iteration, number])).toEqual([
        [1, 1],
        [2, 1],
      ]);
      expect(world.now - START).toBe(ms);
      expect(world.state.failures).toBe(0);
      const names = world.events.map(({ type }) => type);
      const wait = names.findIndex((name) => name === 'agent.limit' || name === 'agent.retry');
      expect(names.slice(0, wait)).toContain('iteration.finished');
    }
  });

  it('with an accepted claim of the last story: nothing is waited for', async () => {
    const world = new World({ agent: (hand) => (hand.work(), limitUntil(START + HOUR)) });
    expect(await world.run()).toEqual({ reason: 'complete' });
    expect(world.now).toBe(START);
  });

  it('and not tried again is on record: event, log entry, no attempt', async () => {
    const world = new World({
      options: { onLimit: 'stop' },
      agent: (hand) => (hand.write('a.txt'), limitUntil(START + HOUR)),
    });
    expect(await world.run()).toEqual({ reason: 'limit', text: 'usage limit' });
    expect(world.event('story.unfinished')).toMatchObject([
      { attempts: 0, reason: expect.stringContaining('usage limit') },
    ]);
    expect(world.entries).toMatchObject([
      {
        iteration: 1,
        stories: ['US-001'],
        lines: ['verdict of ralph: unfinished', expect.stringContaining('usage limit')],
      },
    ]);
    expect(world.tree.size).toBe(0);
    expect(world.story().attempts).toBe(0);
  });

  it('with --on-reject keep leaves the work where it is', async () => {
    const world = new World({
      options: { onReject: 'keep' },
      agent: (hand) => (hand.call === 1 ? (hand.write('a.txt'), overloaded) : hand.tick()),
    });
    expect(await world.run()).toEqual({ reason: 'complete' });
    expect(world.commits.map(({ files }) => files)).toEqual([['a.txt']]);
  });
});

describe('the delay', () => {
  it('is kept between iterations, not before the first or after the last', async () => {
    const world = new World({ stories: [{}, {}, {}], options: { delayMs: 2_500 }, agent: good });
    await world.run();
    expect(world.now - START).toBe(5_000);
  });
});
