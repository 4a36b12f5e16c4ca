import { cpSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { systemCodeOf } from '../errors.ts';
import { displayPath, fromBytes } from './byte-path.ts';
import type { BytePath } from './byte-path.ts';
import type { Desk } from './desk.ts';
import { fileAt, statAt } from './file-at.ts';

/** Of an iteration at most so many versions of one path are moved away; more is a sign of a loop. */
const MOST = 1_000;

/** Moves a file or folder of the working tree into the run folder. What is there already stays, too. */
export function moveAside(desk: Desk, path: BytePath, iteration: number): void {
  const { root } = desk.repository;
  if (statAt(root, path) === undefined) return;
  const from = fileAt(root, path);
  const to = findPlace(desk.leftFolder(iteration), path);
  try {
    renameSync(from, to);
  } catch (error) {
    if (systemCodeOf(error) !== 'EXDEV') throw error;
    cpSync(join(root, displayPath(path)), to.toString(), { recursive: true, verbatimSymlinks: true });
    rmSync(from, { recursive: true, force: true });
  }
}

/** The path below `left`, or below `left-2`… where something of that name was moved before. */
function findPlace(left: string, path: BytePath): Buffer {
  const name = path.endsWith('/') ? fromBytes(path.slice(0, -1)) : path;
  for (let n = 1; n <= MOST; n += 1) {
    const folder = n === 1 ? left : `${left}-${n}`;
    const to = fileAt(folder, name);
    if (statAt(folder, name) === undefined && hasFolder(to)) return to;
  }
  throw new Error(`there is no room for ${displayPath(path)} below ${left}`);
}

function hasFolder(file: Buffer): boolean {
  try {
    mkdirSync(Buffer.from(dirname(file.toString('latin1')), 'latin1'), { recursive: true });
    return true;
  } catch (error) {
    // A file of another version is in the way.
    if (['ENOTDIR', 'EEXIST'].includes(systemCodeOf(error) ?? '')) return false;
    throw error;
  }
}
