import { finderAmong, fromBytes, splitNul } from './byte-path.ts';
import type { BytePath } from './byte-path.ts';
import type { Repository } from './repository.ts';
import { ownFolders } from './shadow.ts';

export interface Status {
  /** The index differs from HEAD. */
  readonly isStaged: boolean;
  /** Files are in the index with the intent to add them, and without a content. */
  readonly isIntended: boolean;
  readonly ignored: BytePath[];
  readonly uncommitted: BytePath[];
  /** The index has them no more, HEAD has. */
  readonly removed: BytePath[];
  /** The index has them, the working tree has not. */
  readonly deleted: BytePath[];
}

/** Ignored files, and folders that a rule itself names (`ls-files --directory` would also fold those that merely hold ignored files). */
export async function readStatus({ git }: Repository): Promise<Status> {
  const args = [
    'status',
    '--porcelain',
    '-z',
    '--ignored=matching',
    '--untracked-files=all',
    '--no-renames',
    '--ignore-submodules=all',
  ];
  const records = splitNul((await git.run(args)).stdout);
  const pathOf = (record: BytePath): BytePath => fromBytes(record.slice(3));
  const ignored = records.filter((record) => record.startsWith('!! ')).map(pathOf);
  return {
    isStaged: records.some((record) => !/^[ ?!]/.test(record)),
    isIntended: records.some((record) => record.startsWith(' A')),
    ignored: foldOwn(ignored),
    uncommitted: records.filter((record) => !record.startsWith('!! ')).map(pathOf),
    removed: records.filter((record) => record.startsWith('D')).map(pathOf),
    deleted: records.filter((record) => record[1] === 'D').map(pathOf),
  };
}

/** Of what is ralph's own the folder of each run is enough: a long night leaves a thousand folders in it. */
function foldOwn(ignored: readonly BytePath[]): BytePath[] {
  const isOwn = finderAmong(ownFolders);
  const fold = (path: BytePath): BytePath => {
    const own = isOwn(path);
    const end = own === undefined ? -1 : path.indexOf('/', own.length + 1);
    return end === -1 ? path : fromBytes(path.slice(0, end + 1));
  };
  return [...new Set(ignored.map(fold))];
}
