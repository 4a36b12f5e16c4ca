import {
  existsSync,
  lstatSync,
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
import { cureOfFolder } from '../folder-cure.ts';
import { listNames, readPair } from './list-archives.ts';
import { dateOf, slugOf } from './slug.ts';

/** What goes into one archive; not both can be missing. */
export interface ArchiveSource {
  readonly branch: string;
  /** The bytes of the PRD, or undefined where none could be found. */
  readonly prd: Uint8Array | undefined;
  readonly log: Uint8Array | undefined;
}

/** An archive that is written but not yet in place. */
export interface PendingArchive {
  /**
   * Gives it its name, and returns that: where an archiving was cut off, the name that the same pair has got already. Throws
   * UsageError where that can't be done; nothing is left of it then.
   */
  commit(): string;
  /** As if it had never been. */
  discard(): void;
}

/**
 * Writes PRD and log into the archive, under a name that nobody takes for an archive yet. `at` decides its date, in
 * milliseconds since the epoch; `finishes`: an archiving was cut off before. Throws UsageError where it can't be written; nothing is changed then.
 */
export function prepareArchive(
  folder: string,
  source: ArchiveSource,
  { at, finishes }: { at: number; finishes: boolean },
): PendingArchive {
  const isNew = !existsSync(folder);
  let fresh: string | undefined;
  const discard = (): void => {
    if (fresh !== undefined) rmSync(fresh, { recursive: true, force: true });
    if (isNew) removeIfEmpty(folder);
  };
  const refusing = <T>(step: () => T): T => {
    try {
      return step();
    } catch (error) {
      discard();
      throw refused(folder, error);
    }
  };
  const written = refusing(() => {
    mkdirSync(folder, { recursive: true });
    fresh = mkdtempSync(join(folder, '.new-'));
    if (source.prd !== undefined) writeFileSync(join(fresh, 'prd.json'), source.prd);
    if (source.log !== undefined) writeFileSync(join(fresh, 'progress.txt'), source.log);
    return fresh;
  });
  return {
    commit: () => {
      const name = finishes ? findHeld(folder, source) : undefined;
      if (name === undefined)
        return refusing(() => giveName(folder, written, `${dateOf(at)}-${slugOf(source.branch)}`));
      discard();
      return name;
    },
    discard,
  };
}

/** Removes what a killed start wrote and gave no name: it would go into a commit. Call it under the lock. Never throws. */
export function removeUnnamed(folder: string): void {
  try {
    for (const name of readdirSync(folder)) {
      if (/^\.new-\w{6}$/.test(name)) rmSync(join(folder, name), { recursive: true, force: true });
    }
  } catch {
    // No archive yet, or one that can't be written: whoever writes it says so.
  }
}

/** The archive that holds all of this already. The log may have been read from a copy that was a little behind. */
function findHeld(folder: string, { branch, prd, log }: ArchiveSource): string | undefined {
  const name = new RegExp(`^\\d{4}-\\d\\d-\\d\\d-${escape(slugOf(branch))}(?:-\\d+)?$`);
  return listNames(folder)
    .filter((candidate) => name.test(candidate))
    .findLast((candidate) => {
      const held = readPair(folder, candidate);
      const isPrd = prd === undefined || held.prd?.equals(prd) === true;
      return isPrd && (log === undefined || held.log?.subarray(0, log.length).equals(log) === true);
    });
}

const escape = (text: string): string => text.replace(/[.-]/g, '\\$&');

/** The first name that is free: `rename` on a folder never replaces one that holds files, and a link is never followed. */
function giveName(folder: string, written: string, name: string): string {
  for (let number = 1; ; number += 1) {
    const free = number === 1 ? name : `${name}-${number}`;
    if (lstatSync(join(folder, free), { throwIfNoEntry: false }) !== undefined) continue;
    try {
      renameSync(written, join(folder, free));
      return free;
    } catch (error) {
      if (!['ENOTEMPTY', 'EEXIST', 'ENOTDIR'].includes(systemCodeOf(error) ?? '')) throw error;
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
    cures: [cureOfFolder(folder, error)],
    cause: error,
  });
}
