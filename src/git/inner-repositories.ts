import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { displayPath, fromBytes, splitNul } from './byte-path.ts';
import type { BytePath } from './byte-path.ts';
import { statAt } from './file-at.ts';
import { createGit } from './git.ts';
import type { Git } from './git.ts';
import type { Repository } from './repository.ts';
import { diffTrees } from './tree-diff.ts';

/** A submodule, or a repository inside this one: git sees its HEAD, and nothing of what is uncommitted in it. */
export interface InnerRepository {
  readonly path: BytePath;
  /** The branch that is checked out in it, or null. */
  readonly branch: string | null;
  /** Stands for all that is uncommitted in it; empty where that is nothing. */
  readonly uncommitted: string;
}

/** The inner repositories of a working tree. `untracked` is what the shadow names so: one without a commit is in no tree. */
export async function readInnerRepositories(
  repository: Repository,
  { tree, untracked }: { tree: string; untracked: readonly BytePath[] },
): Promise<InnerRepository[]> {
  const paths = [
    ...(await findLinks(repository.git, tree)),
    ...untracked.filter((path) => path.endsWith('/')).map((path) => fromBytes(path.slice(0, -1))),
  ];
  const here = [...new Set(paths)].filter((path) => existsSync(join(repository.root, displayPath(path), '.git')));
  return Promise.all(here.map((path) => readInner(repository, path)));
}

interface KnownLinks {
  readonly tree: string;
  readonly links: ReadonlySet<BytePath>;
}

const linksOf = new WeakMap<Git, KnownLinks>();

/** The commits of other repositories in a tree. From one tree to the next few paths change: all are listed once. */
async function findLinks(git: Git, tree: string): Promise<ReadonlySet<BytePath>> {
  const last = linksOf.get(git);
  const links = last === undefined ? undefined : await followLinks(git, last, tree);
  const found = links ?? (await listLinks(git, tree));
  linksOf.set(git, { tree, links: found });
  return found;
}

/** Does the tree that was looked at last hold commits of other repositories? True also where none was. */
export function mayHoldLinks(git: Git): boolean {
  return linksOf.get(git)?.links.size !== 0;
}

/** undefined where git has the last tree no more: nothing holds it between two iterations. */
async function followLinks(git: Git, last: KnownLinks, tree: string): Promise<Set<BytePath> | undefined> {
  const changes = await diffTrees(git, last.tree, tree).catch(() => undefined);
  if (changes === undefined) return undefined;
  const links = new Set(last.links);
  for (const { path, after } of changes.values())
    if (after?.mode === '160000') links.add(path);
    else links.delete(path);
  return links;
}

async function listLinks(git: Git, tree: string): Promise<Set<BytePath>> {
  const { stdout } = await git.run(['ls-tree', '-r', '-z', '--full-tree', tree]);
  // Mode and space: fifty thousand lines are not taken apart to find that there are none.
  if (!stdout.includes('160000 ')) return new Set();
  const records = splitNul(stdout).filter((record) => record.startsWith('160000 '));
  return new Set(records.map((record) => fromBytes(record.slice(record.indexOf('\t') + 1))));
}

async function readInner({ root, git }: Repository, path: BytePath): Promise<InnerRepository> {
  const folder = join(root, displayPath(path));
  const args = ['status', '--porcelain=v2', '-z', '--branch', '--untracked-files=all', '--ignore-submodules=none'];
  const { code, stdout } = await createGit(folder, git.env).run(args, { accept: [128] });
  // It can't be read (its git folder is gone or damaged): nothing is known of it.
  if (code !== 0) return { path, branch: null, uncommitted: 'unreadable' };
  const records = splitNul(stdout);
  const head = records.find((record) => record.startsWith('# branch.head '))?.slice('# branch.head '.length);
  const changes = records.filter((record) => !record.startsWith('# '));
  const branch = head === undefined || head === '(detached)' ? null : displayPath(fromBytes(head));
  return { path, branch, uncommitted: changes.length === 0 ? '' : digest(folder, changes) };
}

/** git tells which files differ, not how: their times and sizes do. */
function digest(folder: string, changes: readonly BytePath[]): string {
  const hash = createHash('sha256');
  for (const record of changes) {
    const fields = record.split(' ');
    const path = fields.slice({ '?': 1, '1': 8, u: 10 }[fields[0] ?? ''] ?? 0).join(' ');
    const found = statAt(folder, fromBytes(path));
    hash.update(`${record}\0${found?.mtimeMs} ${found?.ctimeMs} ${found?.size} ${found?.mode}\0`);
  }
  return hash.digest('hex');
}

/** Where something uncommitted differs. */
export function findInnerEdits(before: readonly InnerRepository[], after: readonly InnerRepository[]): BytePath[] {
  const known = new Map(before.map(({ path, uncommitted }) => [path, uncommitted]));
  return after.filter(({ path, uncommitted }) => uncommitted !== (known.get(path) ?? '')).map(({ path }) => path);
}
