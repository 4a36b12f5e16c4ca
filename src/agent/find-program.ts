import { accessSync, constants, statSync } from 'node:fs';
import path from 'node:path';

/**
 * The file that a command name stands for, as the system finds it: a name with a slash from `cwd`, any other on PATH.
 * Undefined where there is none, or none that may be executed.
 */
export function findProgram(command: string, cwd: string, env: Readonly<NodeJS.ProcessEnv>): string | undefined {
  const hasFolder = command.includes('/') || (process.platform === 'win32' && command.includes('\\'));
  // An empty entry means the current folder, as it always has.
  const folders = hasFolder
    ? [cwd]
    : (env['PATH'] ?? '').split(path.delimiter).map((entry) => path.resolve(cwd, entry));
  const endings = process.platform === 'win32' ? ['', ...(env['PATHEXT'] ?? '.EXE;.CMD;.BAT').split(';')] : [''];
  return folders
    .flatMap((folder) => endings.map((ending) => path.resolve(folder, command + ending)))
    .find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
