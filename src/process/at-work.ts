import { readdirSync, readlinkSync } from 'node:fs';
import { systemCodeOf } from '../errors.ts';
import { readStat } from './process-table.ts';
import { readOutput } from './spawn.ts';

/** A running process. */
export interface Worker {
  readonly name: string;
  /** The folder that it works in, absolute; undefined where the system doesn't say. */
  readonly folder: string | undefined;
}

/** The processes whose name is wanted; undefined where there is no process table. */
export type ReadWorkers = (isWanted: (name: string) => boolean) => readonly Worker[] | undefined;

/**
 * May a program of this name (`git`, or its `git-…`) be at work in one of these folders (absolute) or below? Where the
 * system doesn't tell in which folder a process works (macOS, other users), any of that name may; without a process table
 * (Windows): yes.
 */
export function mayBeAtWork(program: string, folders: readonly string[], read: ReadWorkers = readWorkers): boolean {
  const workers = read((name) => name === program || name.startsWith(`${program}-`));
  const isIn = (folder: string): boolean => folders.some((wanted) => `${folder}/`.startsWith(`${wanted}/`));
  return workers === undefined || workers.some(({ folder }) => folder === undefined || isIn(folder));
}

const readWorkers: ReadWorkers = (isWanted) => {
  if (process.platform === 'win32') return undefined;
  if (process.platform !== 'linux') return parseWorkers(readOutput('ps', ['-A', '-o', 'comm=']), isWanted);
  return readdirSync('/proc').flatMap((pid) => {
    const name = /^\d+$/.test(pid) ? readStat(Number(pid))?.name : undefined;
    return name !== undefined && isWanted(name) ? readFolder(pid, name) : [];
  });
};

/** From `ps -o comm=` of macOS and the BSDs: the path of a program a line, which tells no folder. */
export function parseWorkers(table: string, isWanted: (name: string) => boolean): Worker[] {
  return table
    .split('\n')
    .map((line) => line.slice(line.lastIndexOf('/') + 1).trim())
    .filter(isWanted)
    .map((name) => ({ name, folder: undefined }));
}

function readFolder(pid: string, name: string): Worker[] {
  try {
    return [{ name, folder: readlinkSync(`/proc/${pid}/cwd`) }];
  } catch (error) {
    // Of another user's process nobody can say; one that has ended is nowhere.
    return systemCodeOf(error) === 'EACCES' ? [{ name, folder: undefined }] : [];
  }
}
