import { systemClock } from '../clock.ts';
import type { Parts } from '../compose.ts';
import { messageOf, RalphError } from '../errors.ts';
import { exitCodeOf } from '../exit.ts';
import { GitError } from '../git/git.ts';
import type { OpenStory } from '../loop/events.ts';
import type { PrdFile } from '../loop/ports.ts';
import { createRunState, totalsOf } from '../loop/run-state.ts';
import type { RunState } from '../loop/run-state.ts';
import { cutOf, stopOfCut } from '../loop/stop.ts';
import type { Stop } from '../loop/stop.ts';
import { neverGreenText } from '../messages.ts';
import type { ChildRecord } from '../run-folder/child-record.ts';
import { readTurn } from '../run-folder/turn-file.ts';
import type { PreparedRun } from './prepare.ts';
import { recoverRun, settleTurn, takeTicksBack } from './recover.ts';
import { startAndLoop } from './start.ts';

/** What a run is made of: as it was read, and as it works. */
export interface RunSetup {
  readonly prepared: PreparedRun;
  readonly parts: Parts;
}

export interface Recovery {
  readonly children: ChildRecord;
  /** Reads everything that comes from files: again, where a killed iteration was undone. */
  readonly complete: (hasRecovered: boolean) => Promise<RunSetup>;
}

/** The loop with its first and last event around it. Whatever is thrown in between, the end is on record. */
export async function runToEnd(first: RunSetup, { children, complete }: Recovery): Promise<number> {
  const state = createRunState(systemClock.now());
  let setup = first;
  announce(setup);
  try {
    setup = await complete(await recoverRun(first.parts, children));
    const stop = await startAndLoop(setup.prepared, setup.parts, state);
    return await finish(setup, state, outrankedBy(setup.parts.folder.problem(), stop));
  } catch (error) {
    const cut = cutOf(setup.parts.cut);
    // A helper that did not heed the signal was killed, and what it was to do failed: that is no fault.
    if (cut?.kind === 'signal' && error instanceof GitError) return finish(setup, state, stopOfCut(cut));
    const reason = error instanceof RalphError ? refusalOf(error, state) : 'internal';
    await undoOpenTurn(setup.parts);
    await finish(setup, state, { reason, text: messageOf(error) });
    throw error instanceof RalphError && reason !== error.reason && reason !== 'internal'
      ? new RalphError(reason, error.message, error)
      : error;
  }
}

/** A run folder that can't be written ends the run, unless something has that ranks higher. */
function outrankedBy(problem: Error | undefined, stop: Stop): Stop {
  if (problem === undefined || ['complete', 'interrupted', 'stopped'].includes(stop.reason)) return stop;
  return { reason: 'environment', text: problem.message };
}

/**
 * The loop broke off in the middle of an iteration: what it had begun is kept and undone now, if the world lets us, so that
 * no tick stands that was not accepted; else by the next run.
 */
async function undoOpenTurn(parts: Parts): Promise<void> {
  try {
    const turn = readTurn(parts.repository.gitDir);
    if (turn !== undefined) await settleTurn(parts, turn);
  } catch (error) {
    await takeTicksBack(parts);
    const text = `the iteration under way could not be put in order (the next run does it): ${messageOf(error)}`;
    parts.folder.emit({ type: 'warning.raised', text, place: null });
  }
}

/** What is bad input before the first agent is a state file that refuses after it. */
function refusalOf(error: RalphError, state: RunState): RalphError['reason'] {
  return error.reason === 'usage' && state.iteration > 0 ? 'environment' : error.reason;
}

function announce({ prepared, parts: { folder } }: RunSetup): void {
  const { spec, branch, prd, options, reading, warnings, remarks } = prepared;
  const stories = reading?.prd.stories ?? [];
  folder.emit({
    type: 'run.started',
    tool: spec.name,
    branch,
    prd: prd?.path ?? null,
    maxIterations: options.maxIterations ?? null,
    maxAttempts: options.maxAttempts,
    stories: stories.length,
    passed: stories.filter(({ passes }) => passes).length,
  });
  for (const warning of warnings) folder.emit({ type: 'warning.raised', ...warning });
  if (remarks > 0) {
    const text = `${remarks} ${remarks === 1 ? 'remark' : 'remarks'} on ${prd?.path ?? 'prd.json'}: ralph check`;
    folder.emit({ type: 'warning.raised', text, place: null, level: 'note' });
  }
}

async function finish({ prepared, parts }: RunSetup, state: RunState, stop: Stop): Promise<number> {
  const { options } = prepared;
  const { folder } = parts;
  const red = [...state.unboundGates];
  if (red.length > 0) folder.emit({ type: 'warning.raised', text: neverGreenText(red), place: '--allow-red' });
  const code = exitCodeOf(stop.reason, stop.signal);
  const open = parts.prd === undefined ? undefined : await listOpen(parts.prd);
  folder.emit({
    type: 'run.finished',
    reason: stop.reason,
    code,
    signal: stop.signal ?? null,
    text: stop.text === undefined || stop.text === '' ? null : stop.text,
    verified: isVerified(options, state),
    ...(open === undefined ? {} : { open }),
    totals: totalsOf(state, systemClock.now()),
  });
  return code;
}

/** Is there a gate or a check behind everything that was accepted? */
function isVerified({ trust, gates }: PreparedRun['options'], state: RunState): boolean {
  if (trust || state.unverified > 0) return false;
  return state.verified > 0 || gates.some(({ name }) => !state.unboundGates.has(name));
}

async function listOpen(prd: PrdFile): Promise<OpenStory[] | undefined> {
  const reading = await prd.read().catch(() => undefined);
  if (reading === undefined) return undefined;
  const open = reading.prd.stories.filter(({ passes }) => !passes);
  const ids = new Set(open.map(({ id }) => id));
  return open.map(({ id, title, blocked, dependsOn }) => ({
    id,
    title,
    blocked: blocked ?? null,
    waitsFor: dependsOn.filter((other) => ids.has(other)),
  }));
}
