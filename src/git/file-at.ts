import { lstatSync, statSync } from 'node:fs';
import type { Stats } from 'node:fs';
import { systemCodeOf } from '../errors.ts';
import { pathBytes } from './byte-path.ts';
import type { BytePath } from './byte-path.ts';

/** The file of a path from the root of the working tree, for the file system. */
export function fileAt(root: string, path: BytePath): Buffer {
  return Buffer.concat([Buffer.from(`${root}/`), pathBytes(path)]);
}

/** What stands there, links not followed; undefined where nothing does, or a file stands in the place of its folder. */
export function statAt(root: string, path: BytePath): Stats | undefined {
  try {
    return lstatSync(fileAt(root, path), { throwIfNoEntry: false });
  } catch (error) {
    if (systemCodeOf(error) === 'ENOTDIR') return undefined;
    throw error;
  }
}

/**
 * Tells the file that is at an absolute path now from any other one and any later state of it; undefined: there is none. A
 * change of nothing but its times counts as well.
 */
export function markOf(file: string): string | undefined {
  const facts = statSync(file, { throwIfNoEntry: false, bigint: true });
  return facts === undefined ? undefined : `${facts.ino} ${facts.size} ${facts.mtimeNs} ${facts.ctimeNs}`;
}
