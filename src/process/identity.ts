import { readFileSync, readlinkSync } from 'node:fs';
import { hostname, uptime } from 'node:os';
import { systemCodeOf } from '../errors.ts';
import { readStat } from './process-table.ts';
import { readOutput } from './spawn.ts';

/** What tells one process from every other, also from a later one with the same pid. */
export interface ProcessIdentity {
  readonly pid: number;
  /** When it started, in the system's own terms; empty where that can't be told. */
  readonly start: string;
  /** The boot it belongs to; empty where the system names none. */
  readonly boot: string;
  readonly host: string;
  /** The container (pid namespace) in which the pid is meant; empty where there are none. */
  readonly space: string;
}

/** Who a running process of this machine is; without a pid: who we are. */
export function identityOf(pid: number = process.pid): ProcessIdentity {
  return { pid, start: startOf(pid), ...machine() };
}

/** Reads an identity back from JSON; undefined for anything else. */
export function parseIdentity(value: unknown): ProcessIdentity | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const fields = new Map<string, unknown>(Object.entries(value));
  const text = (name: string): string => {
    const field = fields.get(name);
    return typeof field === 'string' ? field : '';
  };
  const pid = fields.get('pid');
  if (typeof pid !== 'number' || !Number.isInteger(pid) || pid <= 0 || text('host') === '') return undefined;
  return { pid, start: text('start'), boot: text('boot'), host: text('host'), space: text('space') };
}

/**
 * Does this process live? `elsewhere`: on another host, or in another container, or before or after another boot, so that
 * its pid says nothing here. A zombie is dead; a pid that was given to another process since then is `dead`, too.
 */
export function lifeOf(identity: ProcessIdentity): 'alive' | 'dead' | 'elsewhere' {
  const here = machine();
  // The id of the boot names the machine; its host name may change while it runs.
  const sameMachine = here.boot === '' ? identity.host === here.host : identity.boot === here.boot;
  if (!sameMachine || identity.space !== here.space) return 'elsewhere';
  if (!isPidTaken(identity.pid)) return 'dead';
  const start = startOf(identity.pid);
  if (start === 'over') return 'dead';
  // What can't be told (a process of another user may be hidden) speaks for the owner.
  return start === '' || identity.start === '' || start === identity.start ? 'alive' : 'dead';
}

/** When this machine was started, in milliseconds since the epoch. */
export function bootedAt(): number {
  return Date.now() - uptime() * 1_000;
}

/** When a process started; empty where that can't be told; `over` for a zombie. */
function startOf(pid: number): string {
  if (process.platform === 'win32') return '';
  const stat = process.platform === 'linux' ? readStat(pid) : readStatByPs(pid);
  if (stat === undefined) return '';
  return 'ZX'.includes(stat.state.charAt(0)) ? 'over' : stat.start;
}

function readStatByPs(pid: number): { state: string; start: string } | undefined {
  const match = /^(\S+)\s+(.+)$/.exec(readOutput('ps', ['-p', String(pid), '-o', 'stat=,lstart=']).trim());
  return match === null ? undefined : { state: match[1] ?? '', start: match[2] ?? '' };
}

function machine(): Omit<ProcessIdentity, 'pid' | 'start'> {
  const boot = attempt(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim());
  return { boot, host: hostname(), space: attempt(() => readlinkSync('/proc/self/ns/pid')) };
}

function attempt(read: () => string): string {
  try {
    return read();
  } catch {
    return ''; // not Linux
  }
}

function isPidTaken(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return systemCodeOf(error) === 'EPERM';
  }
}
