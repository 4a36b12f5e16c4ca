import { selectStory } from '../prd/select.ts';
import { runIteration } from './iteration.ts';
import type { LoopOptions } from './options.ts';
import type { Ports } from './ports.ts';
import { runPromptIteration } from './prompt-iteration.ts';
import type { RunState } from './run-state.ts';
import { cutOf, decideStop } from './stop.ts';
import type { Stop } from './stop.ts';
import type { PrdPorts } from './try.ts';
import { waitOut } from './wait-out.ts';

/** The loop over the stories of a prd.json. Returns why it ended; throws RalphError where the world refuses. */
export async function runLoop(ports: PrdPorts, options: LoopOptions, state: RunState): Promise<Stop> {
  for (;;) {
    const selection = selectStory((await ports.prd.read()).prd);
    const stop = decideStop(options, state, {
      selection,
      now: ports.clock.now(),
      cut: cutOf(ports.cut),
      stopRequested: ports.folder.stopRequested(),
    });
    if (stop !== undefined) return stop;
    const early = await pauseBetween(ports, options, state);
    if (early !== undefined) return early;
    // The user may have edited the list during the pause.
    const now = selectStory((await ports.prd.read()).prd);
    if (now.kind !== 'story') continue;
    state.iteration += 1;
    const ended = await runIteration(ports, options, state, now.story);
    if (ended !== undefined)
      return outranked(ports, options, state, ended, selectStory((await ports.prd.read()).prd).kind === 'complete');
  }
}

/** The loop over one text, without a prd.json: the sentinel and green gates end it. */
export async function runPromptLoop(ports: Ports, options: LoopOptions, state: RunState): Promise<Stop> {
  for (;;) {
    const stop = decideStop(options, state, {
      selection: undefined,
      now: ports.clock.now(),
      cut: cutOf(ports.cut),
      stopRequested: ports.folder.stopRequested(),
    });
    if (stop !== undefined) return stop;
    const early = await pauseBetween(ports, options, state);
    if (early !== undefined) return early;
    state.iteration += 1;
    const ended = await runPromptIteration(ports, options, state);
    if (ended !== undefined) return ended;
  }
}

/** What is finished is complete, whatever else ended the last iteration. */
function outranked(ports: Ports, options: LoopOptions, state: RunState, ended: Stop, isComplete: boolean): Stop {
  if (isComplete) return { reason: 'complete' };
  const facts = {
    selection: undefined,
    now: ports.clock.now(),
    cut: cutOf(ports.cut),
    stopRequested: ports.folder.stopRequested(),
  };
  const first = decideStop(options, state, facts);
  const higher = first !== undefined && ['interrupted', 'stopped'].includes(first.reason);
  return higher ? first : ended;
}

/** The delay between iterations, and before it the wait for a limit that struck after an accepted story. */
async function pauseBetween(ports: Ports, options: LoopOptions, state: RunState): Promise<Stop | undefined> {
  if (state.iteration === 0) return undefined;
  const { obstacle } = state;
  state.obstacle = undefined;
  if (obstacle !== undefined) {
    const end = {
      class: obstacle.kind === 'limit' || obstacle.kind === 'account' ? 'limit' : 'overloaded',
      obstacle,
    } as const;
    return waitOut(ports, options, state, end, undefined);
  }
  await ports.clock.sleep(options.delayMs, ports.cut);
  return undefined;
}
