import { displayPath } from './byte-path.ts';
import type { BytePath } from './byte-path.ts';
import { isState, withoutState } from './state-paths.ts';
import type { Desk, Turn } from './desk.ts';
import type { StatePaths } from './state-paths.ts';
import { editTree } from './edit-tree.ts';
import type { Line } from './follow-line.ts';
import { orderTree } from './order-tree.ts';
import { wrapTree } from './rescue.ts';
import { diffTrees, isSameEntry } from './tree-diff.ts';
import type { TreeChanges, TreeEntry } from './tree-diff.ts';

export interface Order {
  /** What the working tree is to hold. */
  readonly tree: string;
  /** Something that was in the tree before the agent will not be there any more. */
  readonly mustKeep: boolean;
  /** Ignore rules are among what is put back. */
  readonly changesRules: boolean;
  /** Commits of what the user had staged and, once the agent's work is committed, may not stay staged. */
  readonly tips: readonly string[];
  readonly remarks: readonly string[];
}

/** What the working tree should hold after an agent that left `tree`: its changes, and everything of the user's. */
export async function planOrder(
  desk: Desk,
  turn: Turn,
  left: { readonly tree: string; readonly line: Line; readonly uncommitted: TreeChanges },
): Promise<Order> {
  const { git } = desk.repository;
  const all = await diffTrees(git, turn.snapshot.tree, left.tree);
  const { start } = left.line;
  const base = start === undefined ? turn.snapshot.tree : await followCommits(desk, turn, left);
  const work = withoutState(desk.state, base === turn.snapshot.tree ? all : await diffTrees(git, base, left.tree));
  await desk.blobs.learn(work.keys());
  const ordered = await orderTree(desk.blobs, {
    work,
    uncommitted: left.uncommitted,
    sinceStart: start === undefined ? new Map() : await diffTrees(git, start, left.tree),
    staged: new Map(turn.snapshot.staged.map(({ path, entry }) => [path, entry ?? undefined])),
    moved: start !== undefined,
  });
  const archive = restoredArchive(desk.state, all);
  const archived = [...archive.keys()].filter((path) => all.get(path)?.after !== undefined);
  const entries = new Map<BytePath, TreeEntry | undefined>([...ordered.entries, ...archive]);
  const tree = await editTree(desk.repository, left.tree, entries);
  const overwritten = ordered.overwritten.filter((path) => left.uncommitted.has(path));
  const overKept = await changesKept(desk, turn, withoutState(desk.state, all));
  // A file that comes back in the place of a folder takes what the agent wrote there away, and the other way round.
  const displaced = [...(await diffTrees(git, left.tree, tree)).keys()].filter((path) => !entries.has(path));
  const isKept = [ordered.mixed, overwritten, displaced, archived].every((paths) => paths.length === 0);
  return {
    tree,
    mustKeep: !isKept || overKept,
    changesRules: [...entries.keys()].some((path) => /(^|\/)\.gitignore$/.test(path)),
    tips: await wrapStaged(desk, turn, work),
    remarks: [
      ...describeRestored(ordered.entries),
      ...ordered.mixed.map(
        (path) => `${displayPath(path)}: lines that the user had changed were changed by the agent, too.`,
      ),
      ...displaced.map((path) => `${displayPath(path)} made room for what stood there before.`),
      ...overwritten.map((path) => `${displayPath(path)} was not committed, and the agent changed it.`),
    ],
  };
}

/**
 * The snapshot's tree as it would be on the tip of the branch: an agent that commits there and then checks something else out
 * has its commits, though its tree doesn't show them.
 */
async function followCommits(
  { repository, blobs }: Desk,
  { snapshot }: Turn,
  { line, uncommitted }: { line: Line; uncommitted: TreeChanges },
): Promise<string> {
  const commits = await diffTrees(repository.git, snapshot.head, line.head);
  if (commits.size === 0) return snapshot.tree;
  await blobs.learn(commits.keys());
  const entries = new Map<BytePath, TreeEntry | undefined>();
  for (const [path, { before, after }] of commits) {
    const change = uncommitted.get(path);
    const isDirty = change !== undefined && (await blobs.clean(path, change.after))?.id !== before?.id;
    const bytes = await blobs.smudge(path, after);
    if (!isDirty) entries.set(path, bytes);
    else if (before !== undefined && change.after !== undefined && bytes !== undefined) {
      const both = await blobs.merge((await blobs.smudge(path, before)) ?? before, change.after, bytes);
      if (both !== undefined) entries.set(path, both);
    }
  }
  return editTree(repository, snapshot.tree, entries);
}

/** What is staged of a file that the agent changed, too, and stands nowhere else. */
async function wrapStaged({ repository, blobs }: Desk, { snapshot }: Turn, work: TreeChanges): Promise<string[]> {
  const entries = new Map<BytePath, TreeEntry | undefined>();
  for (const { path, entry } of snapshot.staged) {
    const change = work.get(path);
    if (change === undefined || entry === null || isSameEntry(await blobs.clean(path, change.before), entry)) continue;
    entries.set(path, entry);
  }
  if (entries.size === 0) return [];
  const tree = await editTree(repository, snapshot.head, entries);
  return [await wrapTree(repository.git, tree, [snapshot.head], 'What the user had staged\n')];
}

/** Did the agent change or remove what earlier iterations had left in the tree? */
async function changesKept(desk: Desk, { kept, snapshot }: Turn, work: TreeChanges): Promise<boolean> {
  if (kept === undefined || work.size === 0) return false;
  const earlier = await diffTrees(desk.repository.git, kept.user, snapshot.tree);
  return [...work.keys()].some((path) => earlier.has(path));
}

/** The archive is ralph's: what an agent removed or changed there comes back. */
function restoredArchive(state: StatePaths | undefined, changes: TreeChanges): Map<BytePath, TreeEntry | undefined> {
  const entries = new Map<BytePath, TreeEntry | undefined>();
  for (const [path, { before }] of changes) {
    const isArchive = isState(state, path) && path !== state?.prd && path !== state?.progress;
    if (isArchive && before !== undefined) entries.set(path, before);
  }
  return entries;
}

function describeRestored(entries: ReadonlyMap<BytePath, TreeEntry | undefined>): string[] {
  const paths = [...entries.keys()].map(displayPath);
  if (paths.length === 0) return [];
  const more = paths.length > 10 ? ` and ${paths.length - 10} more` : '';
  return [
    `Uncommitted or newer work that the agent had thrown away was put back: ${paths.slice(0, 10).join(', ')}${more}.`,
  ];
}
