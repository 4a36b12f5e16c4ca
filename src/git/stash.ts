import type { Git } from './git.ts';

export interface StashEntry {
  readonly id: string;
  readonly message: string;
}

/** The entries of the stash, newest first. */
export async function readStash(git: Git): Promise<StashEntry[]> {
  const { stdout } = await git.run(['reflog', 'show', '--format=%H%x00%gs', 'refs/stash'], { accept: [128] });
  return stdout
    .toString('utf8')
    .split('\n')
    .flatMap((line) => {
      const [id, message] = line.split('\0');
      return id === undefined || id === '' ? [] : [{ id, message: message ?? '' }];
    });
}

/**
 * Brings dropped entries back: below what the agent added, the list is as it was. Everything is stored anew on top before
 * the old list goes, so that a kill at any moment loses none.
 */
export async function repairStash(git: Git, before: readonly StashEntry[]): Promise<string[]> {
  if (before.length === 0) return [];
  const now = await readStash(git);
  const tail = now.slice(-before.length).map(({ id }) => id);
  if (now.length >= before.length && before.every(({ id }, at) => tail[at] === id)) return [];
  const known = new Set(before.map(({ id }) => id));
  const added = [...new Map(now.filter(({ id }) => !known.has(id)).map((entry) => [entry.id, entry])).values()];
  await rewriteStash(git, [...added, ...before]);
  const lost = before.filter(({ id }) => !now.some((entry) => entry.id === id));
  return lost.length === 0
    ? ['The list of stashes was put back in its order.']
    : lost.map((entry) => `The stash "${entry.message}" had been dropped and was brought back.`);
}

async function rewriteStash(git: Git, entries: readonly StashEntry[]): Promise<void> {
  const [newest, oldest] = [entries[0], entries.at(-1)];
  if (newest === undefined || oldest === undefined) return;
  const top = await git.run(['rev-parse', '--verify', '--quiet', 'refs/stash'], { accept: [1] });
  // What the ref says already is not entered into its log again.
  if (top.stdout.toString('latin1').trim() === oldest.id) {
    if (newest.id === oldest.id) await git.run(['update-ref', '-d', 'refs/stash']);
    else await git.run(['update-ref', '--create-reflog', 'refs/stash', newest.id]);
  }
  for (const entry of entries.toReversed()) await git.run(['stash', 'store', '-m', entry.message, entry.id]);
  for (let last = (await readStash(git)).length - 1; last >= entries.length; last -= 1)
    await git.run(['reflog', 'delete', '--rewrite', '--updateref', `refs/stash@{${last}}`]);
}
