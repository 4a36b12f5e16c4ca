import type { Git } from './git.ts';

/** Branches, tags and all other refs but remote-tracking ones, with what is checked out. */
export interface RefState {
  /** Full names to object ids. Remote-tracking refs and those of other worktrees are left out: they aren't ours to judge. */
  readonly refs: Readonly<Record<string, string>>;
  /** The branch that is checked out (short name), or undefined for a detached HEAD. */
  readonly branch: string | undefined;
  readonly head: string;
}

/** Reads all refs in one call. `root` tells our own worktree from the others. */
export async function readRefs(git: Git): Promise<RefState> {
  const format = '%(refname)%00%(objectname)%00%(HEAD)%00%(worktreepath)';
  const { stdout } = await git.run(['for-each-ref', `--format=${format}`]);
  const refs: Record<string, string> = {};
  let current: { branch: string; head: string } | undefined;
  for (const line of stdout.toString('utf8').split('\n')) {
    const [name, id, mark, worktree] = line.split('\0');
    if (name === undefined || id === undefined || name === '') continue;
    if (mark === '*') current = { branch: name.slice('refs/heads/'.length), head: id };
    const isElsewhere = worktree !== undefined && worktree !== '' && mark !== '*';
    if (!isElsewhere && !name.startsWith('refs/remotes/')) refs[name] = id;
  }
  if (current !== undefined) return { refs, ...current };
  return { refs, branch: undefined, head: await git.text('rev-parse', '--verify', 'HEAD^{commit}') };
}

export interface RefRepair {
  /** What was done, one sentence each. */
  readonly remarks: string[];
  /** Commits that no ref would hold any more without a rescue ref. */
  readonly tips: string[];
}

/**
 * Brings deleted branches, tags and other refs back and names moved ones. The PRD's branch, rescue refs of other runs and
 * ralph's own hold are somebody else's business.
 */
export async function repairRefs(git: Git, before: RefState, after: RefState, run: string): Promise<RefRepair> {
  const repair: RefRepair = { remarks: [], tips: [] };
  for (const [name, id] of Object.entries(before.refs)) {
    if (isExempt(name, run) || name === `refs/heads/${before.branch ?? ''}` || name === 'refs/stash') continue;
    const now = after.refs[name];
    if (now === undefined) {
      await updateRef(git, name, id);
      repair.remarks.push(`${shorten(name)} had been deleted and was brought back.`);
    } else if (now !== id) {
      repair.remarks.push(`${shorten(name)} was moved by the agent; it was at ${id.slice(0, 12)}.`);
      repair.tips.push(id);
    }
  }
  return repair;
}

function isExempt(name: string, run: string): boolean {
  if (name.startsWith('refs/worktree/')) return true;
  return name.startsWith('refs/ralph/') && !name.startsWith(`refs/ralph/${run}/`);
}

function shorten(name: string): string {
  const [, kind, ...rest] = name.split('/');
  const names: Record<string, string> = { heads: 'The branch', tags: 'The tag' };
  return kind !== undefined && names[kind] !== undefined ? `${names[kind]} ${rest.join('/')}` : `The ref ${name}`;
}

/** Sets a ref; with `expected`, only if it still has that value (the empty string: only if it does not exist). */
export async function updateRef(git: Git, name: string, id: string, expected?: string): Promise<void> {
  const args = ['update-ref', '--create-reflog', '-m', 'ralph', name, id];
  await git.run(expected === undefined ? args : [...args, expected]);
}

/** The entries of the stash, newest first. */
export async function readStash(git: Git, refs: RefState): Promise<{ id: string; message: string }[]> {
  if (refs.refs['refs/stash'] === undefined) return [];
  const { stdout } = await git.run(['reflog', 'show', '--format=%H%x00%gs', 'refs/stash'], { accept: [128] });
  const lines = stdout.toString('utf8').split('\n');
  return lines.flatMap((line) => {
    const [id, message] = line.split('\0');
    return id === undefined || id === '' ? [] : [{ id, message: message ?? '' }];
  });
}

/** Puts dropped stash entries back, so that the list is as it was below what the agent added. */
export async function repairStash(
  git: Git,
  before: readonly { id: string; message: string }[],
  after: RefState,
): Promise<string[]> {
  if (before.length === 0) return [];
  const now = new Set((await readStash(git, after)).map((entry) => entry.id));
  const lost = before.filter((entry) => !now.has(entry.id));
  for (const entry of lost.toReversed()) await git.run(['stash', 'store', '-m', entry.message, entry.id]);
  return lost.map((entry) => `The stash "${entry.message}" had been dropped and was brought back.`);
}
