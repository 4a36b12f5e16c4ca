import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { joinNul } from './byte-path.ts';
import type { BytePath } from './byte-path.ts';
import type { Repository } from './repository.ts';
import { indexInfo, zeroIdOf } from './tree-diff.ts';
import type { TreeEntry } from './tree-diff.ts';

/** An index of ralph's own that holds a tree with changes applied: for writing trees and for the hooks of a commit. */
export interface ScratchIndex {
  readonly file: string;
  write(entries: ReadonlyMap<BytePath, TreeEntry | undefined>): Promise<void>;
  writeTree(): Promise<string>;
  dispose(): void;
}

/** `copy` is a file that is known to be an index of just that base: copying is cheaper than reading a large tree. */
export async function openScratchIndex(
  repository: Repository,
  { base, name, copy }: { base: string; name: string; copy?: string | undefined },
): Promise<ScratchIndex> {
  const file = join(repository.gitDir, 'ralph', name);
  const env = { GIT_INDEX_FILE: file };
  const { git } = repository;
  rmSync(`${file}.lock`, { force: true });
  rmSync(file, { force: true });
  if (copy === undefined) await git.run(['read-tree', base], { env });
  else copyFileSync(copy, file);
  return {
    file,
    async write(entries) {
      if (entries.size === 0) return;
      const input = joinNul(indexInfo(entries, zeroIdOf(repository.objectFormat)));
      await git.run(['update-index', '-z', '--index-info'], { env, input });
    },
    async writeTree() {
      return (await git.run(['write-tree'], { env })).stdout.toString('latin1').trim();
    },
    dispose: () => rmSync(file, { force: true }),
  };
}

/** The tree with these changes. */
export async function editTree(
  repository: Repository,
  base: string,
  entries: ReadonlyMap<BytePath, TreeEntry | undefined>,
): Promise<string> {
  if (entries.size === 0) return base;
  const index = await openScratchIndex(repository, { base, name: 'tree-index' });
  try {
    await index.write(entries);
    return await index.writeTree();
  } finally {
    index.dispose();
  }
}
