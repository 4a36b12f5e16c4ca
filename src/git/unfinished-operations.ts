import type { Dirent } from 'node:fs';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Repository } from './repository.ts';

const operations = [
  { mark: 'MERGE_HEAD', name: 'a merge' },
  { mark: 'rebase-merge', name: 'a rebase' },
  { mark: 'rebase-apply', name: 'a rebase' },
  { mark: 'CHERRY_PICK_HEAD', name: 'a cherry-pick' },
  { mark: 'REVERT_HEAD', name: 'a revert' },
  { mark: 'BISECT_LOG', name: 'a bisect' },
] as const;

/** What git keeps of an operation under way; without these files it knows of none. */
const traces = [
  ...operations.map(({ mark }) => mark),
  'MERGE_MODE',
  'MERGE_MSG',
  'MERGE_AUTOSTASH',
  'AUTO_MERGE',
  'REBASE_HEAD',
  'SQUASH_MSG',
  'sequencer',
  'BISECT_START',
  'BISECT_NAMES',
  'BISECT_TERMS',
  'BISECT_EXPECTED_REV',
  'BISECT_ANCESTORS_OK',
  'BISECT_FIRST_PARENT',
];

/**
 * Ends a merge, rebase, cherry-pick or bisect that an agent left half done, without touching files or branches. Returns
 * what there was and the commits it was about, which a rescue ref should hold.
 */
export function endOperations({ gitDir }: Repository): { remarks: string[]; tips: string[] } {
  const found = operations.filter(({ mark }) => existsSync(join(gitDir, mark)));
  const tips = ['MERGE_HEAD', 'CHERRY_PICK_HEAD', 'MERGE_AUTOSTASH', 'rebase-merge/orig-head'].flatMap((name) =>
    readIds(join(gitDir, name)),
  );
  if (found.length === 0) return { remarks: [], tips: [] };
  for (const name of traces) rmSync(join(gitDir, name), { recursive: true, force: true });
  const names = [...new Set(found.map(({ name }) => name))];
  return { remarks: names.map((name) => `${name.replace(/^a/, 'A')} had been left half done and was ended.`), tips };
}

function readIds(file: string): string[] {
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => /^[0-9a-f]{40,64}$/.test(line));
}

/** The lock files of git, absolute: beside the index, the refs and the configuration. */
export function findLockFiles({ gitDir, commonDir }: Repository): string[] {
  const folders = [gitDir, ...(gitDir === commonDir ? [] : [commonDir])];
  const top = folders.flatMap((folder) => listLocks(folder, readdirSync(folder, { withFileTypes: true })));
  const refs = join(commonDir, 'refs');
  const below = existsSync(refs) ? listLocks(refs, readdirSync(refs, { withFileTypes: true, recursive: true })) : [];
  return [...top, ...below];
}

function listLocks(folder: string, entries: readonly Dirent[]): string[] {
  return entries
    .filter((entry) => entry.isFile() && entry.name.endsWith('.lock'))
    .map((entry) => join(entry.parentPath ?? folder, entry.name));
}

/** Removes the lock files that were not there before. Call it only when no process of the agent is left. */
export function removeNewLocks(repository: Repository, before: readonly string[]): string[] {
  const left = findLockFiles(repository).filter((file) => !before.includes(file));
  for (const file of left) rmSync(file, { force: true });
  return left.map(
    (file) => `The lock file ${file.slice(repository.commonDir.length + 1)} had been left behind and was removed.`,
  );
}
