import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { below, pick } from './random.ts';
import type { Random } from './random.ts';
import type { Ended, World } from './world.ts';

/** When ralph is killed: at a call of git, or so many milliseconds after an event, or not at all. */
export type Plan =
  | { readonly kind: 'git'; readonly what: 'before' | 'after' | 'during' | 'cut'; readonly call: number }
  | { readonly kind: 'event'; readonly number: number; readonly afterMs: number }
  | { readonly kind: 'none' };

export function makePlan(random: Random): Plan {
  if (random() < 0.6) {
    const what = pick(random, ['before', 'after', 'during', 'cut'] as const);
    // Most calls are behind the start; the first ones matter as much.
    return { kind: 'git', what, call: 1 + below(random, random() < 0.3 ? 25 : 140) };
  }
  return { kind: 'event', number: 1 + below(random, 30), afterMs: below(random, 3) === 0 ? 0 : below(random, 120) };
}

export function showPlan(plan: Plan): string {
  switch (plan.kind) {
    case 'git':
      return `${plan.what} git call ${plan.call}`;
    case 'event':
      return `${plan.afterMs} ms after event ${plan.number}`;
    case 'none':
      return 'not killed';
  }
}

/** Runs ralph once under the plan. */
export async function runUnder(world: World, plan: Plan, args: readonly string[]): Promise<Ended> {
  for (const name of ['git-calls', 'git-plan']) rmSync(path.join(world.records, name), { force: true });
  if (plan.kind === 'git') writeFileSync(path.join(world.records, 'git-plan'), `${plan.what} ${plan.call}\n`);
  const before = new Set(world.runs());
  const running = world.start(args);
  if (plan.kind === 'event') {
    const timer = setInterval(() => {
      const run = world.runs().find((id) => !before.has(id));
      if (run === undefined || countLines(world, run) < plan.number) return;
      clearInterval(timer);
      setTimeout(() => kill(running.pid), plan.afterMs);
    }, 5);
    void running.done.finally(() => clearInterval(timer));
  }
  return running.done;
}

function countLines(world: World, run: string): number {
  try {
    return readFileSync(path.join(world.repo, '.ralph/runs', run, 'events.jsonl'), 'latin1').split('\n').length - 1;
  } catch {
    return 0;
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // it ended by itself
  }
}
