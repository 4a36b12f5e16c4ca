import { stat } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import type { Resolved } from '../config/settings.ts';
import type { PrdFile } from '../loop/ports.ts';
import { prdPlaces } from '../prd/find.ts';
import { createPrdFile } from '../prd/store.ts';
import { createProgressLog } from '../progress/progress-log.ts';
import type { ProgressFile } from '../progress/progress-log.ts';
import { besideOf } from '../project/beside.ts';
import { findPrdFile } from '../project/find-prd-file.ts';
import type { Place } from '../project/place.ts';

/** The three state files of a start folder, whether or not they are there. */
export interface StatePlace {
  readonly prd: PrdFile;
  readonly log: ProgressFile;
  /** Path of the archive from the root of the working tree, and absolute. */
  readonly archive: string;
  readonly archiveFolder: string;
  readonly prdFile: string;
  readonly logFile: string;
}

/**
 * Where the state files are: beside the PRD, else (it may be in the archive) where `--prd` says, else where a log or an
 * archive is in one of the usual places, else in the start folder. Throws UsageError where `--prd` names a folder that isn't there.
 */
export async function findStatePlace(place: Place, resolved: Resolved): Promise<StatePlace> {
  const { root } = place.repository;
  const prd = createPrdFile({ root, path: relative(root, await findPath(place, resolved)) });
  const { progress, archive } = besideOf(prd.path);
  const log = createProgressLog({ root, path: progress });
  return {
    prd,
    log,
    archive,
    archiveFolder: join(root, archive),
    prdFile: join(root, prd.path),
    logFile: join(root, log.path),
  };
}

async function findPath(place: Place, resolved: Resolved): Promise<string> {
  const { prd } = resolved.settings;
  const named = prd === undefined ? undefined : resolve(place.start, prd);
  if (named !== undefined && !(await isThere(named)) && (await isThere(dirname(named)))) return named;
  const found = await findPrdFile(place, resolved);
  if (found !== undefined) return join(place.repository.root, found.path);
  for (const usual of prdPlaces) {
    const folder = join(place.start, dirname(usual));
    if ((await isThere(join(folder, 'progress.txt'))) || (await isThere(join(folder, 'archive')))) {
      return join(folder, 'prd.json');
    }
  }
  return join(place.start, 'prd.json');
}

async function isThere(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined;
}
