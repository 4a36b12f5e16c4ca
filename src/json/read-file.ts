import { readFile, readdir, stat } from 'node:fs/promises';
import { UsageError, messageOf, systemCodeOf } from '../errors.ts';

/** What stands at a path: a file's bytes, nothing at all, or something that is no file. */
export type FileContent = { kind: 'file'; bytes: Uint8Array } | { kind: 'missing' } | { kind: 'folder' };

/**
 * Reads a file, through a link to its target.
 *
 * @param name how messages call the file
 * @throws {UsageError} where it is there and can't be read
 */
export async function readBytes(path: string, name: string): Promise<FileContent> {
  try {
    return { kind: 'file', bytes: await readFile(path) };
  } catch (error) {
    const code = systemCodeOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return { kind: 'missing' };
    if (code === 'EISDIR') return { kind: 'folder' };
    const cures = code === 'EACCES' || code === 'EPERM' ? [`make it readable: chmod u+r ${name}`] : [];
    throw new UsageError(`${name} can't be read`, { problems: [`${name}: ${messageOf(error)}`], cures, cause: error });
  }
}

/** The text of UTF-8 bytes with its byte order mark, or undefined where they are no UTF-8: nothing is replaced silently. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Is there anything at the path but a folder? What can't be looked at counts as there, so that reading it says why. */
export async function isFileThere(path: string): Promise<boolean> {
  try {
    return !(await stat(path)).isDirectory();
  } catch (error) {
    const code = systemCodeOf(error);
    return code !== 'ENOENT' && code !== 'ENOTDIR';
  }
}

/** The sorted names in a folder; none where there is no such folder or it can't be read. */
export async function listFolder(path: string): Promise<string[]> {
  try {
    return (await readdir(path)).sort();
  } catch {
    return [];
  }
}
