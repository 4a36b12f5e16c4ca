import { splitNul, displayPath, fromBytes } from './byte-path.ts';
import type { Repository } from './repository.ts';

/** The commit that is checked out, or undefined where there is none yet. */
export async function headOf({ git }: Repository): Promise<string | undefined> {
  const head = await git.run(['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'], { accept: [1, 128] });
  return head.code === 0 ? head.stdout.toString('latin1').trim() : undefined;
}

/** Checks a commit out into a new folder, as a detached working tree. No hook is run: it is no checkout of the user's. */
export async function addCheckout({ git }: Repository, folder: string, commit: string): Promise<void> {
  await git.run(['-c', 'core.hooksPath=/dev/null', 'worktree', 'add', '--quiet', '--detach', folder, commit]);
}

/** Takes such a working tree off git's list, whether or not its folder is still there. */
export async function dropCheckout({ git }: Repository, folder: string): Promise<void> {
  // 128: it is on no list (any more).
  await git.run(['worktree', 'remove', '--force', '--force', folder], { accept: [128] });
}

/** The paths of the submodules in a commit. */
export async function listSubmodulesIn({ git }: Repository, commit: string): Promise<string[]> {
  const { stdout } = await git.run(['ls-tree', '-r', '-z', '--full-tree', commit]);
  return splitNul(stdout)
    .filter((entry) => entry.startsWith('160000 '))
    .map((entry) => displayPath(fromBytes(entry.slice(entry.indexOf('\t') + 1))));
}

/** What the working tree has and a clean checkout of HEAD has not; folders as a whole, with a final `/`. */
export interface Uncommitted {
  readonly changed: readonly string[];
  readonly untracked: readonly string[];
  readonly ignored: readonly string[];
}

/** Files and folders that are not in HEAD as they are, apart from those to be left out. */
export async function listUncommitted({ git }: Repository, isLeftOut: (path: string) => boolean): Promise<Uncommitted> {
  const args = ['status', '--porcelain', '-z', '--no-renames', '--untracked-files=normal', '--ignored=traditional'];
  const entries = splitNul((await git.run(args)).stdout)
    .map((record) => ({ mark: record.slice(0, 2), path: displayPath(fromBytes(record.slice(3))) }))
    .filter(({ path }) => !isLeftOut(path));
  const withMark = (isWanted: (mark: string) => boolean): string[] =>
    entries.filter(({ mark }) => isWanted(mark)).map(({ path }) => path);
  return {
    changed: withMark((mark) => mark !== '??' && mark !== '!!'),
    untracked: withMark((mark) => mark === '??'),
    ignored: withMark((mark) => mark === '!!'),
  };
}
