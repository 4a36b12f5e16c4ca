import { dirname, join } from 'node:path';
import { branchIn, readActive, readLastBranch } from '../archive/active.ts';
import type { ActiveCopies } from '../archive/active.ts';
import type { ArchiveSource } from '../archive/store-archive.ts';
import { findVersion } from '../git/find-version.ts';
import type { Repository } from '../git/repository.ts';
import { decodeLog } from '../progress/log-bytes.ts';
import { hasEntries, readLogBranch, readPatterns } from '../progress/log-text.ts';

/** In the header of the log that `ralph archive` starts: what was under way is archived, and nothing has begun since. */
export const noFeature = 'none yet';

/** What is to be archived before another feature begins. */
export interface OldFeature {
  /** The feature under way first; then, where the log in place belongs to a third one, that one. */
  readonly sources: readonly ArchiveSource[];
  /** What could not be found, one sentence each. */
  readonly notes: readonly string[];
  /** The Codebase Patterns that go along into the fresh log. */
  readonly patterns: string;
}

export interface StateFiles {
  /** Path of prd.json from the root of the working tree. */
  readonly prd: string;
  /** The bytes of the log in place, if there is one. */
  readonly log: Uint8Array | undefined;
}

/** The branch of the feature under way: from the copies in `.ralph/active`, else the log's header, else `.last-branch`. */
export function findFeature(root: string, { prd, log }: StateFiles): string | undefined {
  const copied = featureOf(readActive(root));
  if (copied !== undefined) return copied;
  const header = headerOf(log);
  return header === noFeature ? undefined : (header ?? readLastBranch(join(root, dirname(prd))));
}

/** A PRD without a `branchName` belongs to the branch in the header of its log. */
function featureOf({ prd, log }: ActiveCopies): string | undefined {
  if (prd === undefined) return undefined;
  const header = headerOf(log);
  return branchIn(prd.toString('utf8')) ?? (header === noFeature ? undefined : header);
}

function headerOf(log: Uint8Array | undefined): string | undefined {
  return log === undefined ? undefined : readLogBranch(decodeLog(log.subarray(0, 8192)));
}

/**
 * The feature under way with its own PRD (the copy, else the last commit that had its `branchName`; never the one in place)
 * and its own log, if it is another one than `branch`. Undefined: there is nothing to archive.
 */
export async function findOldFeature(
  repository: Repository,
  files: StateFiles,
  branch: string | undefined,
): Promise<OldFeature | undefined> {
  const feature = findFeature(repository.root, files);
  if (feature === undefined || feature === branch) return undefined;
  const version = async (name: string): Promise<Buffer | undefined> =>
    findVersion(repository, files.prd, (text) => branchIn(text) === name);
  const copies = readActive(repository.root);
  const own = featureOf(copies) === feature ? copies : undefined;
  const prd = own?.prd ?? (await version(feature));
  const log = chooseLog(files.log, own?.log, feature, branch);
  const sources: ArchiveSource[] = [{ branch: feature, prd, log }];
  const other = headerOf(files.log);
  // The log of a third feature would be lost with the fresh start.
  if (files.log !== undefined && log !== files.log && other !== undefined && other !== branch && other !== noFeature) {
    sources.push({ branch: other, prd: await version(other), log: files.log });
  }
  const full = sources.filter((source) => source.prd !== undefined || source.log !== undefined);
  if (full.length === 0) return undefined;
  const lost = full.filter((source) => source.prd === undefined).map((source) => source.branch);
  return {
    sources: full,
    notes: lost.map((name) => `the PRD of ${name} could not be found: only its log is archived`),
    patterns: patternsOf(log) || patternsOf(files.log),
  };
}

/** The log in place, unless its header says that it is another feature's: then the copy. */
function chooseLog(
  inPlace: Uint8Array | undefined,
  copy: Uint8Array | undefined,
  feature: string,
  branch: string | undefined,
): Uint8Array | undefined {
  const header = headerOf(inPlace);
  const isOwn = header === undefined || header === feature || header === noFeature;
  if (inPlace !== undefined && inPlace.length > 0 && isOwn) return inPlace;
  return copy ?? (header === branch ? undefined : inPlace);
}

function patternsOf(log: Uint8Array | undefined): string {
  return log === undefined ? '' : readPatterns(decodeLog(log));
}

/** Is this log the feature's own, with entries in it, so that a fresh one would take something away? */
export function isLogOf(text: string, branch: string): boolean {
  return readLogBranch(text) === branch && hasEntries(text);
}

/** The log that `ralph archive` started, with the branch that it is the log of now. */
export function nameBranch(text: string, branch: string): string {
  return text.replace(/^(Branch:)[ \t]*none yet[ \t]*$/m, (_, key: string) => `${key} ${branch}`);
}
