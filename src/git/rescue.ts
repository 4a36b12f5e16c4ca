import type { Git } from './git.ts';
import { updateRef } from './refs.ts';

/** Commits that ralph makes for itself: no hooks, no signature, no identity of the user's. */
const ownIdentity = {
  GIT_AUTHOR_NAME: 'Ralph',
  GIT_AUTHOR_EMAIL: 'ralph@localhost',
  GIT_COMMITTER_NAME: 'Ralph',
  GIT_COMMITTER_EMAIL: 'ralph@localhost',
};

/** Wraps a tree in a commit. */
export async function wrapTree(git: Git, tree: string, parents: readonly string[], message: string): Promise<string> {
  const args = ['commit-tree', '--no-gpg-sign', tree, ...parents.flatMap((id) => ['-p', id])];
  const { stdout } = await git.run(args, { env: ownIdentity, input: Buffer.from(message) });
  return stdout.toString('latin1').trim();
}

export interface RescueRequest {
  readonly run: string;
  readonly iteration: number;
  readonly tree: string;
  /** The commit of the snapshot, so that `git diff <ref>^1 <ref>` is the agent's work. */
  readonly snapshot: string;
  /** What else must be kept: commits, and objects that only a tag pointed to. */
  readonly tips: readonly string[];
  readonly message: string;
}

/**
 * Keeps work under `refs/ralph/<run>/<NNN>`, further ones of an iteration under `<NNN>-2`…; never moves a ref. What is no
 * commit can be no parent and gets a ref of its own. What is not there any more is left out.
 */
export async function saveRescue(git: Git, request: RescueRequest): Promise<string> {
  const { commits, others } = await sortTips(git, request.tips);
  const parents = [...new Set([request.snapshot, ...commits])];
  const commit = await wrapTree(git, request.tree, parents, request.message);
  const place = async (id: string): Promise<string> => {
    const name = await freeRefName(git, request.run, request.iteration);
    await updateRef(git, name, id, '');
    return name;
  };
  const name = await place(commit);
  for (const id of others) await place(id);
  return name;
}

/** The next name for something of this iteration. */
export async function freeRefName(git: Git, run: string, iteration: number): Promise<string> {
  const base = `refs/ralph/${run}/${String(iteration).padStart(3, '0')}`;
  const { stdout } = await git.run(['for-each-ref', '--format=%(refname)', base, `${base}-*`]);
  const taken = new Set(stdout.toString('utf8').split('\n'));
  let name = base;
  for (let n = 2; taken.has(name); n += 1) name = `${base}-${n}`;
  return name;
}

/** Tells commits from other objects (tags); what is not there any more is left out. */
export async function sortTips(git: Git, tips: readonly string[]): Promise<{ commits: string[]; others: string[] }> {
  const found: { commits: string[]; others: string[] } = { commits: [], others: [] };
  if (tips.length === 0) return found;
  const input = Buffer.from([...new Set(tips)].map((id) => `${id}\n`).join(''));
  const { stdout } = await git.run(['cat-file', '--batch-check=%(objectname) %(objecttype)'], { input });
  for (const line of stdout.toString('latin1').split('\n')) {
    const [id, type] = line.split(' ');
    if (id === undefined || type === undefined || type === 'missing') continue;
    (type === 'commit' ? found.commits : found.others).push(id);
  }
  return found;
}
