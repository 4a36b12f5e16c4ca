import type { Git } from './git.ts';

/** Branches, tags and all other refs but remote-tracking ones, with what is checked out. */
export interface RefState {
  /** Full names to object ids. Remote-tracking refs and branches of other worktrees are left out: they aren't ours to judge. */
  readonly refs: Readonly<Record<string, string>>;
  /** Branches that are checked out in another worktree, in the same way. */
  readonly elsewhere: Readonly<Record<string, string>>;
  /** Objects that remote-tracking refs point to: commits that come from there are nobody's new work. */
  readonly remotes: readonly string[];
  /** The branch that is checked out (short name), or undefined for a detached HEAD. */
  readonly branch: string | undefined;
  /** Undefined on a branch that has no commit. */
  readonly head: string | undefined;
}

/** Reads all refs. */
export async function readRefs(git: Git): Promise<RefState> {
  const format = '%(refname)%00%(objectname)%00%(HEAD)%00%(worktreepath)';
  const { stdout } = await git.run(['for-each-ref', `--format=${format}`]);
  const refs: Record<string, string> = {};
  const elsewhere: Record<string, string> = {};
  const remotes = new Set<string>();
  let current: { branch: string; head: string } | undefined;
  for (const line of stdout.toString('utf8').split('\n')) {
    const [name, id, mark, worktree] = line.split('\0');
    if (name === undefined || id === undefined || name === '') continue;
    // They go with the bisect or rebase that an agent left half done.
    if (name.startsWith('refs/bisect/') || name.startsWith('refs/rewritten/')) continue;
    if (mark === '*') current = { branch: name.slice('refs/heads/'.length), head: id };
    const isElsewhere = worktree !== undefined && worktree !== '' && mark !== '*';
    if (name.startsWith('refs/remotes/')) remotes.add(id);
    else if (isElsewhere) elsewhere[name] = id;
    else refs[name] = id;
  }
  const found = { refs, elsewhere, remotes: [...remotes] };
  return current === undefined ? { ...found, ...(await readHead(git)) } : { ...found, ...current };
}

/** A detached HEAD, or one on a branch without a commit. */
async function readHead(git: Git): Promise<{ branch: string | undefined; head: string | undefined }> {
  const [branch, head] = await Promise.all([
    git.run(['symbolic-ref', '--quiet', '--short', 'HEAD'], { accept: [1, 128] }),
    git.run(['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'], { accept: [1, 128] }),
  ]);
  return {
    branch: branch.code === 0 ? branch.stdout.toString('utf8').trim() : undefined,
    head: head.code === 0 ? head.stdout.toString('latin1').trim() : undefined,
  };
}

export interface RefPlan {
  /** What is to be done, one sentence each. */
  readonly remarks: string[];
  /** Objects that no ref will hold any more without a rescue ref. */
  readonly tips: string[];
  /** Save the tips first. */
  readonly steps: (() => Promise<void>)[];
}

/**
 * How to bring deleted branches, tags and other refs back; moved ones are named. The PRD's branch, the stash, rescue refs of
 * other runs, what is checked out in another worktree and ralph's own hold are somebody else's business.
 */
export function planRefs(git: Git, before: RefState, after: RefState, run: string): RefPlan {
  const plan: RefPlan = { remarks: [], tips: [], steps: [] };
  for (const [name, id] of Object.entries(before.refs)) {
    if (isExempt(name, run) || name === `refs/heads/${before.branch ?? ''}` || name === 'refs/stash') continue;
    const now = after.refs[name] ?? after.elsewhere[name];
    if (now === id) continue;
    if (now === undefined) {
      const conflicts = findConflicts(name, before, after);
      plan.tips.push(...conflicts.map((ref) => ref.id));
      plan.steps.push(() => placeRef(git, name, id, conflicts));
      plan.remarks.push(`${describeRef(name)} had been deleted and was brought back.`);
    } else if (name.startsWith(`refs/ralph/${run}/`)) {
      plan.tips.push(now);
      plan.steps.push(() => updateRef(git, name, id));
      plan.remarks.push(`${describeRef(name)} had been moved by the agent and is back at ${id.slice(0, 12)}.`);
    } else {
      plan.tips.push(id);
      plan.remarks.push(`${describeRef(name)} was moved by the agent; it was at ${id.slice(0, 12)}.`);
    }
  }
  return plan;
}

function isExempt(name: string, run: string): boolean {
  if (name.startsWith('refs/worktree/')) return true;
  return name.startsWith('refs/ralph/') && !name.startsWith(`refs/ralph/${run}/`);
}

function describeRef(name: string): string {
  const [, kind, ...rest] = name.split('/');
  const names: Record<string, string> = { heads: 'The branch', tags: 'The tag' };
  return kind !== undefined && names[kind] !== undefined ? `${names[kind]} ${rest.join('/')}` : `The ref ${name}`;
}

interface NamedRef {
  readonly name: string;
  readonly id: string;
}

/** New refs whose names can't stand beside this one (`a` beside `a/b`). */
export function findConflicts(name: string, before: RefState, after: RefState): NamedRef[] {
  return Object.entries({ ...after.refs, ...after.elsewhere })
    .filter(([other]) => other.startsWith(`${name}/`) || name.startsWith(`${other}/`))
    .filter(([other]) => before.refs[other] === undefined && before.elsewhere[other] === undefined)
    .map(([other, id]) => ({ name: other, id }));
}

/** Sets a ref; those in its way go. */
export async function placeRef(git: Git, name: string, id: string, conflicts: readonly NamedRef[]): Promise<void> {
  for (const ref of conflicts) await git.run(['update-ref', '--no-deref', '-d', ref.name]);
  await updateRef(git, name, id);
}

/** Sets a ref; with `expected`, only if it still has that value (the empty string: only if it does not exist). */
export async function updateRef(git: Git, name: string, id: string, expected?: string): Promise<void> {
  const args = ['update-ref', '--create-reflog', '-m', 'ralph', name, id];
  await git.run(expected === undefined ? args : [...args, expected]);
}
