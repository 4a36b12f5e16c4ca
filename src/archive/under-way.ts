import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Stands in ralph's folder from before an archive gets its name until what was archived is reset. */
const markIn = (gitDir: string): string => join(gitDir, 'ralph', 'archiving');

/** Was an archiving cut off? Then what it put into the archive already is not to be put there again. */
export function isUnderWay(gitDir: string): boolean {
  return existsSync(markIn(gitDir));
}

export function markUnderWay(gitDir: string): void {
  mkdirSync(dirname(markIn(gitDir)), { recursive: true });
  writeFileSync(markIn(gitDir), '');
}

export function unmarkUnderWay(gitDir: string): void {
  rmSync(markIn(gitDir), { force: true });
}
