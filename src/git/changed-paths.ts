import type { Git } from './git.ts';

/** What a working tree shows as changed, roughly: the commit it is on, and each changed path with how git calls its state. */
export interface ChangedPaths {
  readonly head: string;
  readonly states: ReadonlyMap<string, string>;
}

/** Looks at HEAD and `git status`; a path that is dirty already can change again without being seen here. Throws GitError. */
export async function readChangedPaths(git: Git): Promise<ChangedPaths> {
  const head = await git.run(['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'], { accept: [1, 128] });
  const status = await git.run(['status', '--porcelain=v1', '-z', '--untracked-files=all', '--no-renames']);
  const entries = status.stdout.toString('utf8').split('\0').filter(Boolean);
  return {
    head: head.stdout.toString('utf8').trim(),
    states: new Map(entries.map((entry) => [entry.slice(3), entry.slice(0, 2)])),
  };
}

/** The paths whose state is another one now, sorted, from the root of the working tree. */
export function comparePaths(before: ChangedPaths, after: ChangedPaths): string[] {
  const all = new Set([...before.states.keys(), ...after.states.keys()]);
  return [...all].filter((path) => before.states.get(path) !== after.states.get(path)).sort();
}
