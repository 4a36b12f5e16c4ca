import { closeSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs';
import { marksOf } from './child-environment.ts';
import { parsePs, readPs } from './ps-table.ts';
import type { ProcessInfo, Wanted } from './types.ts';

const COMMAND_LENGTH = 200;

/**
 * Lists the running processes that are wanted, without this one and its ancestors. Synchronous, one pass (20 µs a process
 * on Linux). What can't be read (other users, already gone) is left out. Windows has no such table: an empty list.
 */
export function readProcesses(wanted: Wanted): ProcessInfo[] {
  if (process.platform === 'linux') return readProc(wanted);
  if (process.platform === 'win32') return [];
  return parsePs(readPs(), wanted, process.pid).map((row) => ({ ...row, command: oneLine(row.command) }));
}

function readProc({ run, helpers = false, group }: Wanted): ProcessInfo[] {
  const carries = run === undefined ? () => false : createMarkerTest(marksOf(run, helpers));
  const found: ProcessInfo[] = [];
  let own: ReadonlySet<number> | undefined;
  for (const name of readdirSync('/proc')) {
    const pid = Number(name);
    if (!Number.isInteger(pid)) continue;
    const marked = carries(pid);
    if (!marked && group === undefined) continue;
    const stat = readStat(pid);
    if (stat === undefined || !(marked || stat.group === group) || 'ZX'.includes(stat.state)) continue;
    own ??= ancestry();
    if (!own.has(pid)) found.push({ pid, group: stat.group, command: commandOf(pid) ?? stat.name });
  }
  return found;
}

/** Tests for exactly these variables: a longer id, or the text inside another variable, is another run's. */
function createMarkerTest(marks: readonly string[]): (pid: number) => boolean {
  const markers = marks.map((mark) => Buffer.from(`\0${mark}\0`));
  let buffer = Buffer.alloc(64 * 1024);
  return (pid) => {
    let file: number | undefined;
    try {
      file = openSync(`/proc/${pid}/environ`, 'r');
      let end = 1;
      for (;;) {
        const count = readSync(file, buffer, end, buffer.length - end - 1, null);
        end += count;
        if (end < buffer.length - 1) break;
        buffer = Buffer.concat([buffer], buffer.length * 2);
      }
      buffer[0] = 0;
      buffer[end] = 0;
      const environment = buffer.subarray(0, end + 1);
      return markers.some((marker) => environment.includes(marker));
    } catch {
      return false; // another user's, or gone
    } finally {
      if (file !== undefined) closeSync(file);
    }
  };
}

interface Stat {
  readonly name: string;
  readonly state: string;
  readonly parent: number;
  readonly group: number;
  /** When it started, in ticks since the boot: with the pid it names one process for ever. */
  readonly start: string;
}

/** `/proc/<pid>/stat`, or undefined where there is no such process. The name in brackets may hold anything. */
export function readStat(pid: number): Stat | undefined {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'latin1');
  } catch {
    return undefined;
  }
  const open = text.indexOf('(');
  const close = text.lastIndexOf(')');
  const [state = '', parent, group, ...rest] = text.slice(close + 2).split(' ');
  return {
    name: text.slice(open + 1, close),
    state,
    parent: Number(parent),
    group: Number(group),
    start: rest[16] ?? '',
  };
}

function ancestry(): ReadonlySet<number> {
  const own = new Set<number>();
  for (let pid = process.pid; pid > 0 && !own.has(pid); pid = readStat(pid)?.parent ?? 0) own.add(pid);
  return own;
}

function commandOf(pid: number): string | undefined {
  try {
    const line = oneLine(readFileSync(`/proc/${pid}/cmdline`, 'utf8'));
    return line === '' ? undefined : line;
  } catch {
    return undefined;
  }
}

/** A command line for people: control characters become blanks, at most 200 characters. */
export function oneLine(text: string): string {
  const line = text
    .slice(0, COMMAND_LENGTH * 4)
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim();
  return line.length <= COMMAND_LENGTH ? line : `${line.slice(0, COMMAND_LENGTH - 1)}…`;
}
