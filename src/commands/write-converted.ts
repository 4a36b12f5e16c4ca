import { readFile, realpath } from 'node:fs/promises';
import { branchIn } from '../archive/active.ts';
import { prepareArchive } from '../archive/store-archive.ts';
import { systemClock } from '../clock.ts';
import type { Resolved } from '../config/settings.ts';
import { mergePrd } from '../convert/merge-prd.ts';
import type { MergedPrd } from '../convert/merge-prd.ts';
import { printPrd } from '../convert/print-prd.ts';
import { UsageError } from '../errors.ts';
import type { PrdReading } from '../loop/ports.ts';
import { packageFile } from '../package-files.ts';
import { parsePrd } from '../prd/parse-prd.ts';
import { acquireLock } from '../run-folder/lock.ts';
import { readTurn } from '../run-folder/turn-file.ts';
import type { Place } from '../project/place.ts';
import { findStatePlace } from './state-place.ts';
import type { StatePlace } from './state-place.ts';
import { storePair } from './store-pair.ts';

/** What is to be done with the file in place, and the PRD that will be there. */
export interface Plan {
  /**
   * `new`: nothing is there. `same`: it holds this already. `merge`: the same feature. `other`: another feature, which goes
   * into the archive with its log. `aside`: only the old file is kept in the archive.
   */
  readonly kind: 'new' | 'same' | 'merge' | 'other' | 'aside';
  readonly reading: PrdReading;
  /** The bytes that the plan is about. */
  readonly old: Uint8Array | undefined;
  /** Whether something of the old file would be gone, so that it is kept. */
  readonly keepsOld: boolean;
  /** What would be done, for `--dry-run`. */
  readonly lines: readonly string[];
}

export interface PlanRequest {
  readonly place: Place;
  readonly state: StatePlace;
  readonly resolved: Resolved;
  readonly next: PrdReading;
  /** Absolute path of the file that was converted. */
  readonly source: string;
}

/** Decides what becomes of the old file. Throws UsageError where it is of the same feature and can't be read. Writes nothing. */
export async function planWriting({ place, state, resolved, next, source }: PlanRequest): Promise<Plan> {
  const old = await state.prd.raw();
  const plan = { reading: next, old, keepsOld: false, lines: [] };
  if (old === undefined) return { ...plan, kind: 'new' };
  const text = Buffer.from(old).toString('utf8');
  if (text === next.text) return { ...plan, kind: 'same' };
  if (await isExample(old)) return { ...plan, kind: 'new' };
  const path = state.prd.path;
  const aside = `the old ${path} goes into ${state.archive}/`;
  if (await isSameFile(source, state.prdFile)) return { ...plan, kind: 'aside', keepsOld: true, lines: [aside] };
  const branch = branchIn(text);
  if (branch === undefined || branch !== next.prd.branchName) {
    const isDefault =
      (await findStatePlace(place, { ...resolved, settings: { ...resolved.settings, prd: undefined } })).prdFile ===
      state.prdFile;
    const name = branch === undefined ? 'which names no branch' : `of ${branch}`;
    const line = `the old ${path}, ${name}, goes into ${state.archive}/${isDefault ? ' with its log' : ''}`;
    return { ...plan, kind: isDefault ? 'other' : 'aside', keepsOld: true, lines: [line] };
  }
  const before = readOld(text, path);
  const merged = mergePrd(before, next);
  const reading = parsePrd(printPrd(merged.prd), path);
  if (reading.text === text) return { ...plan, kind: 'same', reading };
  const keepsOld = merged.changed.length + merged.removed.length > 0;
  return { ...plan, kind: 'merge', reading, keepsOld, lines: [...describe(merged), ...(keepsOld ? [aside] : [])] };
}

function readOld(text: string, path: string): PrdReading {
  try {
    return parsePrd(text, path);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw new UsageError(`${path} is of the same feature, and can't be merged: ${error.message}`, {
      problems: error.problems,
      cures: ['mend it: ralph check', 'or write another file: -o <file>', 'or put it away first: ralph archive'],
      cause: error,
    });
  }
}

function describe({ kept, changed, added, removed }: MergedPrd): string[] {
  return [
    ...(kept.length === 0 ? [] : [`Kept with passes, notes and record: ${kept.join(', ')}`]),
    ...(changed.length === 0 ? [] : [`Changed, so open again: ${changed.join(', ')}`]),
    ...(added.length === 0 ? [] : [`New: ${added.join(', ')}`]),
    ...(removed.length === 0 ? [] : [`No longer in the document: ${removed.join(', ')}`]),
  ];
}

/** Does what was planned, under the lock. Returns what to say about the old file. Throws UsageError where it changed meanwhile. */
export async function writePlanned(
  plan: Plan,
  { place, state }: { place: Place; state: StatePlace },
): Promise<string[]> {
  const lock = await acquireLock({ gitDir: place.repository.gitDir });
  try {
    verifySettled(place);
    const now = await state.prd.raw();
    if (!isSameBytes(now, plan.old)) {
      throw new UsageError(`${state.prd.path} has changed meanwhile`, { cures: ['run ralph convert again'] });
    }
    if (plan.kind === 'same') return [];
    const lines = plan.kind === 'other' ? await storePair(place, state, { isReplaced: true }) : keepAside(plan, state);
    await state.prd.write(plan.reading);
    return [...lines, ...(plan.kind === 'merge' ? plan.lines.filter((line) => !line.startsWith('the old ')) : [])];
  } finally {
    lock.release();
  }
}

function keepAside({ old, keepsOld, reading }: Plan, { archive, archiveFolder, prd }: StatePlace): string[] {
  if (old === undefined || !keepsOld) return [];
  const branch = branchIn(Buffer.from(old).toString('utf8')) ?? reading.prd.branchName ?? '';
  const options = { at: systemClock.now(), finishes: false };
  const name = prepareArchive(archiveFolder, { branch, prd: old, log: undefined }, options).commit();
  return [`The old ${prd.path} is in ${archive}/${name}`];
}

/** What a killed run left is put in order by the next one, which would bring its own prd.json back. */
function verifySettled({ repository: { gitDir } }: Place): void {
  const turn = readTurn(gitDir);
  if (turn === undefined || !turn.repairs) return;
  throw new UsageError(`run ${turn.run} was cut off, and its last iteration is not put in order yet`, {
    cures: ['put it in order and go on, then convert: ralph run'],
  });
}

/** What `ralph init` made and nobody touched holds nothing of anybody's. */
async function isExample(bytes: Uint8Array): Promise<boolean> {
  return isSameBytes(bytes, await readFile(packageFile('prd.json.example')));
}

function isSameBytes(left: Uint8Array | undefined, right: Uint8Array | undefined): boolean {
  if (left === undefined || right === undefined) return left === right;
  return Buffer.compare(left, right) === 0;
}

async function isSameFile(one: string, other: string): Promise<boolean> {
  const paths = await Promise.all([one, other].map(async (path) => realpath(path).catch(() => path)));
  return paths[0] === paths[1];
}
