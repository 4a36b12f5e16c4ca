import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeFileAtomically } from '../json/write-file.ts';
import type { Blobs } from './blobs.ts';
import type { BytePath } from './byte-path.ts';
import { editTree } from './edit-tree.ts';
import type { Repository } from './repository.ts';
import { updateRef } from './refs.ts';
import { wrapTree } from './rescue.ts';
import { isState } from './state-paths.ts';
import type { StatePaths } from './state-paths.ts';
import { diffTrees, isSameEntry } from './tree-diff.ts';
import type { TreeChanges, TreeEntry } from './tree-diff.ts';

/**
 * Work that was not accepted and stayed in the tree (`--on-reject keep`). `user` is the tree as it would be without that
 * work: what differs from it belongs to the next accepted commit. `left` is how the tree was left, so that what the user
 * edits afterwards is found out. `mixed` are files in which the two can't be told apart since: as a whole they belong to the
 * next accepted commit, but an agent may not throw them away.
 */
export interface KeptWork {
  readonly user: string;
  readonly left: string;
  readonly mixed: readonly BytePath[];
}

/** What following it takes of a run's desk. */
interface KeptPlace {
  readonly repository: Repository;
  readonly blobs: Blobs;
  readonly state: StatePaths | undefined;
}

const HOLD = 'refs/worktree/ralph/kept';
const fileOf = (repository: Repository): string => join(repository.gitDir, 'ralph', 'kept.json');

export function readKept(repository: Repository): KeptWork | undefined {
  const file = fileOf(repository);
  if (!existsSync(file)) return undefined;
  const kept: unknown = JSON.parse(readFileSync(file, 'utf8'));
  return isKept(kept) ? kept : undefined;
}

function isKept(value: unknown): value is KeptWork {
  if (typeof value !== 'object' || value === null) return false;
  if (!('user' in value && 'left' in value && 'mixed' in value)) return false;
  return typeof value.user === 'string' && typeof value.left === 'string' && Array.isArray(value.mixed);
}

/** Remembers kept work across runs; both trees are held by a ref. */
export async function writeKept(repository: Repository, kept: KeptWork): Promise<void> {
  const user = await wrapTree(repository.git, kept.user, [], 'The tree without kept work\n');
  const left = await wrapTree(repository.git, kept.left, [user], 'The tree with kept work\n');
  await updateRef(repository.git, HOLD, left);
  await writeFileAtomically(fileOf(repository), `${JSON.stringify(kept)}\n`);
}

export async function forgetKept(repository: Repository): Promise<void> {
  if (!existsSync(fileOf(repository))) return;
  rmSync(fileOf(repository), { force: true });
  await repository.git.run(['update-ref', '-d', HOLD]);
}

/**
 * Follows what the user did to the tree since the work was left: `now` is the tree of the new snapshot. The state files
 * are ralph's to write in between: no work, and nobody's edit.
 */
export async function advanceKept(
  { repository, blobs, state }: KeptPlace,
  kept: KeptWork,
  now: string,
): Promise<{ kept: KeptWork; mixed: BytePath[] }> {
  const edits = await diffTrees(repository.git, kept.left, now);
  if (edits.size === 0) return { kept, mixed: [] };
  const stillMixed = new Set(kept.mixed);
  const work = await diffTrees(repository.git, kept.user, kept.left);
  const entries = new Map<BytePath, TreeEntry | undefined>();
  const mixed: BytePath[] = [];
  for (const [path, edit] of edits) {
    const agent = work.get(path);
    if (agent === undefined || isState(state, path) || isSameEntry(agent.before, edit.after)) {
      entries.set(path, edit.after);
      stillMixed.delete(path);
    } else {
      const merged = await mergeEdit(blobs, agent.before, edit);
      if (merged === undefined) mixed.push(path);
      else entries.set(path, merged);
    }
  }
  const user = await editTree(repository, kept.user, entries);
  return { kept: { user, left: now, mixed: [...new Set([...stillMixed, ...mixed])] }, mixed };
}

/**
 * From HEAD to what an agent may not throw away: the user's uncommitted work, and the files in which it can't be told from
 * kept work.
 */
export async function protectMixed(
  repository: Repository,
  { head, tree }: { readonly head: string; readonly tree: string },
  kept: KeptWork | undefined,
  uncommitted: TreeChanges,
): Promise<TreeChanges> {
  if (kept === undefined || kept.mixed.length === 0) return uncommitted;
  const mixed = new Set(kept.mixed);
  const all = await diffTrees(repository.git, head, tree);
  return new Map([...uncommitted, ...[...all].filter(([path]) => mixed.has(path))]);
}

async function mergeEdit(
  blobs: Blobs,
  user: TreeEntry | undefined,
  edit: { before: TreeEntry | undefined; after: TreeEntry | undefined },
): Promise<TreeEntry | undefined> {
  if (user === undefined || edit.before === undefined || edit.after === undefined) return undefined;
  return blobs.merge(edit.before, user, edit.after);
}
