import type { EventScope } from './events.ts';
import type { LoopOptions } from './options.ts';
import { planPause } from './pause.ts';
import type { Ports } from './ports.ts';
import type { CutOff, RunState } from './run-state.ts';
import { decideEarlyStop, readStopFacts } from './stop.ts';
import type { Stop } from './stop.ts';

/** How often a wait looks whether `ralph stop` asks for its end, in milliseconds. */
const LOOK_MS = 1_000;

/**
 * Waits out what cut an agent off. `isFailure`: the try came to nothing. Returns a stop where waiting is no use, or the run
 * is to end meanwhile.
 */
export async function waitOut(
  ports: Ports,
  options: LoopOptions,
  state: RunState,
  { cutOff, isFailure, scope }: { cutOff: CutOff; isFailure: boolean; scope: EventScope },
): Promise<Stop | undefined> {
  const early = decideEarlyStop(options, state, readStopFacts(ports));
  if (early !== undefined) return early;
  const { obstacle } = cutOff;
  const pause = planPause(options, state, obstacle, { now: ports.clock.now(), random: ports.random(), isFailure });
  if (pause.kind === 'stop') {
    if (pause.stop.reason === 'limit') reportLimit(ports, cutOff, 0, scope);
    return pause.stop;
  }
  const { waitMs } = pause;
  if (obstacle.kind === 'limit') reportLimit(ports, cutOff, waitMs, scope);
  else ports.folder.emit({ type: 'agent.retry', class: cutOff.class, text: obstacle.text, waitMs }, scope);
  await rest(ports, waitMs);
  return decideEarlyStop(options, state, readStopFacts(ports));
}

/** Puts a usage limit on record; `waitMs` is 0 where it ends the run: who reads that wants to know until when. */
export function reportLimit({ folder }: Ports, { obstacle }: CutOff, waitMs: number, scope: EventScope): void {
  const resetAt =
    obstacle.kind === 'limit' && obstacle.resetAt !== undefined ? new Date(obstacle.resetAt).toISOString() : null;
  folder.emit({ type: 'agent.limit', resetAt, waitMs, text: obstacle.text }, scope);
}

/** Sleeps for `ms`, but not on when the run is cut short or asked to end. */
export async function rest({ clock, cut, folder }: Ports, ms: number): Promise<void> {
  const until = clock.now() + ms;
  for (let left = ms; left > 0 && !cut.aborted && !folder.stopRequested(); left = until - clock.now())
    await clock.sleep(Math.min(left, LOOK_MS), cut);
}
