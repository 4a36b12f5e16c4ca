import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * `.ralph/active/`: copies of the PRD and the log of the feature under way. The user may put a new prd.json in the place of
 * the old one at any time; what is archived then is the old one.
 */
export interface ActiveFeature {
  /** Absolute paths. */
  readonly prd: string;
  readonly log: string;
}

/** The bytes of the copies, as far as they are there. */
export interface ActiveCopies {
  readonly prd: Buffer | undefined;
  readonly log: Buffer | undefined;
}

const folderOf = (root: string): string => join(root, '.ralph', 'active');

export function activePaths(root: string): ActiveFeature {
  return { prd: join(folderOf(root), 'prd.json'), log: join(folderOf(root), 'progress.txt') };
}

export function readActive(root: string): ActiveCopies {
  const { prd, log } = activePaths(root);
  return { prd: readIfAny(prd), log: readIfAny(log) };
}

/**
 * Copies both files (absolute paths) as they are now, a missing one being missing in the copy, too; nothing where the PRD in
 * place is not the wanted one. Throws what the system throws.
 */
export function saveActive(
  root: string,
  files: { prd: string; log: string },
  isWanted: (prd: string) => boolean = () => true,
): void {
  const prd = readIfAny(files.prd);
  if (prd !== undefined && !isWanted(prd.toString('utf8'))) return;
  const active = activePaths(root);
  mkdirSync(folderOf(root), { recursive: true });
  // The folder hides itself: it is no work of the user's.
  const hiding = join(folderOf(root), '.gitignore');
  if (!existsSync(hiding)) writeFileSync(hiding, '*\n');
  copy(files.prd, active.prd);
  copy(files.log, active.log);
}

/** No feature is under way any more. */
export function clearActive(root: string): void {
  for (const file of Object.values(activePaths(root))) rmSync(file, { force: true });
}

function copy(from: string, to: string): void {
  if (!existsSync(from)) {
    rmSync(to, { force: true });
    return;
  }
  const fresh = `${to}.new`;
  rmSync(fresh, { force: true });
  copyFileSync(from, fresh);
  renameSync(fresh, to);
}

/** The `branchName` in the text of a prd.json, or undefined where it tells none. */
export function branchIn(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    const isNamed = typeof value === 'object' && value !== null && 'branchName' in value;
    const name = isNamed && typeof value.branchName === 'string' ? value.branchName.trim() : '';
    return name === '' ? undefined : name;
  } catch {
    return undefined;
  }
}

/** The branch in ralph.sh's `.last-branch` in this folder, or undefined where there is none. */
export function readLastBranch(folder: string): string | undefined {
  const name = readIfAny(join(folder, '.last-branch'))
    ?.toString('utf8')
    .replace(/^\uFEFF/, '')
    .trim();
  return name === '' ? undefined : name;
}

/** What can't be read tells nothing. */
function readIfAny(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}
