import { systemClock } from '../clock.ts';
import type { Parts } from '../compose.ts';
import { messageOf, RalphError } from '../errors.ts';
import { exitCodeOf } from '../exit.ts';
import type { OpenStory } from '../loop/events.ts';
import type { PrdFile } from '../loop/ports.ts';
import { createRunState, totalsOf } from '../loop/run-state.ts';
import type { RunState } from '../loop/run-state.ts';
import type { Stop } from '../loop/stop.ts';
import { neverGreenText } from '../messages.ts';
import type { PreparedRun } from './prepare.ts';
import { startAndLoop } from './start.ts';

/** The loop with its first and last event around it. Whatever is thrown in between, the end is on record. */
export async function runToEnd(prepared: PreparedRun, parts: Parts): Promise<number> {
  const state = createRunState(systemClock.now());
  announce(prepared, parts);
  try {
    const stop = await startAndLoop(prepared, parts, state);
    const problem = parts.folder.problem();
    return await finish(
      prepared,
      parts,
      state,
      problem === undefined ? stop : { reason: 'environment', text: problem.message },
    );
  } catch (error) {
    const reason = error instanceof RalphError ? refusalOf(error, state) : 'internal';
    await finish(prepared, parts, state, { reason, text: messageOf(error) });
    throw error instanceof RalphError && reason !== error.reason && reason !== 'internal'
      ? new RalphError(reason, error.message, error)
      : error;
  }
}

/** What is bad input before the first agent is a state file that refuses after it. */
function refusalOf(error: RalphError, state: RunState): RalphError['reason'] {
  return error.reason === 'usage' && state.iteration > 0 ? 'environment' : error.reason;
}

function announce({ spec, branch, prd, options, reading, warnings }: PreparedRun, { folder }: Parts): void {
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
}

async function finish(prepared: PreparedRun, parts: Parts, state: RunState, stop: Stop): Promise<number> {
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
