import { readdirSync, readlinkSync } from 'node:fs';
import { systemCodeOf } from '../errors.ts';
import { readStat } from './process-table.ts';
import { readOutput } from './spawn.ts';

/**
 * May a program of this name (`git`, or its `git-…`) be at work in one of these folders (absolute) or below? Where the
 * system doesn't tell in which folder a process works (macOS), any of that name may; without a process table (Windows): yes.
 */
export function mayBeAtWork(program: string, folders: readonly string[]): boolean {
  const isCalledSo = (name: string): boolean => name === program || name.startsWith(`${program}-`);
  if (process.platform === 'win32') return true;
  if (process.platform !== 'linux')
    return readOutput('ps', ['-A', '-o', 'comm='])
      .split('\n')
      .some((line) => isCalledSo(line.slice(line.lastIndexOf('/') + 1).trim()));
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .some((pid) => isCalledSo(readStat(Number(pid))?.name ?? '') && isIn(pid, folders));
}

function isIn(pid: string, folders: readonly string[]): boolean {
  try {
    const folder = `${readlinkSync(`/proc/${pid}/cwd`)}/`;
    return folders.some((wanted) => folder.startsWith(`${wanted}/`));
  } catch (error) {
    // Of another user's process nobody can say; one that has ended is nowhere.
    return systemCodeOf(error) === 'EACCES';
  }
}
