import type { Desk, Turn } from './desk.ts';
import { peekHead } from './peek-head.ts';
import { findConflicts, placeRef, readRefs } from './refs.ts';
import { saveRescue } from './rescue.ts';
import { diffTrees } from './tree-diff.ts';
import { restoreIndex } from './user-index.ts';

/**
 * Puts branch and HEAD back where a gate or check that commits or switches has moved them; what it committed is kept under a
 * rescue ref. `tree` is the tree of the files that it left. Returns a sentence about it, or undefined where nothing moved.
 */
export async function putBranchBack(desk: Desk, turn: Turn, tree: string): Promise<string | undefined> {
  const { git } = desk.repository;
  const { snapshot } = turn;
  const head = turn.left?.head ?? snapshot.head;
  const peeked = peekHead(desk.repository);
  if (peeked?.tip === head && peeked.branch === snapshot.branch) return undefined;
  const now = await readRefs(git);
  const name = `refs/heads/${snapshot.branch}`;
  const tip = now.refs[name] ?? now.elsewhere[name];
  if (tip === head && now.branch === snapshot.branch) return undefined;
  const tips = [tip, now.head].flatMap((id) => (id === undefined || id === head ? [] : [id]));
  const ref =
    tips.length === 0
      ? undefined
      : await saveRescue(git, {
          run: desk.run,
          iteration: snapshot.iteration,
          tree,
          snapshot: snapshot.commit,
          tips,
          message: `What gates or checks of iteration ${snapshot.iteration} committed\n`,
        });
  if (tip !== head) await placeRef(git, name, head, findConflicts(name, snapshot.refs, now));
  if (now.branch !== snapshot.branch) await git.run(['symbolic-ref', '-m', 'ralph: back to the branch', 'HEAD', name]);
  await restoreIndex(desk, turn, await diffTrees(git, snapshot.head, head));
  const where = ref === undefined ? '' : `; what they committed is kept under ${ref}`;
  return `gates or checks had moved the branch ${snapshot.branch} or left it, which was put back${where}`;
}
