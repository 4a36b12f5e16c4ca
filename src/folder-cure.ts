import { lstatSync } from 'node:fs';
import { dirname } from 'node:path';
import { systemCodeOf } from './errors.ts';
import { quoteWord } from './shell-words.ts';

/** What to do about a folder (an absolute path) that the system would not make or let us write into. */
export function cureOfFolder(folder: string, error: unknown): string {
  const code = systemCodeOf(error) ?? '';
  if (['EEXIST', 'ENOTDIR'].includes(code)) {
    const file = fileInTheWay(folder);
    return `it is no folder; move it away: mv ${quoteWord(file)} ${quoteWord(`${file}.old`)}`;
  }
  if (['EACCES', 'EPERM'].includes(code))
    return `make it a folder that you can write into: chmod u+rwx ${quoteWord(nearest(folder))}`;
  if (['ENOSPC', 'EDQUOT'].includes(code)) return 'make room on the disk';
  return `make sure that ${folder} is a folder that can be written`;
}

/** The part of the path that is there and is no folder, seen from the top. */
function fileInTheWay(folder: string): string {
  const above = dirname(folder);
  if (above === folder) return folder;
  const found = fileInTheWay(above);
  return found !== above || isFile(above) ? found : folder;
}

function isFile(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === false;
}

/** The folder itself where it is there, else the one it would be made in. */
function nearest(folder: string): string {
  const above = dirname(folder);
  return above === folder || lstatSync(folder, { throwIfNoEntry: false }) !== undefined ? folder : nearest(above);
}
