import { join } from 'node:path';
import { branchIn, readActive, saveActive } from '../archive/active.ts';
import { prepareArchive, removeUnnamed } from '../archive/store-archive.ts';
import type { PendingArchive } from '../archive/store-archive.ts';
import { isUnderWay, markUnderWay, unmarkUnderWay } from '../archive/under-way.ts';
import { systemClock } from '../clock.ts';
import type { Parts } from '../compose.ts';
import { messageOf } from '../errors.ts';
import { nothing } from '../process/timers.ts';
import { readLogBranch, readPatterns, startLog } from '../progress/log-text.ts';
import type { ProgressFile } from '../progress/progress-log.ts';
import { findOldFeature, isLogOf, nameBranch, noFeature } from './old-feature.ts';
import type { PreparedRun } from './prepare.ts';

/** What the start of a run does about the feature that was under way before. */
export interface FeatureStart {
  /** Runs a step of the start; if it fails, what was written for the archive goes away with it. */
  guard<T>(step: () => Promise<T>): Promise<T>;
  discard(): void;
  /** Puts the archive in place, starts a fresh log where it is another feature, and keeps copies from now on. */
  commit(): Promise<void>;
}

/** What was under way before, written for the archive but without a name there. */
interface Outgoing {
  readonly archives: readonly PendingArchive[];
  readonly patterns: string;
}

/**
 * Copies the PRD and log of the feature under way for the archive, if this run is about another one. Throws UsageError where
 * the archive can't be written.
 */
export async function beginFeature(prepared: PreparedRun, parts: Parts): Promise<FeatureStart> {
  removeUnnamed(folderOf(prepared, parts));
  const outgoing = await prepareOutgoing(prepared, parts);
  const discard = (): void => outgoing?.archives.forEach((pending) => pending.discard());
  const guard: FeatureStart['guard'] = async (step) => {
    try {
      return await step();
    } catch (error) {
      discard();
      throw error;
    }
  };
  return { discard, guard, commit: async () => guard(async () => commit(prepared, parts, outgoing)) };
}

const folderOf = ({ archive }: PreparedRun, { repository }: Parts): string => join(repository.root, archive);

async function prepareOutgoing(prepared: PreparedRun, parts: Parts): Promise<Outgoing | undefined> {
  const { repository, prd, log, folder } = parts;
  const branch = prepared.reading?.prd.branchName;
  if (prd === undefined || log === undefined || branch === undefined) return undefined;
  const old = await findOldFeature(repository, { prd: prd.path, log: await log.raw() }, branch);
  if (old === undefined) return undefined;
  for (const text of old.notes) folder.emit({ type: 'warning.raised', text, place: prepared.archive });
  const finishes = isUnderWay(repository.gitDir);
  const archives: PendingArchive[] = [];
  try {
    for (const source of old.sources)
      archives.push(prepareArchive(folderOf(prepared, parts), source, { at: systemClock.now(), finishes }));
  } catch (error) {
    for (const pending of archives) pending.discard();
    throw error;
  }
  return { archives, patterns: old.patterns };
}

async function commit(prepared: PreparedRun, parts: Parts, outgoing: Outgoing | undefined): Promise<void> {
  const { log, prd, folder } = parts;
  const { gitDir } = parts.repository;
  if (log === undefined || prd === undefined) return;
  if (outgoing !== undefined) markUnderWay(gitDir);
  const names = outgoing?.archives.map((pending) => pending.commit()) ?? [];
  await startFeatureLog(log, prepared.branch, outgoing?.patterns);
  for (const name of names) folder.emit({ type: 'archive.created', folder: `${prepared.archive}/${name}` });
  keepCopies(prepared, parts, { prd: prd.path, log: log.path });
  unmarkUnderWay(gitDir);
}

/** `patterns`: a new feature begins, and these go along. A log that is the new feature's own already is left as it is. */
async function startFeatureLog(log: ProgressFile, branch: string, patterns: string | undefined): Promise<void> {
  const header = { branch, startedAt: systemClock.now() };
  const { text } = await log.read();
  if (readLogBranch(text) === noFeature) await log.write(nameBranch(text, branch));
  else if (patterns === undefined || isLogOf(text, branch)) await log.ensure(header);
  else await log.write(startLog(header, patterns || readPatterns(text)));
}

/**
 * Copies of PRD and log from now on, after each iteration. The PRD that the user puts in place while the run ends is another
 * feature's, and its copy would stand in the place of the one to be archived.
 */
function keepCopies(
  { reading }: PreparedRun,
  { repository, folder }: Parts,
  paths: { prd: string; log: string },
): void {
  const { root } = repository;
  const files = { prd: join(root, paths.prd), log: join(root, paths.log) };
  const branch = reading?.prd.branchName;
  // A PRD without a branchName is never archived by itself, so it must not push out the copy of one that will be.
  if (branch === undefined && copiedBranch(root) !== undefined) return;
  const save = (warn: (text: string) => void): void => {
    try {
      saveActive(root, files, (text) => branchIn(text) === branch);
    } catch (error) {
      warn(`the copies for the archive can't be written: ${messageOf(error)}`);
    }
  };
  const warn = (text: string): void => folder.emit({ type: 'warning.raised', text, place: '.ralph/active' });
  save(warn);
  folder.onEvent((event) => {
    if (event.type === 'iteration.finished') save(warn);
    // No event comes behind the last one.
    if (event.type === 'run.finished') save(nothing);
  });
}

function copiedBranch(root: string): string | undefined {
  const { prd } = readActive(root);
  return prd === undefined ? undefined : branchIn(prd.toString('utf8'));
}
