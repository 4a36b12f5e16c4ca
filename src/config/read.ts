/** The one file of this folder that reads files. */
import { join } from 'node:path';
import { UsageError } from '../errors.ts';
import { decodeUtf8, readBytes } from '../json/read-file.ts';
import type { ProjectFiles } from './project-files.ts';
import { CONFIG_FILE, parseConfig } from './parse-config.ts';
import type { Values } from './schema.ts';

/** Reads `ralph.config.json` in a folder; undefined where there is none. Throws UsageError with every problem and its place. */
export async function readConfig(root: string): Promise<Values | undefined> {
  const content = await readBytes(join(root, CONFIG_FILE), CONFIG_FILE);
  if (content.kind === 'missing') return undefined;
  if (content.kind === 'folder') {
    throw new UsageError(`${CONFIG_FILE} is a folder`, {
      cures: [`the config is one JSON file; move it away: mv ${CONFIG_FILE} ${CONFIG_FILE}.old`],
    });
  }
  const text = decodeUtf8(content.bytes);
  if (text === undefined) throw new UsageError(`${CONFIG_FILE} is not UTF-8`, { cures: ['save it again as UTF-8'] });
  return parseConfig(text);
}

/** The files of a folder that tell how its project is checked, as far as they are there and readable. */
export async function readProjectFiles(folder: string, names: readonly string[]): Promise<ProjectFiles> {
  const entries = await Promise.all(names.map(async (name) => [name, await readIfAny(folder, name)] as const));
  return new Map(entries.filter((entry): entry is [string, string] => entry[1] !== undefined));
}

async function readIfAny(folder: string, name: string): Promise<string | undefined> {
  try {
    const content = await readBytes(join(folder, name), name);
    if (content.kind !== 'file') return undefined;
    return new TextDecoder().decode(content.bytes);
  } catch {
    // Detection is a suggestion: a file that can't be read suggests nothing.
    return undefined;
  }
}
