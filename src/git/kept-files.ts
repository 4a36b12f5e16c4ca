import {
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { markOf } from './file-at.ts';
import type { Repository } from './repository.ts';

/** Where the user's index is kept while an agent works. */
export const keptIndexOf = (repository: Repository): string => join(repository.gitDir, 'ralph', 'index-before');
const keptRulesOf = (repository: Repository): string => join(repository.gitDir, 'ralph', 'exclude-before');
const rulesOf = ({ commonDir }: Repository): string => join(commonDir, 'info', 'exclude');

/** Copies what lies in git's own folder, of which no snapshot knows: the index, and the ignore rules outside of the tree. */
export function keepFiles(repository: Repository): void {
  mkdirSync(join(repository.gitDir, 'ralph'), { recursive: true });
  copyOrRemove(join(repository.gitDir, 'index'), keptIndexOf(repository));
  copyOrRemove(rulesOf(repository), keptRulesOf(repository));
  for (const file of [keptIndexOf(repository), keptRulesOf(repository)]) if (existsSync(file)) flush(file);
  untouched.set(repository, markOf(keptIndexOf(repository)));
}

/** What tells the kept index from any other: it lies where an agent can write. */
const untouched = new WeakMap<Repository, string | undefined>();

/** Is the kept index there, just as this process left it? */
export function isKeptIndexUntouched(repository: Repository): boolean {
  const mark = markOf(keptIndexOf(repository));
  return mark !== undefined && mark === untouched.get(repository);
}

/** The copies outlive a power cut, as the record of the turn does that relies on them. */
function flush(file: string): void {
  const descriptor = openSync(file, 'r+');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

export function releaseFiles(repository: Repository): void {
  rmSync(keptIndexOf(repository), { force: true });
  rmSync(keptRulesOf(repository), { force: true });
}

/** Puts the ignore rules back, so that a file is not hidden for good by what an agent wrote there. */
export function restoreRules(repository: Repository): void {
  // Without git's copy of the index the folder was cleared: nothing was kept.
  if (!existsSync(keptIndexOf(repository))) return;
  const [kept, now] = [read(keptRulesOf(repository)), read(rulesOf(repository))];
  if (kept === undefined ? now === undefined : now?.equals(kept) === true) return;
  mkdirSync(dirname(rulesOf(repository)), { recursive: true });
  copyOrRemove(keptRulesOf(repository), rulesOf(repository));
}

/** Takes git's own lock for the moment of the exchange, so that a `git add` of the user's is not overwritten half way. */
export function replaceIndex(repository: Repository, next: string): void {
  const index = join(repository.gitDir, 'index');
  const lock = `${index}.lock`;
  try {
    linkSync(next, lock);
  } catch {
    // Somebody holds the lock at this moment; a rename is atomic all the same.
    renameSync(next, index);
    return;
  }
  renameSync(lock, index);
  rmSync(next, { force: true });
}

function copyOrRemove(from: string, to: string): void {
  if (existsSync(from)) copyFileSync(from, to);
  else rmSync(to, { force: true });
}

function read(file: string): Buffer | undefined {
  return existsSync(file) ? readFileSync(file) : undefined;
}
