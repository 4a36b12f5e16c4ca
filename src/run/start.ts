import { composePorts, openDesk } from '../compose.ts';
import type { Parts } from '../compose.ts';
import { UsageError } from '../errors.ts';
import { switchBranch } from '../git/branch.ts';
import { isReadyOn, verifyReady } from '../git/repository.ts';
import type { PrdReading } from '../loop/ports.ts';
import { runLoop, runPromptLoop } from '../loop/run-loop.ts';
import type { RunState } from '../loop/run-state.ts';
import { findBrokenStories, tryGates } from '../loop/start-checks.ts';
import type { WithdrawnStory } from '../loop/start-checks.ts';
import { cutOf, stopOfCut } from '../loop/stop.ts';
import type { Stop } from '../loop/stop.ts';
import type { PrdPorts } from '../loop/try.ts';
import { beginFeature } from './begin-feature.ts';
import { removeDeadCheckouts } from './clean-checkout.ts';
import type { PreparedRun } from './prepare.ts';

/** Branch, gates and checks, archive and fresh log, in this order; then the loop. Returns why it ended. */
export async function startAndLoop(prepared: PreparedRun, parts: Parts, state: RunState): Promise<Stop> {
  const { folder, prd, log } = parts;
  await removeDeadCheckouts(parts.repository);
  const early = cutOf(parts.cut);
  if (early !== undefined) return stopOfCut(early);
  if (prd === undefined || log === undefined) return startPromptLoop(prepared, parts, state);
  const feature = await beginFeature(prepared, parts);
  const started = await feature.guard(async () => {
    const desk = await openDesk(parts, folder.run);
    const common = composePorts(parts, desk, prepared.branch);
    const ports: PrdPorts = { ...common, prd, log, backToBranch: async () => goToBranch(common, prepared, parts) };
    await ports.backToBranch();
    const reading = await prd.read();
    return { ports, reading, found: await checkStart(ports, prepared, state, reading) };
  });
  const { ports, reading, found } = started;
  if (!Array.isArray(found)) {
    feature.discard();
    return found;
  }
  await feature.commit();
  await withdraw(ports, found, reading);
  return runLoop(ports, prepared.options, state);
}

/** Within a turn of its own: git that is killed half way leaves files, index and HEAD that don't belong together. */
async function goToBranch(
  { workspace }: Pick<PrdPorts, 'workspace'>,
  prepared: PreparedRun,
  parts: Parts,
): Promise<void> {
  const { repository, folder } = parts;
  if (isReadyOn(repository, prepared.branch)) return;
  const request = {
    name: prepared.branch,
    base: parts.settings.baseBranch,
    current: await verifyReady(repository),
    state: parts.state === undefined ? [] : [parts.state.prd, parts.state.progress, parts.state.archive],
  };
  if (request.name === request.current) return;
  await workspace.snapshot({ iteration: 0, try: 1 });
  try {
    const note = await switchBranch(repository, request);
    if (note !== undefined) folder.emit({ type: 'warning.raised', text: note, place: null, level: 'note' });
  } catch (error) {
    if (error instanceof UsageError) await workspace.release();
    throw error;
  }
  await workspace.release();
}

async function startPromptLoop(prepared: PreparedRun, parts: Parts, state: RunState): Promise<Stop> {
  const ports = composePorts(parts, await openDesk(parts, parts.folder.run), prepared.currentBranch);
  const { options } = prepared;
  if (!options.trust && options.gates.length > 0) {
    const stop = await inSnapshot(ports, () => tryGates(ports, options, state));
    if (stop !== undefined) return stop;
  }
  return runPromptLoop(ports, options, state);
}

/** The gates before any work, and the checks of the stories that passed. */
async function checkStart(
  ports: PrdPorts,
  { options }: PreparedRun,
  state: RunState,
  reading: PrdReading,
): Promise<WithdrawnStory[] | Stop> {
  const hasChecks = reading.prd.stories.some(({ passes, checks }) => passes && checks.length > 0);
  if (options.trust || (options.gates.length === 0 && !hasChecks)) return [];
  return inSnapshot(
    ports,
    async () => (await tryGates(ports, options, state)) ?? findBrokenStories(ports, options, reading),
  );
}

/** What gates and checks change is put back, at the start of a run too. */
async function inSnapshot<T>({ workspace }: Pick<PrdPorts, 'workspace'>, step: () => Promise<T>): Promise<T> {
  await workspace.snapshot({ iteration: 0, try: 1 });
  try {
    return await step();
  } finally {
    await workspace.putBack();
    await workspace.release();
  }
}

/** A tick whose check is red before any work was never true, or is not any more: the story is open again. */
async function withdraw(ports: PrdPorts, broken: readonly WithdrawnStory[], reading: PrdReading): Promise<void> {
  if (broken.length === 0) return;
  const changes = broken.map(({ id }) => ({ id, passes: false, ralph: null }));
  await ports.prd.write(ports.prd.edit(reading, changes));
  for (const { id, reason } of broken)
    ports.folder.emit({ type: 'claim.withdrawn', by: 'check', reason }, { story: id });
}
