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
    const change = input.uncommitted.get(path);
    const committed = change === undefined ? await blobs.clean(path, before) : change.before;
    const staged = input.staged.get(path);
    const result = await orderPath(blobs, path, { start, committed, staged, before, after });
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
  /** In the commit that the agent's tree started from, in HEAD at the snapshot, and in the user's index: as git stores it. */
  readonly start: TreeEntry | undefined;
  readonly committed: TreeEntry | undefined;
  readonly staged: TreeEntry | undefined;
  /** In the working tree at the snapshot, and as the agent left it. */
  readonly before: TreeEntry | undefined;
  readonly after: TreeEntry | undefined;
}

async function orderPath(blobs: Blobs, path: BytePath, versions: Versions): Promise<TreeEntry | undefined | 'mixed'> {
  const { start, staged, before, after } = versions;
  const [cleanBefore, cleanAfter] = await Promise.all([blobs.clean(path, before), blobs.clean(path, after)]);
  // The usual case: the file was as committed, so all that differs is the agent's.
  if (isSameEntry(cleanBefore, start)) return after;
  // As in the commit it started from, or in the index: the agent did not change it, it threw the newer version away.
  if (isSameEntry(cleanAfter, start) || (staged !== undefined && isSameEntry(cleanAfter, staged))) return before;
  // A file that the user had changed is not deleted for him.
  if (after === undefined) return before;
  if (before === undefined) return after;
  const smudge = (entry: TreeEntry | undefined): Promise<TreeEntry | undefined> => blobs.smudge(path, entry);
  return mergeVersions(blobs, {
    start: await smudge(start),
    committed: await smudge(versions.committed),
    staged: await smudge(staged),
    before,
    after,
  });
}

/**
 * Both sides changed the file. What was committed since the agent's start, and then what the user had not committed, is laid
 * over the agent's version where that does not have it.
 */
async function mergeVersions(
  blobs: Blobs,
  versions: Versions & { before: TreeEntry; after: TreeEntry },
): Promise<TreeEntry | 'mixed'> {
  const { start, committed, staged, before, after } = versions;
  const onTop = start === undefined || committed === undefined ? after : await layOver(blobs, start, committed, after);
  if (onTop === undefined) return 'mixed';
  // Over itself it would have nothing new, and be lost without a word.
  const bases = [committed ?? start, staged]
    .filter((base) => base !== undefined)
    .filter((base) => !isSameEntry(base, before));
  for (const base of bases) {
    const whole = await layOver(blobs, base, before, onTop);
    if (whole !== undefined) return whole;
  }
  // Without a start it is a file of the agent's own, of the same name.
  return start === undefined ? after : 'mixed';
}

/** The version with the lines that are newer than the base, if it doesn't have them; undefined where lines clash. */
async function layOver(
  blobs: Blobs,
  base: TreeEntry,
  newer: TreeEntry,
  version: TreeEntry,
): Promise<TreeEntry | undefined> {
  if (isSameEntry(base, newer)) return version;
  const without = await blobs.merge(newer, base, version);
  if (without !== undefined && without.id !== version.id) return version;
  return blobs.merge(base, newer, version);
}
