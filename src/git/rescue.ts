import type { Git } from './git.ts';
import { updateRef } from './refs.ts';

const padded = (iteration: number): string => String(iteration).padStart(3, '0');

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
  /** First the commit of the snapshot, so that `git diff <ref>^1 <ref>` is the agent's work; then what else must be kept. */
  readonly parents: readonly string[];
  readonly message: string;
}

/** Keeps work under `refs/ralph/<run>/<NNN>`, further ones of an iteration under `<NNN>-2`…; never moves a ref. */
export async function saveRescue(git: Git, request: RescueRequest): Promise<string> {
  const parents = [...new Set(request.parents)];
  const commit = await wrapTree(git, request.tree, parents, request.message);
  const base = `refs/ralph/${request.run}/${padded(request.iteration)}`;
  const { stdout } = await git.run(['for-each-ref', '--format=%(refname)', base, `${base}-*`]);
  const taken = new Set(stdout.toString('utf8').split('\n'));
  let name = base;
  for (let n = 2; taken.has(name); n += 1) name = `${base}-${n}`;
  await updateRef(git, name, commit, '');
  return name;
}
