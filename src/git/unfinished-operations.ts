import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Repository } from './repository.ts';

const operations: readonly { readonly mark: string; readonly name: string }[] = [
  { mark: 'MERGE_HEAD', name: 'a merge' },
  { mark: 'rebase-merge', name: 'a rebase' },
  { mark: 'rebase-apply', name: 'a rebase' },
  { mark: 'CHERRY_PICK_HEAD', name: 'a cherry-pick' },
  { mark: 'REVERT_HEAD', name: 'a revert' },
  { mark: 'BISECT_LOG', name: 'a bisect' },
];

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
  join('refs', 'bisect'),
  join('refs', 'rewritten'),
];

/** Files that name commits, among them the changes that git itself had put aside for the operation. */
const holders = [
  'MERGE_HEAD',
  'CHERRY_PICK_HEAD',
  'REVERT_HEAD',
  'REBASE_HEAD',
  'MERGE_AUTOSTASH',
  'rebase-merge/orig-head',
  'rebase-merge/autostash',
  'rebase-merge/stopped-sha',
  'rebase-apply/orig-head',
  'rebase-apply/autostash',
];

export interface UnfinishedOperations {
  /** What there is, one sentence each. */
  readonly remarks: readonly string[];
  /** The commits it is about, which a rescue ref should hold before it ends. */
  readonly tips: readonly string[];
  /** Ends it, without touching files or branches. */
  end(): void;
}

/** A merge, rebase, cherry-pick or bisect that an agent left half done. */
export function findOperations({ gitDir }: Repository): UnfinishedOperations {
  const isThere = (name: string): boolean => existsSync(join(gitDir, name));
  const found = operations.filter(({ mark }) => isThere(mark)).map(({ name }) => name);
  // Between two of its commits this folder is all there is of a series.
  if (found.length === 0 && isThere('sequencer')) found.push('a cherry-pick');
  if (found.length === 0) return { remarks: [], tips: [], end: () => {} };
  const names = [...new Set(found)];
  return {
    remarks: names.map((name) => `${name.replace(/^a/, 'A')} had been left half done and was ended.`),
    tips: holders.flatMap((name) => readIds(join(gitDir, name))),
    end: () => {
      for (const name of traces) rmSync(join(gitDir, name), { recursive: true, force: true });
    },
  };
}

function readIds(file: string): string[] {
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => /^[0-9a-f]{40,64}$/.test(line));
}
