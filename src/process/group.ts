import { systemCodeOf } from '../errors.ts';
import { readProcesses } from './process-table.ts';
import { stopTree } from './spawn.ts';
import type { Timers } from './timers.ts';

/** Signals to send to a group, each so many milliseconds after the stop began. */
export type Ladder = readonly { readonly signal: NodeJS.Signals; readonly afterMs: number }[];

/** INT is the one signal on which coding agents end their own tools. Also the ladder of an interrupted run, for everything. */
export const agentLadder: Ladder = [
  { signal: 'SIGINT', afterMs: 0 },
  { signal: 'SIGTERM', afterMs: 5_000 },
  { signal: 'SIGKILL', afterMs: 8_000 },
];

export const commandLadder: Ladder = [
  { signal: 'SIGTERM', afterMs: 0 },
  { signal: 'SIGKILL', afterMs: 5_000 },
];

/** How long after KILL the pipes and then the wait for the leader are given up (a process stuck in the kernel stays). */
const RELEASE_AFTER_KILL_MS = 500;
const GIVE_UP_AFTER_KILL_MS = 1_000;

/** Sends a signal to every process of a group. False where none is left, or none that may be signalled. Windows has no groups: the tree is ended. */
export function signalGroup(group: number, signal: NodeJS.Signals): boolean {
  try {
    if (process.platform === 'win32') stopTree(group);
    else process.kill(-group, signal);
    return true;
  } catch (error) {
    if (systemCodeOf(error) !== undefined) return false;
    throw error;
  }
}

/** Is a process of the group still running? A zombie counts as dead: whoever reaps it may be slow. */
export function isGroupAlive(group: number): boolean {
  try {
    process.kill(-group, 0);
  } catch (error) {
    // EPERM: there is one, but it has changed its user.
    if (systemCodeOf(error) !== 'EPERM') return false;
  }
  return readProcesses({ group }).length > 0;
}

/** The stopping of one child: it runs, climbs a ladder, has been killed, or is over. */
export type StopState = 'running' | 'stopping' | 'killed' | 'over';

export interface GroupStop {
  state(): StopState;
  /** Starts the ladder. A ladder under way is kept: it ends no later than a new one would. */
  begin(ladder: Ladder): void;
  /** KILL, at once. */
  kill(): void;
  /** The child has ended: nothing is sent any more, since its group id may soon be somebody else's. */
  end(): void;
}

export interface GroupStopOptions {
  readonly timers: Timers;
  /** Sends to the whole group, also when its leader is gone. */
  readonly send: (signal: NodeJS.Signals) => void;
  /** After KILL: let go of pipes that somebody outside the group holds. */
  readonly release: () => void;
  /** After KILL, and still no end: stop waiting for it. */
  readonly giveUp: () => void;
}

/** The one way to stop a child: a ladder of signals to its group, KILL at the end, and no wait without an end. */
export function createGroupStop({ timers, send, release, giveUp }: GroupStopOptions): GroupStop {
  let state: StopState = 'running';
  let pending: (() => void)[] = [];
  const after = (ms: number, callback: () => void): void => {
    if (ms === 0) callback();
    else pending.push(timers.after(ms, callback));
  };
  const cancel = (): void => {
    for (const lift of pending) lift();
    pending = [];
  };
  const kill = (): void => {
    if (state === 'over') return;
    send('SIGKILL');
    if (state === 'killed') return;
    cancel();
    state = 'killed';
    after(RELEASE_AFTER_KILL_MS, release);
    after(GIVE_UP_AFTER_KILL_MS, giveUp);
  };
  const begin = (ladder: Ladder): void => {
    if (state !== 'running') return;
    state = 'stopping';
    for (const rung of ladder) after(rung.afterMs, rung.signal === 'SIGKILL' ? kill : () => send(rung.signal));
  };
  const end = (): void => {
    cancel();
    state = 'over';
  };
  return { state: () => state, begin, kill, end };
}
