import type { Dirent } from 'node:fs';
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { mayBeAtWork } from '../process/at-work.ts';
import type { Repository } from './repository.ts';

/** Places of lock files below the git folder, and how deep they may lie there. */
const places = [
  { folder: '.', deep: false },
  { folder: 'refs', deep: true },
  { folder: 'logs', deep: false },
  { folder: 'objects', deep: false },
  { folder: join('objects', 'info'), deep: false },
  { folder: join('objects', 'pack'), deep: false },
] as const;

/** The lock files of git, absolute: beside the index, the refs, the configuration and the packs. */
export function findLockFiles({ gitDir, commonDir }: Repository): string[] {
  const folders = places.map(({ folder, deep }) => ({ folder: join(commonDir, folder), deep }));
  if (gitDir !== commonDir) {
    folders.push({ folder: gitDir, deep: false }, { folder: join(gitDir, 'refs'), deep: true });
  }
  return folders.flatMap(({ folder, deep }) =>
    existsSync(folder) ? listLocks(folder, readdirSync(folder, { withFileTypes: true, recursive: deep })) : [],
  );
}

function listLocks(folder: string, entries: readonly Dirent[]): string[] {
  return entries
    .filter((entry) => entry.isFile() && entry.name.endsWith('.lock'))
    .map((entry) => join(entry.parentPath ?? folder, entry.name));
}

/** Removes the lock files that were not there before. Call it only when no process of the agent is left. */
export function removeNewLocks(repository: Repository, before: readonly string[]): string[] {
  return removeLocks(
    repository,
    findLockFiles(repository).filter((file) => !before.includes(file)),
  );
}

/**
 * Removes the lock files that came after this instant (milliseconds since the epoch): git was killed with a run that began
 * then, where no snapshot says what was there before. They stay where they may belong to a git that is at work.
 */
export function removeDeadLocks(repository: Repository, since: number): string[] {
  const isNew = (file: string): boolean => (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0) >= since;
  const left = findLockFiles(repository).filter(isNew);
  const { root, gitDir, commonDir } = repository;
  return left.length === 0 || mayBeAtWork('git', [root, gitDir, commonDir]) ? [] : removeLocks(repository, left);
}

function removeLocks({ commonDir }: Repository, files: readonly string[]): string[] {
  for (const file of files) rmSync(file, { force: true });
  return files.map((file) => `The lock file ${file.slice(commonDir.length + 1)} had been left behind and was removed.`);
}
