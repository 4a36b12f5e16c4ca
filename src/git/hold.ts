import { copyFileSync, existsSync, rmSync } from 'node:fs';
import { splitNul } from './byte-path.ts';
import type { Git } from './git.ts';
import { updateRef } from './refs.ts';
import type { RefState } from './refs.ts';
import type { Repository } from './repository.ts';
import { sortTips } from './rescue.ts';

/** Only this worktree's: refs below `refs/worktree` are not shared, and `git gc` honours them. */
const HOLD = 'refs/worktree/ralph/snapshot';
const HELD = 'refs/worktree/ralph/held';

export interface Held {
  /** The commit of the snapshot, and its tree. */
  readonly commit: string;
  readonly tree: string;
  readonly refs: RefState;
  readonly stash: readonly { id: string }[];
  /** A copy of the user's index; undefined where nothing is staged, so that HEAD holds all of it. */
  readonly index: string | undefined;
  /** Does the index name the empty content, for files that are to be added? */
  readonly isIntended: boolean;
}

/**
 * Holds what an agent could lose for good by deleting refs, dropping stashes or resetting the index and running `git gc`:
 * the snapshot, everything that a ref or the stash points to, and what the user had staged.
 */
export async function hold(repository: Repository, held: Held): Promise<void> {
  const { git } = repository;
  const { head, refs } = held.refs;
  const tips = Object.entries(refs).filter(([name]) => !name.startsWith('refs/worktree/'));
  const [tree, { commits, others }] = await Promise.all([
    treeOfIndex(git, held.index),
    sortOnce(
      git,
      [...new Set([...tips.map(([, id]) => id), ...held.stash.map(({ id }) => id)])].filter((id) => id !== head),
    ),
  ]);
  const parents = [held.commit, ...commits];
  await updateRef(git, HOLD, await writeHold(git, tree ?? held.tree, parents));
  const objects = [...others, ...(held.isIntended ? [await writeEmpty(git)] : [])];
  if (objects.length === 0) return;
  holdsOthers.add(git);
  const input = Buffer.from(objects.map((id) => `update ${HELD}/${id} ${id}\n`).join(''));
  await git.run(['update-ref', '--stdin'], { input });
}

/** No tree holds it, and `git gc` later stops at an index that names it in vain. */
async function writeEmpty(git: Git): Promise<string> {
  return (await git.run(['hash-object', '-w', '--stdin'])).stdout.toString('latin1').trim();
}

type Sorted = Awaited<ReturnType<typeof sortTips>>;
/** Branches and tags hardly change between iterations: what they are is asked once. */
const sorted = new WeakMap<Git, { key: string; tips: Sorted }>();

async function sortOnce(git: Git, ids: readonly string[]): Promise<Sorted> {
  const key = ids.join(' ');
  const last = sorted.get(git);
  if (last?.key === key) return last.tips;
  const tips = await sortTips(git, ids);
  sorted.set(git, { key, tips });
  return tips;
}

/** Where something beside the snapshot is held in this run, one ref each. */
const holdsOthers = new WeakSet<Git>();

/** Lets the snapshot of this run go. */
export async function releaseOwnHold(git: Git): Promise<void> {
  if (holdsOthers.has(git)) await releaseHold(git);
  else await git.run(['update-ref', '-d', HOLD]);
}

/** Lets everything go, also what a killed run held. */
export async function releaseHold(git: Git): Promise<void> {
  const { stdout } = await git.run(['for-each-ref', '--format=delete %(refname)', HOLD, HELD]);
  if (stdout.length > 0) await git.run(['update-ref', '--no-deref', '--stdin'], { input: stdout });
}

/**
 * A commit with any number of parents, which need not fit on a command line. Its dates are fixed: the same things held again
 * are the same object.
 */
async function writeHold(git: Git, tree: string, parents: readonly string[]): Promise<string> {
  const owner = 'Ralph <ralph@localhost> 0 +0000';
  const lines = [
    `tree ${tree}`,
    ...parents.map((parent) => `parent ${parent}`),
    `author ${owner}`,
    `committer ${owner}`,
  ];
  const input = Buffer.from(`${lines.join('\n')}\n\nWhat must not get lost while an agent works\n`);
  return (await git.run(['hash-object', '-t', 'commit', '-w', '--stdin'], { input })).stdout.toString('latin1').trim();
}

/** What is staged, as a tree. git writes into an index from which it makes a tree: not into the one that is kept. */
async function treeOfIndex(git: Git, kept: string | undefined): Promise<string | undefined> {
  if (kept === undefined || !existsSync(kept)) return undefined;
  const copy = `${kept}-copy`;
  copyFileSync(kept, copy);
  try {
    return await writeTreeOf(git, copy);
  } finally {
    rmSync(copy, { force: true });
  }
}

async function writeTreeOf(git: Git, index: string): Promise<string> {
  const env = { GIT_INDEX_FILE: index };
  const whole = await git.run(['write-tree', '--missing-ok'], { env, accept: [1, 128] });
  if (whole.code === 0) return whole.stdout.toString('latin1').trim();
  // Conflicts (of a stash popped, say) are no tree: hold their contents under their ids.
  const entries = splitNul((await git.run(['ls-files', '-z', '--stage'], { env })).stdout)
    .map((record) => record.split(' '))
    .flatMap(([mode, id]) => (mode === undefined || id === undefined || mode === '160000' ? [] : [id]));
  const input = Buffer.from([...new Set(entries)].map((id) => `100644 blob ${id}\t${id}\0`).join(''));
  return (await git.run(['mktree', '-z', '--missing'], { input })).stdout.toString('latin1').trim();
}
