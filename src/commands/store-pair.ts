import { rm } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { branchIn, clearActive, readActive } from '../archive/active.ts';
import { prepareArchive, removeUnnamed } from '../archive/store-archive.ts';
import type { ArchiveSource, PendingArchive } from '../archive/store-archive.ts';
import { isUnderWay, markUnderWay, unmarkUnderWay } from '../archive/under-way.ts';
import { systemClock } from '../clock.ts';
import { UsageError } from '../errors.ts';
import { displayPath } from '../git/byte-path.ts';
import { findStatePaths } from '../git/state-paths.ts';
import { decodeLog } from '../progress/log-bytes.ts';
import { hasEntries, readLogBranch, readPatterns, startLog } from '../progress/log-text.ts';
import { cleanLine } from '../reporters/clean-text.ts';
import { findOldFeature, noFeature } from '../run/old-feature.ts';
import { quoteWord } from '../shell-words.ts';
import type { Place } from '../project/place.ts';
import type { StatePlace } from './state-place.ts';

/**
 * Moves prd.json and progress.txt into the archive and starts a fresh log. Returns what to say about it. Throws UsageError
 * where there is nothing to archive (a log without entries is something only with `withFreshLog`), or where the archive can't be written; nothing is changed then.
 * With `isReplaced` another prd.json takes the old one's place at once, so nothing is said of a removal. Call it under the lock.
 */
export async function storePair(
  place: Place,
  state: StatePlace,
  { withFreshLog = false, isReplaced = false }: { withFreshLog?: boolean; isReplaced?: boolean } = {},
): Promise<string[]> {
  const { repository } = place;
  removeUnnamed(state.archiveFolder);
  const prd = await state.prd.raw();
  const log = await state.log.raw();
  const sources = await listSources(place, state, { prd, log }, withFreshLog);
  if (sources.length === 0) {
    unmarkUnderWay(repository.gitDir);
    throw nothingToArchive(place, state);
  }
  const tracked = prd === undefined || isReplaced ? [] : await trackedPaths(place, state);
  const names = putIntoArchive(repository.gitDir, state.archiveFolder, sources);
  const patterns = log === undefined ? '' : readPatterns(decodeLog(log));
  // The log last: by its header the next call finds out, after a kill in between, what is archived already.
  await rm(state.prdFile, { force: true });
  clearActive(repository.root);
  await state.log.write(startLog({ branch: noFeature, startedAt: systemClock.now() }, patterns));
  unmarkUnderWay(repository.gitDir);
  return [
    ...names.map((name) => cleanLine(`Archived: ${state.archive}/${name}`)),
    `Fresh log: ${state.log.path}${patterns === '' ? '' : ', with the Codebase Patterns of the old one'}`,
    ...trackedLines(state.prd.path, tracked, names),
  ];
}

interface Pair {
  readonly prd: Uint8Array | undefined;
  readonly log: Uint8Array | undefined;
}

/** The pair in place; and before it the feature under way, where the PRD in place is already another one's. */
async function listSources(
  place: Place,
  state: StatePlace,
  { prd, log }: Pair,
  withFreshLog: boolean,
): Promise<readonly ArchiveSource[]> {
  const text = log === undefined ? '' : decodeLog(log);
  const header = readLogBranch(text);
  const logBranch = header === noFeature ? undefined : header;
  const branch = (prd === undefined ? undefined : branchIn(Buffer.from(prd).toString('utf8'))) ?? logBranch;
  const old = await findOldFeature(place.repository, { prd: state.prd.path, log }, branch);
  const before = old?.sources ?? [];
  const isLogTaken = before.some((source) => source.log === log);
  if (prd === undefined && (isLogTaken || !(hasEntries(text) || withFreshLog))) return before;
  const own: ArchiveSource = {
    branch: branch ?? (await currentBranch(place)),
    prd: prd ?? copyFor(place.repository.root, branch),
    // One without entries goes along as well: the pair is to come back byte for byte.
    log: isLogTaken ? undefined : log,
  };
  return [...before, own];
}

/** The PRD is gone from its place, but what ralph keeps of it is about this log. */
function copyFor(root: string, branch: string | undefined): Uint8Array | undefined {
  const { prd } = readActive(root);
  return prd !== undefined && branch !== undefined && branchIn(prd.toString('utf8')) === branch ? prd : undefined;
}

async function currentBranch({ repository }: Place): Promise<string> {
  const { stdout } = await repository.git.run(['symbolic-ref', '--quiet', '--short', 'HEAD'], { accept: [1] });
  return stdout.toString('utf8').trim();
}

function putIntoArchive(gitDir: string, folder: string, sources: readonly ArchiveSource[]): string[] {
  const options = { at: systemClock.now(), finishes: isUnderWay(gitDir) };
  const pending: PendingArchive[] = [];
  try {
    for (const source of sources) pending.push(prepareArchive(folder, source, options));
    markUnderWay(gitDir);
    return pending.map((archive) => archive.commit());
  } catch (error) {
    for (const archive of pending) archive.discard();
    throw error;
  }
}

function nothingToArchive({ start }: Place, state: StatePlace): UsageError {
  return new UsageError(`there is nothing to archive in ${start}`, {
    problems: [`no ${state.prd.path}, and no entries in ${state.log.path}`],
    cures: ['see what is archived: ralph archive list', 'or name another place: ralph archive --prd <file>'],
  });
}

/** The state files that go into commits, as paths for git from the start folder; none where git does not track prd.json. */
async function trackedPaths({ repository, start }: Place, state: StatePlace): Promise<string[]> {
  const paths = await findStatePaths(repository, state.prd.path, state.log.path, state.archive);
  return (paths?.committed ?? []).map((path) => relative(start, join(repository.root, displayPath(path))));
}

function trackedLines(prd: string, tracked: readonly string[], names: readonly string[]): string[] {
  if (tracked.length === 0) return [];
  const paths = tracked.map(quoteWord).join(' ');
  const subject = quoteWord(`Archive ${names.at(-1) ?? ''}`);
  return [
    `git tracks ${prd}: its removal is left uncommitted. To commit it:`,
    `  git add --all -- ${paths} && git commit -m ${subject} -- ${paths}`,
  ];
}
