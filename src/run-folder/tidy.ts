import { readdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';

/** Files of git that was killed while it worked for us, and copies that are made and removed within one step. */
const unfinished = /\.lock$|^merge-\w{6}$|^(?:tree-index|commit-index|index-next|index-switch|index-before-copy)$/;
/** Drafts that another start may be making at this moment. */
const drafts = /^lock\..*|\.new$/;
const IN_USE_MS = 60_000;

/**
 * Removes what killed runs left half written in `<git dir>/ralph`. Call it under the lock, when no process of them is left.
 * Never throws: what can't be removed is in nobody's way. `now` in milliseconds since the epoch.
 */
export function tidyStateFolder(gitDir: string, now: number): void {
  const folder = path.join(gitDir, 'ralph');
  try {
    for (const name of readdirSync(folder)) {
      const file = path.join(folder, name);
      const isOld = (): boolean => now - statSync(file).mtimeMs > IN_USE_MS;
      if (unfinished.test(name) || (drafts.test(name) && isOld())) rmSync(file, { recursive: true, force: true });
    }
  } catch {
    // see above
  }
}
