import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { messageOf, RalphError, systemCodeOf } from '../errors.ts';
import { cureOfFolder } from '../folder-cure.ts';
import type { RunFolder } from '../loop/ports.ts';
import type { OpenLog } from '../process/types.ts';
import { clearWay } from './clear-way.ts';
import { createEmitter } from './emitter.ts';
import type { EventListener } from './emitter.ts';
import { ensureIgnoredFolders, runsFolderOf } from './ignored-folders.ts';
import { createIterationFiles } from './iteration-files.ts';
import { openJournal } from './journal.ts';
import { createRunId } from './run-id.ts';
import { recordAfter, writeRecord } from './run-record.ts';
import type { RunRecord } from './run-record.ts';
import { readStopRequest } from './stop-request.ts';
import type { StopRequest } from './stop-request.ts';

export interface RunFolderOptions {
  /** The root of the working tree. */
  readonly root: string;
  readonly clock: { now(): number };
  /** For run.json, until `run.started` says it. */
  readonly tool?: string;
  readonly branch?: string;
  readonly prd?: string;
  /** Four characters for the id. */
  readonly random?: () => string;
}

export interface OpenRunFolder extends RunFolder {
  /** Absolute path of the folder of this run. */
  readonly path: string;
  readonly openLog: OpenLog;
  /** Absolute path of the folder of an iteration (0: the start), which is made if it isn't there. */
  readonly folderOf: (iteration: number) => string;
  readonly onEvent: (listener: EventListener) => () => void;
  /** Once asked, a request holds, even if its file goes. */
  readonly stopRequest: () => StopRequest;
  /** The first error while writing anything here (disk full…): the run is to end with `environment`. */
  readonly problem: () => Error | undefined;
  readonly close: () => void;
}

/**
 * Makes `.ralph/runs/<run>/` with its `run.json` and `events.jsonl`. Throws RalphError(environment) where that can't be done;
 * from then on nothing throws: the first error is kept for `problem`. `run.json` follows the events `run.started` and
 * `run.finished`.
 */
export function createRunFolder(options: RunFolderOptions): OpenRunFolder {
  const { root, clock } = options;
  return refusing(root, () => {
    const run = makeFolder(options);
    const folder = path.join(runsFolderOf(root), run);
    ensureIgnoredFolders(root, folder);
    const record = firstRecord(run, new Date(clock.now()).toISOString(), options);
    writeRecord(folder, record);
    return openFolder(options, folder, record);
  });
}

function openFolder({ root, clock }: RunFolderOptions, folder: string, first: RunRecord): OpenRunFolder {
  let record = first;
  let problem: Error | undefined;
  const onError = (error: unknown): void => {
    problem ??= error instanceof Error ? error : new Error(messageOf(error));
  };
  const attempt = (step: () => void): void => {
    try {
      step();
    } catch (error) {
      onError(error);
    }
  };
  const mend = (): void => {
    clearWay(root, folder);
    ensureIgnoredFolders(root, folder);
    if (!existsSync(path.join(folder, 'run.json'))) writeRecord(folder, record);
  };
  const journal = openJournal(path.join(folder, 'events.jsonl'), mend);
  const files = createIterationFiles(root, folder, onError);
  const { emit, listen } = createEmitter(record.id, clock, (event, line) => {
    attempt(() => journal.append(line));
    const after = recordAfter(record, event);
    if (after === record) return;
    record = after;
    attempt(() => writeRecord(folder, after));
  });
  const stopRequest = createStopLatch(folder);
  return {
    run: record.id,
    path: folder,
    emit,
    ensure: async () => {
      attempt(mend);
      attempt(() => journal.ensure());
    },
    keep: async (iteration, name, data) => files.keep(iteration, name, data),
    openLog: files.openLog,
    folderOf: files.folderOf,
    onEvent: listen,
    stopRequest,
    stopRequested: () => stopRequest() !== 'none',
    problem: () => problem,
    close: () => attempt(() => journal.close()),
  };
}

function createStopLatch(folder: string): () => StopRequest {
  let request: StopRequest = 'none';
  return () => {
    const asked = request === 'now' ? 'now' : readStopRequest(folder);
    if (asked !== 'none') request = asked;
    return request;
  };
}

function firstRecord(id: string, startedAt: string, { tool, branch, prd }: RunFolderOptions): RunRecord {
  const end = { finishedAt: null, reason: null, code: null, totals: null };
  const what = { tool: tool ?? null, branch: branch ?? null, prd: prd ?? null };
  return { v: 1, id, pid: process.pid, status: 'running', startedAt, ...what, ...end };
}

/** Makes a folder with a new name; two runs in the same millisecond get two. */
function makeFolder({ root, clock, random }: RunFolderOptions): string {
  mkdirSync(runsFolderOf(root), { recursive: true });
  for (;;) {
    const run = createRunId(clock.now(), random);
    try {
      mkdirSync(path.join(runsFolderOf(root), run));
      return run;
    } catch (error) {
      if (systemCodeOf(error) !== 'EEXIST') throw error;
    }
  }
}

function refusing<T>(root: string, step: () => T): T {
  try {
    return step();
  } catch (error) {
    const cures = [cureOfFolder(runsFolderOf(root), error)];
    throw new RalphError('environment', `The folder of this run can't be made: ${messageOf(error)}`, {
      cures,
      cause: error,
    });
  }
}
