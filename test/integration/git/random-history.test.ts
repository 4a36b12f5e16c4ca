import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { play } from './random/play.ts';
import { named } from './random/named.ts';
import { shrink, show } from './random/shrink.ts';
import { generate } from './random/steps.ts';
import { createTemplate } from './random/world.ts';
import type { Ground } from './ground.ts';

/**
 * Whatever user and agent do, nothing of the user's is lost or committed, and nothing at all disappears. Another round:
 * RALPH_SEED=7 RALPH_SEQUENCES=10000. One sequence alone: RALPH_SEED=<the seed of the failure> RALPH_SEQUENCES=1.
 */
const first = Number(process.env['RALPH_SEED'] ?? 1);
const count = Number(process.env['RALPH_SEQUENCES'] ?? 100);
/** Without a wish for more the test ends after this time, however slow the machine is. */
const LIMIT_MS = process.env['RALPH_SEQUENCES'] === undefined ? 25_000 : Number.POSITIVE_INFINITY;
const AT_ONCE = 4;

let template: Ground;
beforeAll(() => {
  template = createTemplate();
});
afterAll(() => template.dispose());

async function search(from: number, to: number): Promise<{ played: number; failed: number[] }> {
  const start = performance.now();
  const failed: number[] = [];
  let next = from;
  const worker = async (): Promise<void> => {
    while (next < to && failed.length < 1 && performance.now() - start < LIMIT_MS) {
      const seed = next;
      next += 1;
      if ((await play(template, generate(seed))) !== undefined) failed.push(seed);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return { played: next - from, failed };
}

describe('random histories', () => {
  it(`of user and agent: ${count} of them from seed ${first}`, { timeout: 24 * 3_600_000 }, async () => {
    const { played, failed } = await search(first, first + count);
    expect(played).toBeGreaterThan(0);
    for (const seed of failed) {
      const { sequence, fault } = await shrink(template, generate(seed));
      expect.unreachable(`seed ${seed}, ${fault}\n\n${show(sequence)}`);
    }
  });
});

describe('histories that went wrong once', () => {
  it.each(named)('$name', { timeout: 60_000 }, async ({ sequence }) => {
    expect(await play(template, sequence)).toBeUndefined();
  });
});
