import type { Blobs } from './blobs.ts';
import type { BytePath } from './byte-path.ts';
import { isSameEntry } from './tree-diff.ts';
import type { TreeChanges, TreeEntry } from './tree-diff.ts';

export interface StoryChanges {
  /** What a commit on top of HEAD must hold, path by path, as git stores it; undefined removes. */
  readonly entries: ReadonlyMap<BytePath, TreeEntry | undefined>;
  /** Files in which the agent's lines can't be told from the user's: committed whole. */
  readonly mixed: readonly BytePath[];
}

/**
 * The agent's changes as changes of HEAD: `work` leads from the user's tree to what the agent left, `uncommitted` from HEAD
 * to the user's tree. In a file that both changed, only the agent's lines are taken.
 */
export async function findStoryChanges(
  blobs: Blobs,
  work: TreeChanges,
  uncommitted: TreeChanges,
): Promise<StoryChanges> {
  const entries = new Map<BytePath, TreeEntry | undefined>();
  const mixed: BytePath[] = [];
  await blobs.learnNew(work.keys());
  for (const [path, { before, after }] of work) {
    const committed = uncommitted.has(path) ? uncommitted.get(path)?.before : await blobs.clean(path, before);
    const [user, agent] = await Promise.all([blobs.clean(path, before), blobs.clean(path, after)]);
    const result = await takeAgentLines(blobs, { committed, user, agent });
    if (result === 'mixed') {
      mixed.push(path);
      entries.set(path, agent);
    } else if (!isSameEntry(result, committed)) entries.set(path, result);
  }
  return { entries, mixed };
}

interface Versions {
  readonly committed: TreeEntry | undefined;
  readonly user: TreeEntry | undefined;
  readonly agent: TreeEntry | undefined;
}

export async function takeAgentLines(
  blobs: Blobs,
  { committed, user, agent }: Versions,
): Promise<TreeEntry | undefined | 'mixed'> {
  if (isSameEntry(user, committed) || user === undefined) return agent;
  // The user has it, git doesn't: a file of the user's that the agent changed goes in as a whole, or stays out with it.
  if (agent === undefined) return committed;
  if (committed === undefined) return 'mixed';
  return (await blobs.merge(user, committed, agent)) ?? 'mixed';
}
