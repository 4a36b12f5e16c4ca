import { copyFileSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Blobs } from './blobs.ts';
import { fromBytes, joinNul, splitNul } from './byte-path.ts';
import type { BytePath } from './byte-path.ts';
import type { Desk, Turn } from './desk.ts';
import { markOf } from './file-at.ts';
import { keptIndexOf, replaceIndex } from './kept-files.ts';
import type { Repository } from './repository.ts';
import { indexInfo, isSameEntry, zeroIdOf } from './tree-diff.ts';
import type { TreeChanges, TreeEntry } from './tree-diff.ts';

/**
 * Puts the user's index back as it was at the snapshot (what the agent staged is forgotten) and lets it follow HEAD for
 * the paths of `committed`, as `git commit --only` does. What the user had staged in such a path stays staged, laid over
 * what was committed where the lines can be told apart.
 */
export async function restoreIndex(desk: Desk, turn: Turn, committed: TreeChanges): Promise<void> {
  await rebuildIndex(desk, turn, { committed, from: keptIndexOf(desk.repository), isKept: true });
}

/**
 * The same for a run that was killed before: `index` is what told the index then. One that somebody has changed since is not
 * ralph's to put back, and follows HEAD as it is.
 */
export async function finishIndex(
  desk: Desk,
  turn: Turn,
  { committed, index }: { committed: TreeChanges; index: string },
): Promise<void> {
  if (index === readIndexMark(desk.repository)) return restoreIndex(desk, turn, committed);
  await rebuildIndex(desk, turn, { committed, from: indexOf(desk.repository), isKept: false });
}

/** Tells the index as it is now from any later one. */
export function readIndexMark(repository: Repository): string {
  return markOf(indexOf(repository)) ?? 'none';
}

const indexOf = ({ gitDir }: Repository): string => join(gitDir, 'index');

async function rebuildIndex(
  { repository, blobs }: Desk,
  turn: Turn,
  { committed, from, isKept }: { committed: TreeChanges; from: string; isKept: boolean },
): Promise<void> {
  const next = join(repository.gitDir, 'ralph', 'index-next');
  rmSync(`${next}.lock`, { force: true });
  rmSync(next, { force: true });
  const isThere = existsSync(from);
  if (isThere) copyFileSync(from, next);
  // An agent has removed ralph's copy: what was staged is lost, and the index at least fits HEAD.
  else await repository.git.run(['read-tree', turn.snapshot.head], { env: { GIT_INDEX_FILE: next } });
  // With nothing staged the index is HEAD's: it simply follows.
  const isPlain = isKept && turn.snapshot.staged.length === 0 && isThere;
  const entries = isPlain ? afterOf(committed) : await followHead(repository, blobs, committed, next);
  if (entries.size > 0) {
    const input = joinNul(indexInfo(entries, zeroIdOf(repository.objectFormat)));
    await repository.git.run(['update-index', '-z', '--index-info'], { env: { GIT_INDEX_FILE: next }, input });
  }
  replaceIndex(repository, next);
}

function afterOf(committed: TreeChanges): Map<BytePath, TreeEntry | undefined> {
  return new Map([...committed.values()].map(({ path, after }) => [path, after]));
}

async function followHead(
  repository: Repository,
  blobs: Blobs,
  committed: TreeChanges,
  index: string,
): Promise<Map<BytePath, TreeEntry | undefined>> {
  const entries = new Map<BytePath, TreeEntry | undefined>();
  if (committed.size === 0) return entries;
  const { stdout } = await repository.git.run(['ls-files', '-z', '--stage'], { env: { GIT_INDEX_FILE: index } });
  const staged = new Map<BytePath, TreeEntry>();
  for (const record of splitNul(stdout)) {
    const [facts, path] = [record.slice(0, record.indexOf('\t')), fromBytes(record.slice(record.indexOf('\t') + 1))];
    const [mode, id] = facts.split(' ');
    if (committed.has(path) && mode !== undefined && id !== undefined) staged.set(path, { mode, id });
  }
  for (const [path, { before, after }] of committed) {
    const mine = staged.get(path);
    if (isSameEntry(mine, after)) continue;
    entries.set(path, isSameEntry(mine, before) ? after : await overlay(blobs, before, mine, after));
  }
  return entries;
}

async function overlay(
  blobs: Blobs,
  before: TreeEntry | undefined,
  mine: TreeEntry | undefined,
  after: TreeEntry | undefined,
): Promise<TreeEntry | undefined> {
  if (before === undefined || mine === undefined || after === undefined) return after;
  return (await blobs.merge(before, mine, after)) ?? after;
}
