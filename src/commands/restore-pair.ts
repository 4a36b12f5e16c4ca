import { listNames, readPair } from '../archive/list-archives.ts';
import type { ArchivedPair } from '../archive/list-archives.ts';
import { branchIn, clearActive, saveActive } from '../archive/active.ts';
import { systemClock } from '../clock.ts';
import { suggest } from '../config/suggest.ts';
import { UsageError } from '../errors.ts';
import { writeFileAtomically } from '../json/write-file.ts';
import { decodeLog } from '../progress/log-bytes.ts';
import { hasEntries, readPatterns, startLog } from '../progress/log-text.ts';
import { cleanLine } from '../reporters/clean-text.ts';
import type { Place } from '../project/place.ts';
import { quoteWord } from '../shell-words.ts';
import type { StatePlace } from './state-place.ts';
import { storePair } from './store-pair.ts';

const SHOWN_NAMES = 20;

/**
 * Brings a pair back byte for byte; it stays in the archive as well. What is in its place, and would be lost, is archived
 * first. Returns what to say about it. Throws UsageError for an unknown name. Call it under the lock.
 */
export async function restorePair(place: Place, state: StatePlace, name: string): Promise<string[]> {
  const pair = findPair(state, name);
  if (await isInPlace(state, pair)) return [cleanLine(`${name} is in place already: nothing was changed`)];
  const stored = (await isWorthKeeping(state, pair)) ? await storePair(place, state, { withFreshLog: true }) : [];
  await putBack(state, pair);
  const { root } = place.repository;
  clearActive(root);
  if (pair.prd !== undefined) saveActive(root, { prd: state.prdFile, log: state.logFile });
  return [
    ...stored
      .filter((line) => line.startsWith('Archived'))
      .map((line) => `First ${line.toLowerCase().slice(0, 1)}${line.slice(1)}`),
    cleanLine(`Restored ${name}: ${describe(state, pair)}`),
    ...(pair.prd === undefined ? ['It holds no prd.json: there is none in place now'] : ['Go on with it: ralph run']),
  ];
}

function findPair({ archiveFolder, archive }: StatePlace, name: string): ArchivedPair {
  const names = listNames(archiveFolder);
  // Only what is listed is opened, so that no name leads out of the archive.
  if (!names.includes(name)) {
    const shown = names.slice(-SHOWN_NAMES).join(', ');
    throw new UsageError(`${archive} has no archive ${JSON.stringify(name)}`, {
      problems: [names.length === 0 ? 'there is none at all' : `the newest ones: ${shown}`],
      cures: names.length === 0 ? ['archive what is here: ralph archive'] : curesFor(name, names),
    });
  }
  const pair = readPair(archiveFolder, name);
  if (pair.prd === undefined && pair.log === undefined) {
    throw new UsageError(`${archive}/${name} holds neither prd.json nor progress.txt`, {
      cures: ['ralph archive list'],
    });
  }
  return pair;
}

/** Most type the feature and leave the date out. */
function curesFor(name: string, names: readonly string[]): string[] {
  const meant = (name === '' ? undefined : names.findLast((one) => one.includes(name))) ?? suggest(name, names);
  const cures = ['ralph archive list'];
  return meant === undefined ? cures : [`ralph archive restore ${quoteWord(meant)}`, ...cures];
}

async function isInPlace({ prd, log }: StatePlace, pair: ArchivedPair): Promise<boolean> {
  return isSame(await prd.raw(), pair.prd) && (pair.log === undefined || isSame(await log.raw(), pair.log));
}

function isSame(a: Uint8Array | undefined, b: Uint8Array | undefined): boolean {
  return a === undefined || b === undefined ? a === b : Buffer.from(a).equals(b);
}

/** A PRD is; and a log with entries, or with patterns that the other one doesn't have. */
async function isWorthKeeping({ prd, log }: StatePlace, pair: ArchivedPair): Promise<boolean> {
  if ((await prd.raw()) !== undefined) return true;
  const { text } = await log.read();
  const patterns = readPatterns(text);
  return hasEntries(text) || !(pair.log === undefined ? patterns : decodeLog(pair.log)).includes(patterns);
}

async function putBack(state: StatePlace, { prd, log }: ArchivedPair): Promise<void> {
  if (prd !== undefined) await writeFileAtomically(state.prdFile, prd, state.prd.path);
  if (log !== undefined) await writeFileAtomically(state.logFile, log, state.log.path);
  else {
    const branch = (prd === undefined ? undefined : branchIn(prd.toString('utf8'))) ?? '';
    const { text } = await state.log.read();
    await state.log.write(startLog({ branch, startedAt: systemClock.now() }, readPatterns(text)));
  }
}

function describe({ prd, log }: StatePlace, pair: ArchivedPair): string {
  return [...(pair.prd === undefined ? [] : [prd.path]), ...(pair.log === undefined ? [] : [log.path])].join(' and ');
}
