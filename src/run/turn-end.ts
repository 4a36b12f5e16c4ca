import { isAncestor } from '../git/own-commits.ts';
import { readRefs } from '../git/refs.ts';
import type { Repository } from '../git/repository.ts';
import { isSnapshotData } from '../git/snapshot.ts';
import type { CommitMark, TurnFile } from '../run-folder/turn-file.ts';

/**
 * What becomes of the turn that a killed run left: its commit is on the branch, so that it is finished; its verdict stands (`settled`), so that
 * only the state files are; it is undone; or it is left as it is, because nothing is put back in prompt mode, or because its record is damaged.
 */
export type TurnEnd = ({ readonly kind: 'accepted' } & CommitMark) | { readonly kind: 'settled' | 'undone' | 'left' };

export async function findTurnEnd(repository: Repository, turn: TurnFile): Promise<TurnEnd> {
  const { snapshot } = turn;
  if (!isSnapshotData(snapshot)) return { kind: 'left' };
  if (turn.phase === 'committing' && (await isOnBranch(repository, turn.commit, snapshot.branch)))
    return { kind: 'accepted', commit: turn.commit, index: turn.index };
  if (turn.phase === 'settled') return { kind: 'settled' };
  return { kind: turn.repairs ? 'undone' : 'left' };
}

async function isOnBranch({ git }: Repository, commit: string, branch: string): Promise<boolean> {
  const tip = (await readRefs(git)).refs[`refs/heads/${branch}`];
  return tip !== undefined && isAncestor(git, commit, tip);
}
