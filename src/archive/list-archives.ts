import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { branchIn } from './active.ts';

/** One archive. */
export interface Archive {
  readonly name: string;
  /** `YYYY-MM-DD`, or undefined where somebody gave it another name. */
  readonly date: string | undefined;
  readonly branch: string | undefined;
  /** Undefined where it holds no PRD that can be read. */
  readonly stories: { readonly passed: number; readonly all: number } | undefined;
}

/** The bytes of an archived pair. */
export interface ArchivedPair {
  readonly prd: Buffer | undefined;
  readonly log: Buffer | undefined;
}

/** The names in the archive, newest last; none where there is no such folder. Only these are ever opened. */
export function listNames(folder: string): string[] {
  return foldersIn(folder)
    .filter((name) => !name.startsWith('.'))
    .map((name) => ({ name, date: dateIn(name) ?? '', time: statSync(join(folder, name)).mtimeMs }))
    .sort((a, b) => compare(a.date, b.date) || a.time - b.time || a.name.localeCompare(b.name, 'en', { numeric: true }))
    .map(({ name }) => name);
}

function foldersIn(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  } catch {
    return [];
  }
}

/** What an archive is about. `logBranch` tells the branch in the header of a log. Never throws. */
export function describeArchive(folder: string, name: string, logBranch: (log: string) => string | undefined): Archive {
  const { prd, log } = readPair(folder, name);
  const text = prd?.toString('utf8') ?? '';
  return {
    name,
    date: dateIn(name),
    branch: branchIn(text) ?? (log === undefined ? undefined : logBranch(log.toString('utf8', 0, 4096))),
    stories: countStories(text),
  };
}

/** The bytes of both files, as far as they are there. `name` is one of `listNames`. */
export function readPair(folder: string, name: string): ArchivedPair {
  return { prd: readIfAny(join(folder, name, 'prd.json')), log: readIfAny(join(folder, name, 'progress.txt')) };
}

function countStories(text: string): Archive['stories'] {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    const list: unknown = typeof value === 'object' && value !== null && 'userStories' in value && value.userStories;
    if (!Array.isArray(list)) return undefined;
    return { passed: list.filter(hasPassed).length, all: list.length };
  } catch {
    return undefined;
  }
}

function hasPassed(story: unknown): boolean {
  return typeof story === 'object' && story !== null && 'passes' in story && story.passes === true;
}

function dateIn(name: string): string | undefined {
  return /^\d{4}-\d\d-\d\d(?=-)/.exec(name)?.[0];
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function readIfAny(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}
