import { lstatSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';

/**
 * Makes room for ralph's own folders where an agent put a file, a pipe or a link that leads nowhere in their place. It goes
 * into `left/` of the folder of the run, which is made. Throws what the file system throws.
 */
export function clearWay(root: string, run: string): void {
  const own = path.join(root, '.ralph');
  for (const folder of [own, path.dirname(run), run, path.join(own, 'active')]) {
    if (lstatSync(folder, { throwIfNoEntry: false }) === undefined) continue;
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) continue;
    const draft = path.join(root, `.ralph-${process.pid}-aside`);
    renameSync(folder, draft);
    const left = path.join(run, 'left');
    mkdirSync(left, { recursive: true });
    const to = path.join(left, path.basename(folder));
    rmSync(to, { recursive: true, force: true });
    renameSync(draft, to);
  }
}
