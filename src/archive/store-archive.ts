import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { messageOf, systemCodeOf, UsageError } from '../errors.ts';
import { dateOf, slugOf } from './slug.ts';

export interface ArchiveSource {
  readonly branch: string;
  /** The old PRD: bytes, or undefined where none could be found. */
  readonly prd: Uint8Array | undefined;
  /** Path of the old log; undefined where there is none. */
  readonly log: string | undefined;
}

/** An archive that is written but not yet in place. */
export interface PendingArchive {
  /** Gives it its name; returns the path of the folder from the root of the archive. */
  commit(): string;
  /** As if it had never been. */
  discard(): void;
}

/**
 * Writes the old PRD and log into the archive, under a name that nobody takes for an archive yet. Throws UsageError where it
 * can't be written; nothing is changed then.
 */
export function prepareArchive(folder: string, source: ArchiveSource, at: number): PendingArchive {
  const isNew = !existsSync(folder);
  const discard = (fresh: string | undefined): void => {
    if (fresh !== undefined) rmSync(fresh, { recursive: true, force: true });
    if (isNew) removeIfEmpty(folder);
  };
  let fresh: string | undefined;
  try {
    mkdirSync(folder, { recursive: true });
    // What a killed run left half written.
    for (const name of readdirSync(folder))
      if (name.startsWith('.new-')) rmSync(join(folder, name), { recursive: true, force: true });
    fresh = mkdtempSync(join(folder, '.new-'));
    if (source.prd !== undefined) writeFileSync(join(fresh, 'prd.json'), source.prd);
    if (source.log !== undefined) copyFileSync(source.log, join(fresh, 'progress.txt'));
  } catch (error) {
    discard(fresh);
    throw refused(folder, error);
  }
  const written = fresh;
  return {
    commit: () => giveName(folder, written, `${dateOf(at)}-${slugOf(source.branch)}`),
    discard: () => discard(written),
  };
}

/** The first name that is free: `rename` on a folder never replaces one that holds files. */
function giveName(folder: string, written: string, name: string): string {
  for (let number = 1; ; number += 1) {
    const free = number === 1 ? name : `${name}-${number}`;
    if (existsSync(join(folder, free))) continue;
    try {
      renameSync(written, join(folder, free));
      return free;
    } catch (error) {
      if (!['ENOTEMPTY', 'EEXIST', 'ENOTDIR'].includes(systemCodeOf(error) ?? '')) throw refused(folder, error);
    }
  }
}

function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // Somebody else put something there.
  }
}

function refused(folder: string, error: unknown): UsageError {
  return new UsageError(`the archive can't be written: ${folder}`, {
    problems: [messageOf(error)],
    cures: [`make sure that ${folder} is a folder that can be written`],
    cause: error,
  });
}
