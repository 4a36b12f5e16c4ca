import { cpSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { systemCodeOf } from '../errors.ts';
import { displayPath, isWithin, pathBytes } from './byte-path.ts';
import type { BytePath } from './byte-path.ts';
import type { Desk, Left, Turn } from './desk.ts';
import { updateRef } from './refs.ts';
import { saveRescue } from './rescue.ts';
import { takeTree } from './snapshot.ts';
import { rollBackSubmodules } from './submodules.ts';
import { restoreIndex } from './user-index.ts';

/**
 * Keeps everything under a rescue ref and makes branch, index and files what they were at the snapshot. Returns the ref, or
 * undefined where there was nothing to keep. The state files are put back too: write them afterwards.
 */
export async function rollBackTurn(desk: Desk, turn: Turn, left: Left): Promise<string | undefined> {
  const { repository, shadow } = desk;
  const { snapshot } = turn;
  // Gates may have been interrupted since: what is there now is what has to be kept and taken away.
  const now = await takeTree(repository, shadow, snapshot);
  const hasWork = left.work.size > 0 || left.commits.length > 0 || left.tips.length > 0;
  const ref = left.ref ?? (hasWork ? await saveLeft(desk, turn, left) : undefined);
  const name = `refs/heads/${snapshot.branch}`;
  await updateRef(repository.git, name, snapshot.head);
  await repository.git.run(['symbolic-ref', '-m', 'ralph: roll back', 'HEAD', name]);
  await rollBackSubmodules(desk, turn, left.work);
  if (now.tree !== snapshot.tree) await shadow.checkOut(snapshot.tree);
  await restoreIndex(repository, desk.blobs, new Map());
  await moveHidden(desk, turn, [...new Set([...left.dependencies, ...now.dependencies])]);
  return ref;
}

async function saveLeft(desk: Desk, { snapshot }: Turn, left: Left): Promise<string> {
  const tip = left.commits.at(-1);
  return saveRescue(desk.repository.git, {
    run: desk.run,
    iteration: snapshot.iteration,
    tree: left.original,
    parents: [snapshot.commit, ...(tip === undefined ? [] : [left.head]), ...left.tips],
    message: `What iteration ${snapshot.iteration} left and was not accepted\n`,
  });
}

/** What only the agent's ignore rules had hidden, and the dependency folders that it brought, move into the run folder. */
async function moveHidden(desk: Desk, { snapshot }: Turn, dependencies: readonly BytePath[]): Promise<void> {
  desk.shadow.followRules();
  const known = [...snapshot.ignored, ...snapshot.dependencies];
  const hidden = (await desk.shadow.untracked()).filter(
    (path) => ![...known, ...dependencies].some((folder) => isWithin(path, folder)),
  );
  for (const path of [...dependencies, ...hidden]) moveAside(desk, path, snapshot.iteration);
}

function moveAside({ repository, leftFolder }: Desk, path: BytePath, iteration: number): void {
  const from = Buffer.concat([Buffer.from(`${repository.root}/`), pathBytes(path)]);
  const to = join(leftFolder(iteration), displayPath(path));
  mkdirSync(dirname(to), { recursive: true });
  try {
    rmSync(to, { recursive: true, force: true });
    renameSync(from, to);
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return;
    if (systemCodeOf(error) !== 'EXDEV') throw error;
    cpSync(join(repository.root, displayPath(path)), to, { recursive: true, verbatimSymlinks: true });
    rmSync(from, { recursive: true, force: true });
  }
}
