import { closeSync, fsyncSync, mkdirSync, openSync, renameSync } from 'node:fs';
import path from 'node:path';
import type { StopReason } from '../exit.ts';
import type { RalphEvent, Totals } from '../loop/events.ts';
import { writeFully } from './capture.ts';

/** `run.json` (contract, section 10): what a run is, and how it ended. Times are ISO 8601 in UTC. */
export interface RunRecord {
  readonly v: 1;
  readonly id: string;
  readonly pid: number;
  readonly status: 'running' | 'finished';
  readonly startedAt: string;
  readonly tool: string | null;
  readonly branch: string | null;
  readonly prd: string | null;
  readonly finishedAt: string | null;
  readonly reason: StopReason | null;
  readonly code: number | null;
  readonly totals: Totals | null;
}

/** The record after an event, or the same object where the event says nothing about it. */
export function recordAfter(record: RunRecord, event: RalphEvent): RunRecord {
  if (event.type === 'run.started') {
    return { ...record, tool: event.tool, branch: event.branch, prd: event.prd };
  }
  if (event.type !== 'run.finished') return record;
  const { at, reason, code, totals } = event;
  return { ...record, status: 'finished', finishedAt: at, reason, code, totals };
}

/** Writes the record so that a reader, or the next run after a power cut, sees the old or the new one, whole. */
export function writeRecord(folder: string, record: RunRecord): void {
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, 'run.json');
  const descriptor = openSync(`${file}.new`, 'w');
  try {
    writeFully(descriptor, Buffer.from(`${JSON.stringify(record, null, 2)}\n`));
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  renameSync(`${file}.new`, file);
}
