import type { Verdict } from './events.ts';
import type { LoopOptions } from './options.ts';
import type { Ports } from './ports.ts';
import { roundUsd } from './run-state.ts';
import type { CutOff, RunState } from './run-state.ts';
import { cutOf } from './stop.ts';
import type { Stop } from './stop.ts';
import { waitOut } from './wait-out.ts';

/** How an iteration ended, and the stop where the run can't go on. */
export interface IterationEnd {
  readonly verdict: Verdict;
  readonly stop: Stop | undefined;
}

/** A try ends its iteration, or a limit or the provider cut it off and there is another one. */
export type TryEnd = ({ kind: 'finished' } & IterationEnd) | { kind: 'cut-off'; by: CutOff };

/** What an iteration is about. */
export interface Turn {
  /** The story's id and title; undefined in prompt mode. */
  readonly story: string | undefined;
  readonly title: string | undefined;
  /** prompt → snapshot → execute → compare → judge → settle. */
  runTry(number: number): Promise<TryEnd>;
  /** Puts on record that no further try will be made. */
  giveUp(verdict: Verdict, stop: Stop): Promise<void>;
}

/**
 * One turn of the loop: a try, and another one for each that a limit or the provider cut off. Returns a stop where the run
 * can't go on; throws RalphError where the world refuses. Its end is an event in any case.
 */
export async function runIteration(
  ports: Ports,
  options: LoopOptions,
  state: RunState,
  turn: Turn,
): Promise<Stop | undefined> {
  const startedAt = ports.clock.now();
  const costBefore = state.costUsd;
  const scope = { iteration: state.iteration, ...(turn.story === undefined ? {} : { story: turn.story }) };
  ports.folder.emit({ type: 'iteration.started', title: turn.title ?? null }, scope);
  let verdict: Verdict = 'interrupted';
  try {
    const end = await runTries(ports, options, state, turn);
    ({ verdict } = end);
    return end.stop;
  } finally {
    const durationMs = ports.clock.now() - startedAt;
    const costUsd = roundUsd(state.costUsd - costBefore);
    ports.folder.emit({ type: 'iteration.finished', verdict, durationMs, costUsd }, scope);
  }
}

async function runTries(ports: Ports, options: LoopOptions, state: RunState, turn: Turn): Promise<IterationEnd> {
  const { iteration } = state;
  for (let number = 1; ; number += 1) {
    const end = await turn.runTry(number);
    await ports.workspace.release();
    if (end.kind === 'finished') return end;
    state.remarks = [...state.told, ...state.remarks];
    const scope = { iteration, ...(turn.story === undefined ? {} : { story: turn.story }), try: number };
    const stop = await waitOut(ports, options, state, { cutOff: end.by, isFailure: true, scope });
    if (stop === undefined) continue;
    const verdict = cutOf(ports.cut) === undefined ? 'unfinished' : 'interrupted';
    await turn.giveUp(verdict, stop);
    return { verdict, stop };
  }
}
