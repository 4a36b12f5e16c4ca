import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** The folder of ralph's own files at the root of the working tree that holds the runs. */
export function runsFolderOf(root: string): string {
  return path.join(root, '.ralph', 'runs');
}

/**
 * Makes `.ralph/active` and the folder of a run, each with a `.gitignore` of its own that hides all of it. Other files in
 * `.ralph/` are other people's, so there is none for the whole; and none in `.ralph/runs` itself, where programs list the
 * runs. Throws what the file system throws.
 */
export function ensureIgnoredFolders(root: string, run: string): void {
  for (const folder of [run, path.join(root, '.ralph', 'active')]) {
    const file = path.join(folder, '.gitignore');
    if (ignoresAll(file)) continue;
    mkdirSync(folder, { recursive: true });
    writeFileSync(file, '*\n');
  }
}

function ignoresAll(file: string): boolean {
  try {
    return readFileSync(file, 'utf8').split(/\r?\n/).includes('*');
  } catch {
    return false;
  }
}
