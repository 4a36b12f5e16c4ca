import { isWithin } from './byte-path.ts';
import { displayPath, fromBytes, splitNul } from './byte-path.ts';
import type { BytePath } from './byte-path.ts';
import { changesInTheWay, findStart, verifyFree, verifyNameFits } from './branch.ts';
import type { BranchRequest } from './branch.ts';
import type { Repository } from './repository.ts';
import { diffTrees } from './tree-diff.ts';

/** Throws UsageError where the switch to the PRD's branch would be refused, as far as that can be told without doing it. Writes nothing. */
export async function verifySwitch(repository: Repository, request: BranchRequest): Promise<void> {
  if (request.name === request.current) return;
  const target = await findStart(repository, request);
  if (target.exists) await verifyFree(repository, request.name);
  else await verifyNameFits(repository, request.name);
  const moved = await diffTrees(repository.git, 'HEAD', target.commit);
  if (moved.size === 0) return;
  const isState = (path: BytePath): boolean => request.state.some((state) => isWithin(path, state));
  const args = ['status', '--porcelain', '-z', '--no-renames', '--untracked-files=all'];
  const inTheWay = splitNul((await repository.git.run(args)).stdout)
    .map((record) => fromBytes(record.slice(3)))
    .filter((path) => moved.has(path) && !isState(path));
  if (inTheWay.length > 0) throw changesInTheWay(request.name, inTheWay.map(displayPath));
}
