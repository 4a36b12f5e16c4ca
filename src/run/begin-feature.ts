import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { activePaths, branchIn, findFeature, saveActive } from '../archive/active.ts';
import { prepareArchive } from '../archive/store-archive.ts';
import type { PendingArchive } from '../archive/store-archive.ts';
import { systemClock } from '../clock.ts';
import type { Parts } from '../compose.ts';
import { findVersion } from '../git/find-version.ts';
import { readLogBranch } from '../progress/log-text.ts';
import type { PreparedRun } from './prepare.ts';

/** What the start of a run does about the feature that was under way before. */
export interface FeatureStart {
  /** Runs a step of the start; if it fails, what was written for the archive goes away with it. */
  guard<T>(step: () => Promise<T>): Promise<T>;
  discard(): void;
  /** Puts the archive in place, starts a fresh log where it is another feature, and keeps copies from now on. */
  commit(): Promise<void>;
}

/**
 * Copies the PRD and log of the feature under way for the archive, if this run is about another one. Throws UsageError where
 * the archive can't be written.
 */
export async function beginFeature(prepared: PreparedRun, parts: Parts): Promise<FeatureStart> {
  const pending = await prepareOld(prepared, parts);
  const discard = (): void => pending?.discard();
  return {
    discard,
    async guard(step) {
      try {
        return await step();
      } catch (error) {
        discard();
        throw error;
      }
    },
    async commit() {
      const { log, prd, folder, repository } = parts;
      if (log === undefined || prd === undefined) return;
      const header = { branch: prepared.branch, startedAt: systemClock.now() };
      if (pending === undefined) await log.ensure(header);
      else {
        const name = pending.commit();
        await log.restart(header);
        folder.emit({ type: 'archive.created', folder: `${prepared.archive}/${name}` });
      }
      const files = { prd: join(repository.root, prd.path), log: join(repository.root, log.path) };
      saveActive(repository.root, files);
      folder.onEvent((event) => {
        if (event.type === 'iteration.finished' || event.type === 'run.finished') saveActive(repository.root, files);
      });
    },
  };
}

async function prepareOld(
  prepared: PreparedRun,
  { repository, prd, log, folder }: Parts,
): Promise<PendingArchive | undefined> {
  const branch = prepared.reading?.prd.branchName;
  if (prd === undefined || log === undefined || branch === undefined) return undefined;
  const { root } = repository;
  const { text } = await log.read();
  const feature = findFeature(root, { prd: join(root, prd.path), logBranch: readLogBranch(text) });
  if (feature === undefined || feature === branch) return undefined;
  const version = async (): Promise<Buffer | undefined> =>
    findVersion(repository, prd.path, (old) => branchIn(old) === feature);
  const old = readActive(root, feature) ?? (await version());
  const logFile = join(root, log.path);
  if (old === undefined) {
    const note = `the PRD of ${feature} could not be found: only its log is archived`;
    folder.emit({ type: 'warning.raised', text: note, place: prepared.archive });
  }
  const source = { branch: feature, prd: old, log: existsSync(logFile) ? logFile : undefined };
  return prepareArchive(join(root, prepared.archive), source, systemClock.now());
}

/** The copy of the old PRD, if it is that feature's. */
function readActive(root: string, feature: string): Buffer | undefined {
  const file = activePaths(root).prd;
  const copy = existsSync(file) ? readFileSync(file) : undefined;
  return copy !== undefined && branchIn(copy.toString('utf8')) === feature ? copy : undefined;
}
