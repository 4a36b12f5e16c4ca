/**
 * ralph is killed again and again, at random moments and inside the git it calls, while an agent does at random what agents
 * do; after each step the promises must hold. `RALPH_CHAOS_KILLS` is the number of kills (25), `RALPH_CHAOS_SEED` starts at
 * another seed, `RALPH_CHAOS_BIN` names another ralph.js. Linux only: it looks into /proc.
 */
import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { checkAlways, checkSettled, lookAt, storiesOf } from './invariants.ts';
import { makePlan, runUnder, showPlan } from './kills.ts';
import type { Plan } from './kills.ts';
import { below, createRandom } from './random.ts';
import { createWorld } from './world.ts';
import type { World } from './world.ts';

const kills = Number(process.env['RALPH_CHAOS_KILLS'] ?? 25);
const firstSeed = Number(process.env['RALPH_CHAOS_SEED'] ?? 1);
/** Kills of one world; then another one begins. */
const KILLS_EACH = 6;
const STARTS_AT_MOST = 14;
const options = ['run', '40', '--max-attempts', '30', '--max-failures', '30', '--max-stalls', '30'];
const total = { kills: 0, starts: 0, iterations: 0 };

/** Seeds that found something once. */
const regressions: readonly number[] = [13, 18, 2806, 2958];

async function play(seed: number, killsLeft: number): Promise<number> {
  const random = createRandom(seed);
  const world = createWorld(seed, { trackedPrd: below(random, 2) === 0 });
  const promised = lookAt(world);
  const history: string[] = [];
  let killed = 0;
  try {
    for (let start = 1; start <= STARTS_AT_MOST; start += 1) {
      const plan: Plan = killed < killsLeft ? makePlan(random) : { kind: 'none' };
      const ended = await runUnder(world, plan, options);
      total.starts += 1;
      history.push(`${showPlan(plan)} → ${ended.signal ?? ended.code}`);
      const story = (faults: readonly string[]): string =>
        `seed ${seed}, ${world.root}\n${history.join('\n')}\n${faults.join('\n')}\n${ended.text}`;
      if (ended.signal === 'SIGKILL') killed += 1;
      const isSettled = ended.signal === null;
      const faults = isSettled ? checkSettled(world, promised) : checkAlways(world);
      if (isSettled && ![0, 1, 3, 6].includes(ended.code ?? -1)) faults.push(`ralph ended with ${ended.code}`);
      expect(faults.length === 0 ? '' : story(faults)).toBe('');
      if (isSettled && storiesOf(world).every(({ passes }) => passes)) break;
    }
    return killed;
  } finally {
    total.kills += killed;
    finish(world);
  }
}

function finish(world: World): void {
  const calls = path.join(world.records, 'calls.txt');
  total.iterations += existsSync(calls) ? statSync(calls).size : 0;
  if (process.env['RALPH_CHAOS_KEEP'] === undefined) world.dispose();
}

describe.runIf(process.platform === 'linux')('a ralph that is killed again and again', () => {
  afterAll(() => {
    process.stdout.write(`chaos: ${total.kills} kills, ${total.starts} starts, ${total.iterations} agents\n`);
  });

  for (const seed of regressions)
    it(`keeps its promises with seed ${seed}`, async () => {
      expect(await play(seed, KILLS_EACH)).toBeGreaterThanOrEqual(0);
    });

  it(`keeps its promises over ${kills} kills from seed ${firstSeed} on`, async () => {
    let left = kills;
    for (let seed = firstSeed; left > 0; seed += 1) left -= await play(seed, Math.min(left, KILLS_EACH));
    expect(left).toBe(0);
  });
});
