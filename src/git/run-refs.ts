import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { displayPath, fromBytes, splitNul } from './byte-path.ts';
import { createGit } from './git.ts';
import type { Git } from './git.ts';
import type { Repository } from './repository.ts';

/** The rescue refs of one run, in the repository and in its submodules. */
export interface RunRefs {
  readonly names: readonly string[];
  readonly inner: readonly { readonly git: Git; readonly names: readonly string[] }[];
}

export interface AllRunRefs {
  /** Ids of runs that have refs, in the repository itself. */
  readonly runs: readonly string[];
  /** Are there further working trees, to which refs may belong? */
  readonly isShared: boolean;
  readonly of: (run: string) => RunRefs;
}

/** Reads all rescue refs, those in submodules of the index included. */
export async function listRunRefs(repository: Repository): Promise<AllRunRefs> {
  const { git } = repository;
  const own = await listRefs(git);
  const inner: { git: Git; refs: readonly string[] }[] = [];
  for (const path of await listSubmodules(git)) {
    const folder = join(repository.root, path);
    if (!existsSync(join(folder, '.git'))) continue;
    const submodule = createGit(folder, git.env);
    const refs = await listRefs(submodule);
    if (refs.length > 0) inner.push({ git: submodule, refs });
  }
  const { stdout } = await git.run(['worktree', 'list', '--porcelain']);
  const ofRun = (refs: readonly string[], run: string): string[] =>
    refs.filter((name) => name.startsWith(`refs/ralph/${run}/`));
  return {
    runs: [...new Set(own.flatMap((name) => name.split('/')[2] ?? []))],
    isShared: [...stdout.toString('utf8').matchAll(/^worktree /gm)].length > 1,
    of: (run) => ({
      names: ofRun(own, run),
      inner: inner
        .map((part) => ({ git: part.git, names: ofRun(part.refs, run) }))
        .filter(({ names }) => names.length > 0),
    }),
  };
}

/** Deletes them, all or none per repository. */
export async function removeRunRefs({ git }: Repository, refs: RunRefs): Promise<void> {
  for (const part of [...refs.inner, { git, names: refs.names }]) {
    if (part.names.length === 0) continue;
    const input = Buffer.from(part.names.map((name) => `delete ${name}\n`).join(''));
    await part.git.run(['update-ref', '--stdin'], { input });
  }
}

async function listRefs(git: Git): Promise<string[]> {
  const { stdout } = await git.run(['for-each-ref', '--format=%(refname)', 'refs/ralph/'], { accept: [128] });
  return stdout.toString('utf8').split('\n').filter(Boolean);
}

async function listSubmodules(git: Git): Promise<string[]> {
  const { stdout } = await git.run(['ls-files', '--stage', '-z']);
  return splitNul(stdout)
    .map(fromBytes)
    .filter((entry) => entry.startsWith('160000 '))
    .map((entry) => displayPath(fromBytes(entry.slice(entry.indexOf('\t') + 1))));
}
