import { mkdirSync } from 'node:fs';
import { listRuns, readRun } from '../run-folder/read-runs.ts';
import type { RunStatus } from '../run-folder/read-runs.ts';
import { readLock } from '../run-folder/lock.ts';
import { requestStop } from '../run-folder/stop-request.ts';
import { messageOf, RalphError } from '../errors.ts';
import { findPlace } from '../project/place.ts';
import type { Place } from '../project/place.ts';
import type { CommandIo, StopOptions } from './types.ts';

/** Between taking the lock and making its folder a loop asks nobody and reads little: so long it is waited for. */
const START_MS = 5_000;
const LOOK_MS = 50;
/** Further back no run can be the one that runs. */
const NEWEST = 20;

/**
 * Asks the running loop to end after its iteration, or at once. The request lies in the folder of that run, so no later one
 * takes it for its own. Without a loop it says so; that is no failure.
 */
export async function stop({ cwd, now }: StopOptions, io: CommandIo): Promise<number> {
  const place = await findPlace(cwd, io);
  const run = await findRunning(place);
  if (run === undefined) {
    const owner = readLock(place.repository.gitDir);
    const busy = owner === undefined ? '' : ` (pid ${owner.pid} holds the lock, but runs no loop)`;
    io.writer.out(`No loop runs in ${place.repository.root}${busy}: nothing to stop.\n`);
    return 0;
  }
  request(run, now);
  const where =
    run.iteration === null ? '' : ` (iteration ${run.iteration}${run.story === null ? '' : `, ${run.story}`})`;
  io.writer.out(
    now
      ? `Run ${run.id} ends now${where}: the iteration is settled as interrupted, no attempt counts.\n`
      : `Run ${run.id} ends after this iteration${where}. At once: ralph stop --now\n`,
  );
  return 0;
}

function request(run: RunStatus, now: boolean): void {
  try {
    // The agent may have removed it, and the loop makes it anew only with its next event.
    mkdirSync(run.folder, { recursive: true });
    requestStop(run.folder, now ? 'now' : 'after-iteration');
  } catch (error) {
    throw new RalphError('environment', `run ${run.id} can't be asked to stop: ${messageOf(error)}`, {
      cures: [`make ${run.folder} a folder that can be written`, 'or stop it by a signal: Ctrl-C in its terminal'],
      cause: error,
    });
  }
}

/** The run whose process holds the lock. */
async function findRunning({ repository: { root, gitDir } }: Place): Promise<RunStatus | undefined> {
  for (let waited = 0; readLock(gitDir) !== undefined; waited += LOOK_MS) {
    const newest = listRuns(root).slice(-NEWEST).reverse();
    const running = newest.map((id) => readRun(root, gitDir, id)).find(({ status }) => status === 'running');
    if (running !== undefined || waited >= START_MS) return running;
    await new Promise((resolve) => {
      setTimeout(resolve, LOOK_MS);
    });
  }
  return undefined;
}
