import { realpath } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import type { Resolved } from '../config/settings.ts';
import { UsageError } from '../errors.ts';
import { isFileThere } from '../json/read-file.ts';
import type { PrdFile } from '../loop/ports.ts';
import { findPrd } from '../prd/find.ts';
import { createPrdFile } from '../prd/store.ts';
import { quoteWord } from '../shell-words.ts';
import type { Place } from './place.ts';

/** The PRD of a call, or undefined where none was named and none is in the usual places. Throws UsageError for a named one that is not there. */
export async function findPrdFile(place: Place, { settings, sources }: Resolved): Promise<PrdFile | undefined> {
  const { root } = place.repository;
  const toFile = (path: string): PrdFile => createPrdFile({ root, path: relative(root, path) });
  if (settings.prd !== undefined) {
    const path = resolve(place.start, settings.prd);
    if (!(await isFileThere(path))) {
      throw new UsageError(`${sources.prd}: there is no file ${path}`, {
        cures: ['name one with --prd <file>, or leave it out to have the usual places looked at: ralph run'],
      });
    }
    return toFile(await realFolderOf(path));
  }
  const search = await findPrd(place.start);
  return search.kind === 'found' ? toFile(search.path) : undefined;
}

/** The path without links in its folders: prd.json itself may be a link, and stays one. */
async function realFolderOf(path: string): Promise<string> {
  return join(await realpath(dirname(path)), basename(path));
}

/** The same for a command that can't do without. */
export async function requirePrdFile(place: Place, resolved: Resolved): Promise<PrdFile> {
  const file = await findPrdFile(place, resolved);
  if (file === undefined) throw await missingPrd(place);
  return file;
}

/** The error where no prd.json is in the usual places: names the folder, and what looks like one. */
export async function missingPrd({ start }: Place): Promise<UsageError> {
  const search = await findPrd(start);
  const { seen, documents } = search.kind === 'missing' ? search : { seen: [], documents: [] };
  return new UsageError(`there is no prd.json in ${start}`, {
    problems: seen.map((path) => `${path} looks like one`),
    cures: [
      ...seen.map((path) => `take it: ralph run --prd ${quoteWord(path)}`),
      ...documents.map((path) => `make it of this document: ralph convert ${quoteWord(path)}`),
      'make one from the example: ralph init',
      'or name another one with --prd <file>',
    ],
  });
}
