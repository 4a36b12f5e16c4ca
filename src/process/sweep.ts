import { readProcesses } from './process-table.ts';
import type { ProcessInfo, Wanted } from './types.ts';
import { systemTimers } from './timers.ts';
import type { Timers } from './timers.ts';
import type { KilledProcess } from './types.ts';

export interface SweepOptions {
  /** How long processes may take to end on TERM before KILL, in milliseconds. Default 1000. */
  readonly graceMs?: number;
  readonly timers?: Timers;
  /** The process table and the way to signal one process; for tests. */
  readonly read?: (wanted: Wanted) => readonly ProcessInfo[];
  readonly send?: (pid: number, signal: NodeJS.Signals) => void;
}

const GRACE_MS = 1_000;
/** For how long KILL is repeated, for processes that multiply. What is stuck in the kernel is left to it. */
const KILL_MS = 1_000;
const POLL_MS = 25;

/**
 * Stops every running process that carries exactly this run's RALPH_RUN_ID in its environment or belongs to the group: TERM,
 * then KILL. Bounded (about 2 s at most), and immediate where nothing is left. Returns what it found; never throws. This
 * process and its ancestors are never touched. The table is read again before every signal, so a pid that has become
 * somebody else's is not hit.
 */
export async function sweep(wanted: Wanted, options: SweepOptions = {}): Promise<KilledProcess[]> {
  const { timers = systemTimers, read = readProcesses, send = signalProcess, graceMs = GRACE_MS } = options;
  const found = new Map<number, KilledProcess>();
  const pass = (signal: NodeJS.Signals, again: boolean): boolean => {
    const left = read(wanted);
    for (const { pid, command } of left) {
      if (again || !found.has(pid)) send(pid, signal);
      if (!found.has(pid)) found.set(pid, { pid, command });
    }
    return left.length > 0;
  };
  const stubborn = await repeat(timers, graceMs, () => pass('SIGTERM', false));
  if (stubborn) await repeat(timers, KILL_MS, () => pass('SIGKILL', true));
  return [...found.values()];
}

/** Sends a signal to every process that carries the run's id, but for those in groups that have got it already, and helpers. */
export function signalCarriers(run: string, signal: NodeJS.Signals, served: ReadonlySet<number>): void {
  for (const { pid, group } of readProcesses({ run })) if (!served.has(group)) signalProcess(pid, signal);
}

/** The helpers (git) that run now. The answer KILLs those of them that still do: in the meantime a healthy one has ended. */
export function watchHelpers(run: string): () => void {
  const listHelpers = (): ProcessInfo[] => {
    const others = new Set(readProcesses({ run }).map(({ pid }) => pid));
    return readProcesses({ run, helpers: true }).filter(({ pid }) => !others.has(pid));
  };
  const before = new Set(listHelpers().map(({ pid }) => pid));
  return () => {
    for (const { pid } of before.size === 0 ? [] : listHelpers()) if (before.has(pid)) signalProcess(pid, 'SIGKILL');
  };
}

/** Does the step until it says that nothing is left, for at most so long. True where something still is. */
async function repeat(timers: Timers, ms: number, step: () => boolean): Promise<boolean> {
  for (let waited = 0; step(); waited += POLL_MS) {
    if (waited >= ms) return true;
    await new Promise<void>((resolve) => timers.after(POLL_MS, resolve));
  }
  return false;
}

function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // gone meanwhile, or not ours to signal
  }
}
