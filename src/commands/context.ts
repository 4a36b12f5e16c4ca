import { realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { detectGates, projectFileNames } from '../config/detect-gates.ts';
import { readConfig, readProjectFiles } from '../config/read.ts';
import { resolveSettings } from '../config/resolve.ts';
import type { Given } from '../config/resolve.ts';
import type { Values } from '../config/schema.ts';
import type { GateSetting, Resolved, Settings } from '../config/settings.ts';
import { messageOf, systemCodeOf, UsageError } from '../errors.ts';
import { openRepository } from '../git/repository.ts';
import type { Repository } from '../git/repository.ts';
import { isFileThere } from '../json/read-file.ts';
import type { PrdFile } from '../loop/ports.ts';
import { findPrd } from '../prd/find.ts';
import { createPrdFile } from '../prd/store.ts';
import type { CommandIo } from './types.ts';

/** Where a command works. */
export interface Place {
  readonly repository: Repository;
  /** The start folder: absolute, without links. Agent, gates and checks run there. */
  readonly start: string;
}

/** Finds start folder and repository. Throws UsageError where there is no such folder, no git or no working tree. */
export async function findPlace(cwdOption: string | undefined, io: Pick<CommandIo, 'cwd' | 'env'>): Promise<Place> {
  const start = await findStart(cwdOption, io.cwd);
  return { start, repository: await openRepository(start, io.env) };
}

async function findStart(cwdOption: string | undefined, cwd: string): Promise<string> {
  if (cwdOption === '') throw new UsageError('-C needs a folder', { cures: ['-C <dir>'] });
  const folder = resolve(cwd, cwdOption ?? '.');
  const named = cwdOption === undefined ? `the current folder ${folder}` : `-C: ${folder}`;
  try {
    const found = await realpath(folder);
    if ((await stat(found)).isDirectory()) return found;
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') throw new UsageError(`${named} does not exist`, { cause: error });
    throw new UsageError(`${named} can't be entered`, { problems: [messageOf(error)], cause: error });
  }
  throw new UsageError(`${named} is not a folder`);
}

/** Reads the config, at the root of the working tree unless told otherwise, and merges it with options and environment. */
export async function loadSettings(
  { repository }: Place,
  given: Given,
  env: NodeJS.ProcessEnv,
  read: () => Promise<Values | undefined> = async () => readConfig(repository.root),
): Promise<Resolved> {
  return resolveSettings({ given, env, file: await read() });
}

/** The gates that are set, else those that the project has by its own conventions. */
export async function chooseGates(place: Place, settings: Pick<Settings, 'gates'>): Promise<readonly GateSetting[]> {
  return settings.gates ?? (await detectGatesOf(place));
}

/** The gates that start folder or root have by convention. */
export async function detectGatesOf({ start, repository: { root } }: Place): Promise<GateSetting[]> {
  const atRoot = await readProjectFiles(root, projectFileNames);
  return detectGates(start === root ? atRoot : await readProjectFiles(start, projectFileNames), atRoot);
}

/** The PRD of a call, or undefined where none was named and none is in the usual places. Throws UsageError for a named one that is not there. */
export async function findPrdFile(place: Place, { settings, sources }: Resolved): Promise<PrdFile | undefined> {
  const { root } = place.repository;
  const toFile = (path: string): PrdFile => createPrdFile({ root, path: relative(root, path) });
  if (settings.prd !== undefined) {
    const path = resolve(place.start, settings.prd);
    if (!(await isFileThere(path))) {
      throw new UsageError(`${sources.prd}: there is no file ${path}`, {
        cures: ['name one with --prd <file>', 'ralph init'],
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
  const seen = search.kind === 'missing' ? search.seen : [];
  return new UsageError(`there is no prd.json in ${start}`, {
    problems: seen.map((path) => `${path} looks like one`),
    cures: [
      ...seen.map((path) => `--prd ${path}`),
      'ralph init makes one from the example',
      '--prd <file> names another one',
    ],
  });
}
