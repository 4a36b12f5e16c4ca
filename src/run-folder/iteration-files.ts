import { closeSync, mkdirSync, openSync } from 'node:fs';
import path from 'node:path';
import { systemCodeOf } from '../errors.ts';
import { nothing } from '../process/timers.ts';
import type { LogFile, OpenLog } from '../process/types.ts';
import { openCapture, writeFully } from './capture.ts';
import { numberedName, safeName } from './safe-name.ts';

export interface IterationFiles {
  readonly folderOf: (iteration: number) => string;
  readonly openLog: OpenLog;
  /** Writes a text whole, under a new name; returns its path from the root of the working tree. */
  keep(iteration: number, name: string, data: string | Uint8Array): string;
}

/** The files of the iterations of a run, each in a folder `NNN`. Nothing is overwritten; errors go to `onError`. */
export function createIterationFiles(
  root: string,
  runFolder: string,
  onError: (error: unknown) => void,
): IterationFiles {
  const shown = (file: string): string => path.relative(root, file).replaceAll(path.sep, '/');
  const folderOf = (iteration: number): string => path.join(runFolder, String(iteration).padStart(3, '0'));
  const made = (iteration: number): string => {
    const folder = folderOf(iteration);
    mkdirSync(folder, { recursive: true });
    return folder;
  };
  const openLog: OpenLog = (iteration, name) => {
    try {
      const { file, opened } = create(made(iteration), name, (free) => openCapture(free, { onError }));
      return { path: shown(file), write: (chunk) => opened.write(chunk), close: () => opened.close() };
    } catch (error) {
      onError(error);
      return lost(shown(path.join(folderOf(iteration), safeName(name))));
    }
  };
  const keep = (iteration: number, name: string, data: string | Uint8Array): string => {
    try {
      const { file, opened } = create(made(iteration), name, (free) => openSync(free, 'wx'));
      try {
        writeFully(opened, typeof data === 'string' ? Buffer.from(data) : data);
      } finally {
        closeSync(opened);
      }
      return shown(file);
    } catch (error) {
      onError(error);
      return shown(path.join(folderOf(iteration), safeName(name)));
    }
  };
  return { folderOf: made, openLog, keep };
}

/** A log that can't be opened: the command it belongs to runs all the same. */
function lost(file: string): LogFile {
  return { path: file, write: nothing, close: nothing };
}

/** Opens the first free name of `name`, `name-2`…; case and Unicode collisions are the file system's to tell. */
function create<T>(folder: string, name: string, open: (file: string) => T): { file: string; opened: T } {
  const safe = safeName(name);
  for (let number = 1; ; number += 1) {
    const file = path.join(folder, numberedName(safe, number));
    try {
      return { file, opened: open(file) };
    } catch (error) {
      if (systemCodeOf(error) !== 'EEXIST') throw error;
    }
  }
}
