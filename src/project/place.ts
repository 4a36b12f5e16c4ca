import { realpath, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { readConfig } from '../config/read.ts';
import { resolveSettings } from '../config/resolve.ts';
import type { Given } from '../config/resolve.ts';
import type { Values } from '../config/schema.ts';
import type { Resolved } from '../config/settings.ts';
import { messageOf, systemCodeOf, UsageError } from '../errors.ts';
import { openRepository } from '../git/repository.ts';
import type { Repository } from '../git/repository.ts';

/** Where a command works. */
export interface Place {
  readonly repository: Repository;
  /** The start folder: absolute, without links. Agent, gates and checks run there. */
  readonly start: string;
}

/** Finds start folder and repository. Throws UsageError where there is no such folder, no git or no working tree. */
export async function findPlace(
  cwdOption: string | undefined,
  io: { cwd: string; env: NodeJS.ProcessEnv },
): Promise<Place> {
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
    if (systemCodeOf(error) === 'ENOENT')
      throw new UsageError(`${named} does not exist`, { cures: otherFolder, cause: error });
    throw new UsageError(`${named} can't be entered`, { problems: [messageOf(error)], cause: error });
  }
  throw new UsageError(`${named} is not a folder`, { cures: otherFolder });
}

const otherFolder = ['name the folder of a repository with -C <dir>, or leave that out and start in it: ralph run'];

/** Reads the config, at the root of the working tree unless told otherwise, and merges it with options and environment. */
export async function loadSettings(
  { repository }: Place,
  given: Given,
  env: NodeJS.ProcessEnv,
  read: () => Promise<Values | undefined> = async () => readConfig(repository.root),
): Promise<Resolved> {
  return resolveSettings({ given, env, file: await read() });
}
