import { marksOf } from './child-environment.ts';
import { readOutput } from './spawn.ts';
import type { ProcessInfo, Wanted } from './types.ts';

/** What `ps` of macOS and the BSDs printed: the table, and command lines with the environment behind them. */
export interface PsOutput {
  /** `pid ppid pgid stat command`, one process a line. */
  readonly table: string;
  /** `pid command environment`. */
  readonly environments: string;
}

interface PsRow {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly state: string;
  readonly command: string;
}

/** Reads the process table where there is no /proc. The system shows the environment of the user's own processes only. */
export function readPs(): PsOutput {
  return {
    table: readOutput('ps', ['-A', '-ww', '-o', 'pid=,ppid=,pgid=,stat=,command=']),
    environments: readOutput('ps', ['-A', '-E', '-ww', '-o', 'pid=,command=']),
  };
}

/** The wanted processes of the table, without `self` and its ancestors, and without zombies. Command lines in full. */
export function parsePs(output: PsOutput, { run, helpers = false, group }: Wanted, self: number): ProcessInfo[] {
  const rows = rowsOf(output.table);
  const environments = run === undefined ? new Map<number, string>() : linesOf(output.environments);
  const carries = (row: PsRow): boolean => {
    const line = environments.get(row.pid);
    // Only what stands behind the command line is environment; an argument that looks like it is not.
    if (run === undefined || line === undefined || !line.startsWith(row.command)) return false;
    const environment = `${line.slice(row.command.length)} `;
    return marksOf(run, helpers).some((mark) => environment.includes(` ${mark} `));
  };
  const own = ancestryOf(rows, self);
  return [...rows.values()]
    .filter((row) => !row.state.startsWith('Z') && !own.has(row.pid) && (row.group === group || carries(row)))
    .map(({ pid, group: itsGroup, command }) => ({ pid, group: itsGroup, command }));
}

function rowsOf(table: string): Map<number, PsRow> {
  const rows = new Map<number, PsRow>();
  for (const line of table.split('\n')) {
    const match = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line);
    if (match === null) continue;
    const [, pid, parent, group, state = '', command = ''] = match;
    rows.set(Number(pid), { pid: Number(pid), parent: Number(parent), group: Number(group), state, command });
  }
  return rows;
}

function linesOf(text: string): Map<number, string> {
  const lines = new Map<number, string>();
  for (const line of text.split('\n')) {
    const match = /^\s*(\d+)\s+(.*)$/.exec(line);
    if (match !== null) lines.set(Number(match[1]), match[2] ?? '');
  }
  return lines;
}

function ancestryOf(rows: ReadonlyMap<number, PsRow>, self: number): ReadonlySet<number> {
  const own = new Set<number>();
  for (let pid = self; pid > 0 && !own.has(pid); pid = rows.get(pid)?.parent ?? 0) own.add(pid);
  return own;
}
