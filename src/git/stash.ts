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
  for (const entry of [...added, ...before].toReversed())
    await git.run(['stash', 'store', '-m', entry.message, entry.id]);
  const whole = added.length + before.length;
  for (let left = now.length; left > 0; left -= 1)
    await git.run(['reflog', 'delete', '--rewrite', '--updateref', `refs/stash@{${whole + left - 1}}`]);
  const lost = before.filter(({ id }) => !now.some((entry) => entry.id === id));
  return lost.length === 0
    ? ['The list of stashes was put back in its order.']
    : lost.map((entry) => `The stash "${entry.message}" had been dropped and was brought back.`);
}
