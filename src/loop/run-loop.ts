import { selectStory } from '../prd/select.ts';
import type { Selection } from '../prd/select.ts';
import type { LoopOptions } from './options.ts';
import type { Ports } from './ports.ts';
import { runPromptIteration } from './prompt-iteration.ts';
import type { RunState } from './run-state.ts';
import { decideEarlyStop, decideStop, firstStop, readStopFacts } from './stop.ts';
import type { Stop } from './stop.ts';
import { runStoryIteration } from './story-iteration.ts';
import type { PrdPorts } from './try.ts';
import { reportLimit, rest, waitOut } from './wait-out.ts';

/** The loop over the stories of a prd.json. Returns why it ended; throws RalphError where the world refuses. */
export async function runLoop(ports: PrdPorts, options: LoopOptions, state: RunState): Promise<Stop> {
  return repeat(ports, options, state, {
    ready: ports.backToBranch,
    select: async () => selectStory((await ports.prd.read()).prd),
    run: async (selection) =>
      selection?.kind === 'story' ? runStoryIteration(ports, options, state, selection.story) : undefined,
  });
}

/** The loop over one text, without a prd.json: the sentinel and green gates end it. */
export async function runPromptLoop(ports: Ports, options: LoopOptions, state: RunState): Promise<Stop> {
  return repeat(ports, options, state, {
    ready: async () => undefined,
    select: async () => undefined,
    run: async () => runPromptIteration(ports, options, state),
  });
}

interface Work {
  /** Whatever the user has done to git since the last iteration: the work goes on where it belongs. */
  ready(): Promise<void>;
  /** What there is to do; undefined where only the agent can tell. */
  select(): Promise<Selection | undefined>;
  /** One iteration. Returns a stop where the run can't go on. */
  run(selection: Selection | undefined): Promise<Stop | undefined>;
}

async function repeat(ports: Ports, options: LoopOptions, state: RunState, work: Work): Promise<Stop> {
  let isRested = true;
  for (;;) {
    if (isRested && decideEarlyStop(options, state, readStopFacts(ports)) === undefined) await work.ready();
    const selection = await work.select();
    const stop = decideStop(options, state, readStopFacts(ports), selection);
    if (stop !== undefined) {
      // The iteration was accepted all the same: only here the limit that its agent met comes to light.
      if (stop.reason === 'limit' && state.cutOff !== undefined)
        reportLimit(ports, state.cutOff, 0, { iteration: state.iteration });
      return stop;
    }
    if (!isRested) {
      const early = await pauseBetween(ports, options, state);
      if (early !== undefined) return early;
      // Whatever was asked for or edited during the pause counts.
      isRested = true;
      continue;
    }
    isRested = false;
    state.iteration += 1;
    const ended = await work.run(selection);
    if (ended === undefined) continue;
    return firstStop(ended, decideStop(options, state, readStopFacts(ports), await work.select())) ?? ended;
  }
}

/** The delay between iterations, or the wait for what cut off an agent that had done its work all the same. */
async function pauseBetween(ports: Ports, options: LoopOptions, state: RunState): Promise<Stop | undefined> {
  const { cutOff } = state;
  state.cutOff = undefined;
  if (cutOff !== undefined)
    return waitOut(ports, options, state, { cutOff, isFailure: false, scope: { iteration: state.iteration } });
  await rest(ports, options.delayMs);
  return undefined;
}
