import { fromBytes } from './byte-path.ts';
import type { BytePath } from './byte-path.ts';
import type { Git } from './git.ts';

/** What stands at a path: mode as git writes it (`100644`, `100755`, `120000`, `160000`) and object id. */
export interface TreeEntry {
  readonly mode: string;
  readonly id: string;
}

export interface PathChange {
  readonly path: BytePath;
  readonly before: TreeEntry | undefined;
  readonly after: TreeEntry | undefined;
}

export type TreeChanges = ReadonlyMap<BytePath, PathChange>;

/** So many diffs are remembered: the steps of one iteration ask for the same few. */
const MOST_KNOWN = 16;
const known = new WeakMap<Git, Map<string, Promise<TreeChanges>>>();

/** The paths in which two trees (or commits) differ, without guessing renames. */
export async function diffTrees(git: Git, before: string, after: string): Promise<TreeChanges> {
  if (before === after) return new Map();
  // Only full ids always mean the same objects.
  const isFixed = [before, after].every((name) => /^[0-9a-f]{40,64}$/.test(name));
  return isFixed ? recall(git, `${before} ${after}`, () => readDiff(git, before, after)) : readDiff(git, before, after);
}

function recall(git: Git, key: string, read: () => Promise<TreeChanges>): Promise<TreeChanges> {
  const diffs = known.get(git) ?? new Map<string, Promise<TreeChanges>>();
  known.set(git, diffs);
  const found = diffs.get(key);
  if (found !== undefined) return found;
  const [oldest] = diffs.keys();
  if (diffs.size >= MOST_KNOWN && oldest !== undefined) diffs.delete(oldest);
  const diff = read();
  diffs.set(key, diff);
  // A failure is no answer to remember.
  diff.catch(() => diffs.delete(key));
  return diff;
}

async function readDiff(git: Git, before: string, after: string): Promise<TreeChanges> {
  const args = ['diff-tree', '-r', '-z', '--no-renames', '--no-ext-diff', '--ignore-submodules=none'];
  const { stdout } = await git.run([...args, before, after]);
  return parseRawDiff(stdout);
}

/** Parses `diff-tree -z --raw`: `:<mode> <mode> <id> <id> <status>` NUL path NUL. */
export function parseRawDiff(output: Buffer): TreeChanges {
  const fields = output.toString('latin1').split('\0');
  const changes = new Map<BytePath, PathChange>();
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [modeBefore, modeAfter, idBefore, idAfter] = (fields[at] ?? '').slice(1).split(' ');
    const path = fromBytes(fields[at + 1] ?? '');
    changes.set(path, { path, before: entryOf(modeBefore, idBefore), after: entryOf(modeAfter, idAfter) });
  }
  return changes;
}

function entryOf(mode: string | undefined, id: string | undefined): TreeEntry | undefined {
  return mode === undefined || id === undefined || mode === '000000' ? undefined : { mode, id };
}

export function isSameEntry(a: TreeEntry | undefined, b: TreeEntry | undefined): boolean {
  return a?.id === b?.id && a?.mode === b?.mode;
}

/** Lines for `update-index -z --index-info`. Removals come first, so that a file may become a folder. */
export function indexInfo(entries: ReadonlyMap<BytePath, TreeEntry | undefined>, zeroId: string): string[] {
  const removals: string[] = [];
  const additions: string[] = [];
  for (const [path, entry] of entries) {
    if (entry === undefined) removals.push(`0 ${zeroId}\t${path}`);
    else additions.push(`${entry.mode} ${entry.id}\t${path}`);
  }
  return [...removals, ...additions];
}

/** The id of no object in this repository's hash. */
export function zeroIdOf(objectFormat: string): string {
  return '0'.repeat(objectFormat === 'sha256' ? 64 : 40);
}
