import type { Blobs } from './blobs.ts';
import type { BytePath } from './byte-path.ts';
import { isSameEntry } from './tree-diff.ts';
import type { TreeChanges, TreeEntry } from './tree-diff.ts';

/**
 * What the working tree should hold after an agent, path by path. The agent's changes stay; what it only threw away (by a
 * reset, a clean, a checkout of something older) comes back, the user's uncommitted work above all.
 */
export interface OrderInput {
  /** Snapshot to what the agent left. */
  readonly work: TreeChanges;
  /** HEAD at the snapshot to the snapshot: what the user had not committed (as exact bytes). */
  readonly uncommitted: TreeChanges;
  /** The commit the agent's tree stands on, to what the agent left; the same as `uncommitted`'s base unless it moved HEAD. */
  readonly sinceStart: TreeChanges;
  /** What the user had staged, as git stores it: a `git checkout` of files brings that into the tree. */
  readonly staged: ReadonlyMap<BytePath, TreeEntry | undefined>;
  /** Did the agent's tree start from another commit than the snapshot's? */
  readonly moved: boolean;
}

export interface OrderedTree {
  /** Paths that must be written, with their entry; undefined removes. */
  readonly entries: ReadonlyMap<BytePath, TreeEntry | undefined>;
  /** Paths where both had changed the same lines: the agent's version stands. */
  readonly mixed: readonly BytePath[];
  /** Files that the agent's commit did not have and that the agent changed: their version before stands nowhere else. */
  readonly overwritten: readonly BytePath[];
}

export async function orderTree(blobs: Blobs, input: OrderInput): Promise<OrderedTree> {
  const entries = new Map<BytePath, TreeEntry | undefined>();
  const mixed: BytePath[] = [];
  const overwritten: BytePath[] = [];
  for (const [path, { before, after }] of input.work) {
    const start = startOf(input, path, before);
    // Staged as removed, say, and still there: it is the user's, whatever HEAD says of it.
    if (after === undefined && input.staged.has(path)) {
      entries.set(path, before);
      continue;
    }
    const result = await orderPath(blobs, path, { start, staged: input.staged.get(path), before, after });
    if (result === 'mixed') mixed.push(path);
    else if (!isSameEntry(result, after)) entries.set(path, result);
    else if (start === undefined && before !== undefined) overwritten.push(path);
  }
  return { entries, mixed, overwritten };
}

/** What stood at the path in the commit that the agent's tree started from, as git stores it. */
function startOf(input: OrderInput, path: BytePath, before: TreeEntry | undefined): TreeEntry | undefined {
  if (!input.moved) {
    const change = input.uncommitted.get(path);
    return change === undefined ? before : change.before;
  }
  const change = input.sinceStart.get(path);
  return change === undefined ? input.work.get(path)?.after : change.before;
}

interface Versions {
  readonly start: TreeEntry | undefined;
  readonly staged: TreeEntry | undefined;
  readonly before: TreeEntry | undefined;
  readonly after: TreeEntry | undefined;
}

async function orderPath(
  blobs: Blobs,
  path: BytePath,
  { start, staged, before, after }: Versions,
): Promise<TreeEntry | undefined | 'mixed'> {
  const [cleanBefore, cleanAfter] = await Promise.all([blobs.clean(path, before), blobs.clean(path, after)]);
  // The usual case: the file was as committed, so all that differs is the agent's.
  if (isSameEntry(cleanBefore, start)) return after;
  // As in the commit it started from, or in the index: the agent did not change it, it threw the newer version away.
  if (isSameEntry(cleanAfter, start) || (staged !== undefined && isSameEntry(cleanAfter, staged))) return before;
  // A file that the user had changed is not deleted for him.
  if (after === undefined) return before;
  if (before === undefined) return after;
  return mergeVersions(blobs, { start, staged, before, after });
}

/**
 * Both sides changed the file. If the agent's version still has the newer lines, it is the result as it stands; if it was
 * made from an older version, its changes are laid over the newer lines.
 */
async function mergeVersions(
  blobs: Blobs,
  versions: { start: TreeEntry | undefined; staged: TreeEntry | undefined; before: TreeEntry; after: TreeEntry },
): Promise<TreeEntry | 'mixed'> {
  const { start, staged, before, after } = versions;
  const older = [start, staged].filter((version) => version !== undefined);
  if (start !== undefined) {
    const agentAlone = await blobs.merge(before, start, after);
    if (agentAlone !== undefined && agentAlone.id !== after.id) return after;
  }
  for (const version of older) {
    const both = await blobs.merge(version, before, after);
    if (both !== undefined) return both;
  }
  return start === undefined ? after : 'mixed';
}
