import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readDuration } from '../config/durations.ts';
import { messageOf, RalphError, UsageError } from '../errors.ts';
import { listRunRefs, removeRunRefs } from '../git/run-refs.ts';
import type { RunRefs } from '../git/run-refs.ts';
import { renderCleaning } from '../reporters/clean-run-text.ts';
import { quoteWord } from '../shell-words.ts';
import { listRuns, readRun } from '../run-folder/read-runs.ts';
import { isRunId } from '../run-folder/run-id.ts';
import { readTurn } from '../run-folder/turn-file.ts';
import { findPlace } from '../project/place.ts';
import type { Place } from '../project/place.ts';
import { removeDeadCheckouts } from '../run/clean-checkout.ts';
import { removeFolder } from '../run/remove-folder.ts';
import type { CleanOptions, CommandIo } from './types.ts';

const DAY_MS = 86_400_000;
const DEFAULT_AGE = '30d';

/** A run that goes: its folder, if it still has one, and its rescue refs. */
interface OldRun {
  readonly id: string;
  /** Absolute; undefined where only refs are left. */
  readonly folder: string | undefined;
  readonly refs: RunRefs;
}

/**
 * Removes the folders of runs that ended at least so long ago, and their rescue refs; never a running run, nor one whose last
 * iteration the next run has to put in order. Refs are shared by all working trees of a repository: those of a run go only
 * with its folder here, or where this is the only working tree and the folder is gone already.
 */
export async function clean(options: CleanOptions, io: CommandIo): Promise<number> {
  const place = await findPlace(options.cwd, io);
  const before = Date.now() - readAge(options.older ?? DEFAULT_AGE);
  if (!options.dryRun) await removeDeadCheckouts(place.repository);
  const runs = await listOld(place, before);
  if (!options.dryRun) for (const run of runs) await remove(place, run);
  const facts = runs.map(({ id, folder, refs }) => ({ id, hasFolder: folder !== undefined, refs: refs.names }));
  io.writer.out(renderCleaning(facts, options.dryRun, options.older ?? DEFAULT_AGE));
  return 0;
}

/** Milliseconds; days may be more than a timer could wait. */
function readAge(text: string): number {
  const days = /^(\d+(?:\.\d+)?)d$/.exec(text)?.[1];
  if (days !== undefined) return Number(days) * DAY_MS;
  const reading = readDuration(text, { zero: true });
  if (reading.ok) return reading.ms;
  throw new UsageError('a setting has a bad value', {
    problems: [`--older: ${reading.problem.replace('90s, 15m or 8h', '30d or 12h')}`],
    cures: ['ralph clean --older 30d', 'take every run that has ended: ralph clean --older 0'],
  });
}

async function listOld({ repository }: Place, before: number): Promise<OldRun[]> {
  const { root, gitDir } = repository;
  const refs = await listRunRefs(repository);
  const here = listRuns(root);
  const unsettled = readTurn(gitDir)?.run;
  const isOld = (id: string, end: number): boolean => id !== unsettled && end <= before;
  const withFolder = here
    .map((id) => readRun(root, gitDir, id))
    .filter(({ id, status, folder }) => status !== 'running' && isOld(id, endOf(folder, id)))
    .map(({ id, folder }) => ({ id, folder, refs: refs.of(id) }));
  const orphans = refs.isShared ? [] : refs.runs.filter((id) => isRunId(id) && !here.includes(id));
  const refsOnly = orphans
    .filter((id) => isOld(id, startOf(id)))
    .map((id) => ({ id, folder: undefined, refs: refs.of(id) }));
  return [...withFolder, ...refsOnly].sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** When a run ended, in milliseconds since the epoch; of one that was cut off, when it began. */
function endOf(folder: string, id: string): number {
  try {
    const [, text] = /"finishedAt": "([^"]+)"/.exec(readFileSync(join(folder, 'run.json'), 'utf8')) ?? [];
    const end = Date.parse(text ?? '');
    return Number.isNaN(end) ? startOf(id) : end;
  } catch {
    return startOf(id);
  }
}

/** The time in a run's id. */
function startOf(id: string): number {
  return Date.parse(id.replace(/^(\d{4})(\d\d)(\d\d)-(\d\d)(\d\d)(\d\d)-(\d{3}).*$/, '$1-$2-$3T$4:$5:$6.$7Z'));
}

/** Refs first: a run that is half removed is found again by its folder. */
async function remove({ repository }: Place, { folder, refs }: OldRun): Promise<void> {
  await removeRunRefs(repository, refs);
  if (folder === undefined) return;
  try {
    removeFolder(folder);
  } catch (error) {
    throw new RalphError('environment', `${folder} can't be removed: ${messageOf(error)}`, {
      cures: [`chmod -R u+rwX ${quoteWord(folder)} && ralph clean`],
      cause: error,
    });
  }
}
