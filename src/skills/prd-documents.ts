import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { listFolder, readBytes } from '../json/read-file.ts';

/** The PRD documents of a project by their absolute paths, each with what tells one content from another. */
export type Documents = ReadonlyMap<string, string>;

export interface WrittenDocument {
  /** Absolute. */
  readonly path: string;
  readonly isNew: boolean;
}

/** Reads every `tasks/prd-*.md` of these folders. One that is empty counts as not there. Throws UsageError for one that can't be read. */
export async function readDocuments(folders: readonly string[]): Promise<Documents> {
  const documents = new Map<string, string>();
  for (const folder of new Set(folders)) {
    const tasks = join(folder, 'tasks');
    const names = (await listFolder(tasks)).filter((name) => /^prd-.*\.md$/i.test(name));
    for (const name of names) {
      const path = join(tasks, name);
      const content = await readBytes(path, path);
      if (content.kind !== 'file' || Buffer.from(content.bytes).toString('utf8').trim() === '') continue;
      documents.set(path, createHash('sha256').update(content.bytes).digest('hex'));
    }
  }
  return documents;
}

/** The documents that are new or have another content now. */
export function compareDocuments(before: Documents, after: Documents): WrittenDocument[] {
  return [...after]
    .filter(([path, hash]) => before.get(path) !== hash)
    .map(([path]) => ({ path, isNew: !before.has(path) }));
}
