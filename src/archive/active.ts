import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * `.ralph/active/`: copies of the PRD and the log of the feature under way. The user may put a new prd.json in the place of
 * the old one at any time; what is archived then is the old one.
 */
export interface ActiveFeature {
  readonly prd: string;
  readonly log: string;
}

const folderOf = (root: string): string => join(root, '.ralph', 'active');

export function activePaths(root: string): ActiveFeature {
  return { prd: join(folderOf(root), 'prd.json'), log: join(folderOf(root), 'progress.txt') };
}

/** Copies both files as they are now; a missing one is missing in the copy, too. Absolute paths. */
export function saveActive(root: string, files: { prd: string; log: string }): void {
  const active = activePaths(root);
  mkdirSync(folderOf(root), { recursive: true });
  copy(files.prd, active.prd);
  copy(files.log, active.log);
}

function copy(from: string, to: string): void {
  if (!existsSync(from)) {
    rmSync(to, { force: true });
    return;
  }
  const fresh = `${to}.new`;
  copyFileSync(from, fresh);
  renameSync(fresh, to);
}

/** The branch of the feature under way: from the copies, else from the log's header, else from ralph.sh's `.last-branch`. */
export function findFeature(root: string, files: { prd: string; logBranch: string | undefined }): string | undefined {
  return branchOf(activePaths(root).prd) ?? files.logBranch ?? lastBranch(join(dirname(files.prd), '.last-branch'));
}

/** The `branchName` of a prd.json, or undefined where the file tells none. */
export function branchOf(file: string): string | undefined {
  return existsSync(file) ? branchIn(readFileSync(file, 'utf8')) : undefined;
}

/** The same for a text. */
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

function lastBranch(file: string): string | undefined {
  const name = existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
  return name === '' ? undefined : name;
}
