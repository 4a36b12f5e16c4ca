/** A world for the tests of `ralph archive`, and the files that are archived in it. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { archive } from '../../../src/commands/archive.ts';
import type { ArchiveTask, CommandIo } from '../../../src/commands/types.ts';
import { dateOf } from '../../../src/archive/slug.ts';
import { createWorld, plain } from './world.ts';
import type { World } from './world.ts';

export interface ArchiveWorld extends World {
  call(task: ArchiveTask, io?: CommandIo, given?: object): Promise<number>;
  /** What is in a folder, `archive` by default. */
  names(folder?: string): string[];
  /** The bytes of a file. */
  copy(file: string): Buffer;
}

export function createArchiveWorld(): ArchiveWorld {
  const w = createWorld();
  return {
    ...w,
    call: async (task, io = w.io, given = {}) => archive({ ...plain, given, task }, io),
    names: (folder = 'archive') => (w.exists(folder) ? readdirSync(path.join(w.root, folder)).sort() : []),
    copy: (file) => readFileSync(path.join(w.root, file)),
  };
}

export const store: ArchiveTask = { kind: 'store' };
export const restore = (name: string): ArchiveTask => ({ kind: 'restore', name });
export const today = (): string => dateOf(Date.now());

export const prdOf = (branchName: string | undefined, passes = false): string =>
  `\uFEFF{\r\n\t"branchName": ${JSON.stringify(branchName) ?? 'null'},\r\n  "userStories": [{ "id": "A", "title": "Gr\\u00f6\\u00dfe", "passes": ${passes} }]\r\n}`;
export const logOf = (branch: string, entry = '## today - A\n- learnt\n---\n', patterns = ''): string =>
  `# Ralph Progress Log\nBranch: ${branch}\nStarted: 2026-01-01T00:00:00Z\n---\n${patterns}\n${entry}`;
export const patterns = '\n## Codebase Patterns\n- UTC in `src/time`\n\n---\n';
