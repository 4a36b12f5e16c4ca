import { closeSync, fstatSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs';
import path from 'node:path';
import { runsFolderOf } from './ignored-folders.ts';
import { readLock } from './lock.ts';
import { isRunId } from './run-id.ts';

/** A run as `ralph status` tells of it. */
export interface RunStatus {
  readonly id: string;
  readonly status: 'running' | 'finished' | 'crashed';
  readonly reason: string | null;
  readonly code: number | null;
  /** The newest iteration it came to, and that one's story. */
  readonly iteration: number | null;
  readonly story: string | null;
  /** Absolute path of its folder. */
  readonly folder: string;
}

type Fields = ReadonlyMap<string, unknown>;

const BLOCK = 64 * 1024;
/** An event holds at most 16 KiB of text, which JSON can make six times as long. */
const LOOK_BACK = 1024 * 1024;

/** The ids of all runs of this working tree, oldest first. Other things in the folder are left out; no folder, no runs. */
export function listRuns(root: string): string[] {
  try {
    return readdirSync(runsFolderOf(root)).filter(isRunId).sort();
  } catch {
    return [];
  }
}

/** The newest run, or null where there is none. Reads only, and takes half-written files as a crash or a writer leaves them. */
export function readNewestRun(root: string, gitDir: string): RunStatus | null {
  const id = listRuns(root).at(-1);
  return id === undefined ? null : readRun(root, gitDir, id);
}

/** One run. It is `running` only while its own process lives and holds the lock. */
export function readRun(root: string, gitDir: string, id: string): RunStatus {
  const folder = path.join(runsFolderOf(root), id);
  const record = readRecord(path.join(folder, 'run.json'));
  const events = readLastEvents(path.join(folder, 'events.jsonl'));
  const end = events.find((event) => event.get('type') === 'run.finished');
  const place = events.find((event) => typeof event.get('iteration') === 'number' && event.get('iteration') !== 0);
  const finished = record?.get('status') === 'finished' ? record : end;
  return {
    id,
    status: finished !== undefined ? 'finished' : holdsLock(record, gitDir) ? 'running' : 'crashed',
    reason: textOf(finished?.get('reason')),
    code: numberOf(finished?.get('code')),
    iteration: numberOf(place?.get('iteration')),
    story: textOf(place?.get('story')),
    folder,
  };
}

function holdsLock(record: Fields | undefined, gitDir: string): boolean {
  const owner = readLock(gitDir);
  const startedAt = textOf(record?.get('startedAt'));
  // The lock is taken before the run begins; a later one is another process with the same pid (common in containers).
  return owner !== undefined && record?.get('pid') === owner.pid && startedAt !== null && owner.at <= startedAt;
}

function readRecord(file: string): Fields | undefined {
  try {
    return fieldsOf(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/** The events at the end of the file, newest first: as far back as the newest one that belongs to an iteration. */
function readLastEvents(file: string): Fields[] {
  let descriptor: number;
  try {
    descriptor = openSync(file, 'r');
  } catch {
    return [];
  }
  try {
    const { size } = fstatSync(descriptor);
    for (let length = BLOCK; ; length *= 4) {
      const events = parseLines(readEnd(descriptor, size, length));
      const enough = events.some((event) => event.has('iteration'));
      if (enough || length >= size || length >= LOOK_BACK) return events;
    }
  } finally {
    closeSync(descriptor);
  }
}

function readEnd(descriptor: number, size: number, length: number): string {
  const buffer = Buffer.alloc(Math.min(size, length));
  const count = readSync(descriptor, buffer, 0, buffer.length, size - buffer.length);
  return buffer.toString('utf8', 0, count);
}

/** Lines that are no JSON object (the first one, cut; the last one, half-written) are left out. */
function parseLines(text: string): Fields[] {
  return text
    .split('\n')
    .reverse()
    .flatMap((line) => fieldsOf(line) ?? []);
}

function fieldsOf(text: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? new Map<string, unknown>(Object.entries(value)) : undefined;
  } catch {
    return undefined;
  }
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}
