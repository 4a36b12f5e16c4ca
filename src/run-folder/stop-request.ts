import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** What `ralph stop` asked of a run: nothing, to end after the iteration, or at once. */
export type StopRequest = 'none' | 'after-iteration' | 'now';

/** Leaves the request in the folder of the run, so that it is never taken for a later one. Throws where that can't be written. */
export function requestStop(runFolder: string, request: Exclude<StopRequest, 'none'>): void {
  writeFileSync(path.join(runFolder, 'stop'), `${request}\n`);
}

/** Any file of that name is a request, an empty one (being written) too. */
export function readStopRequest(runFolder: string): StopRequest {
  try {
    return readFileSync(path.join(runFolder, 'stop'), 'utf8').trim() === 'now' ? 'now' : 'after-iteration';
  } catch {
    return 'none';
  }
}
