import { agentLadder, createGroupStop, signalGroup } from './group.ts';
import type { Ladder } from './group.ts';
import { createIdleClock } from './idle-clock.ts';
import type { Silence } from './idle-clock.ts';
import type { ChildRegistry } from './registry.ts';
import { startChild } from './spawn.ts';
import { sweep } from './sweep.ts';
import { nothing, systemTimers } from './timers.ts';
import type { Timers } from './timers.ts';
import type { ChildExit, ChildSpec, KilledProcess } from './types.ts';

/** Why a child was stopped; `none`: it ended by itself. */
export type Stopped = 'none' | 'timeout' | 'interrupted' | 'fatal-line' | Silence['why'];

/** What the reader of the output makes of it so far. */
export type Look = 'working' | 'result-seen' | 'fatal-line';

export interface WatchPolicy {
  /** How it is stopped: `agentLadder`, or `commandLadder` for gates, checks and hooks. A signal to ralph is always the agents'. */
  readonly ladder: Ladder;
  /** The run's; a child is not even started when it is aborted. */
  readonly signal: AbortSignal;
  /** The run whose leftovers are stopped after the end: its id is in the child's environment. */
  readonly run: string;
  readonly registry: ChildRegistry;
  /** No byte on stdout or stderr for so long; absent or 0: for ever. Milliseconds, like all here. */
  readonly idleMs?: number | undefined;
  /** For the child as a whole; absent or 0: for ever. */
  readonly timeoutMs?: number | undefined;
  /** Asked after every chunk. `result-seen`: 10 s of silence are enough from now on; `fatal-line`: stopped at once. */
  readonly look?: () => Look;
  /** Told once, directly after the start. */
  readonly onStart?: (pid: number) => void;
  readonly timers?: Timers;
}

export interface WatchedEnd {
  readonly stopped: Stopped;
  readonly exit: ChildExit;
  /** What outlived the child, in its group or with the run's id, and was stopped. */
  readonly killed: readonly KilledProcess[];
  readonly durationMs: number;
}

const RESULT_SILENCE_MS = 10_000;
/** What is left after an interrupt has had its signals: the run is to be over within 10 s. */
const GRACE_AFTER_INTERRUPT_MS = 200;

/**
 * Runs a child to its end, stops it where the policy says so, and stops what is left of its group and of the run. Used for
 * agents, gates, checks and hooks. Never rejects; every wait in it is bounded once the child is being stopped.
 */
export async function runWatched(spec: ChildSpec, policy: WatchPolicy): Promise<WatchedEnd> {
  const { signal, timers = systemTimers } = policy;
  if (signal.aborted) return { stopped: 'interrupted', exit: notStarted, killed: [], durationMs: 0 };
  const start = timers.now();
  const { exit, stopped, group } = await watch(spec, policy, timers);
  const grace = signal.aborted ? { graceMs: GRACE_AFTER_INTERRUPT_MS } : {};
  const killed = group === undefined ? [] : await sweep({ run: policy.run, group }, grace);
  return { stopped, exit, killed, durationMs: Math.max(0, timers.now() - start) };
}

const notStarted: ChildExit = { kind: 'failed', code: 'ABORT_ERR', message: 'not started: the run was interrupted' };

interface End {
  readonly exit: ChildExit;
  readonly stopped: Stopped;
  /** Undefined where it never started. */
  readonly group: number | undefined;
}

async function watch(spec: ChildSpec, policy: WatchPolicy, timers: Timers): Promise<End> {
  let stopped: Stopped | undefined;
  let onChunk = nothing;
  let onExit = nothing;
  const child = startChild({
    ...spec,
    onStdout: (chunk) => (spec.onStdout(chunk), onChunk()),
    onStderr: (chunk) => (spec.onStderr(chunk), onChunk()),
    onExit: () => (spec.onExit?.(), onExit()),
  });
  const { pid } = child;
  if (pid === undefined) return { exit: await child.exit, stopped: 'none', group: pid };

  const stuck = createGiveUp();
  const ladder = createGroupStop({
    timers,
    send: (name) => signalGroup(pid, name),
    release: () => child.release(),
    giveUp: stuck.settle,
  });
  const stop = (why: Stopped, rungs = policy.ladder): void => {
    stopped ??= why;
    ladder.begin(rungs);
  };
  const idle = createIdleClock(timers, () => silenceOf(policy), stop);
  const time = startTimeout(policy, timers, stop);
  const abort = followSignal(policy.signal, (rungs) => stop('interrupted', rungs));
  const remove = policy.registry.add({
    group: pid,
    begin: (rungs) => stop('interrupted', rungs),
    kill: () => ladder.kill(),
  });
  onChunk = () => {
    if (policy.look?.() === 'fatal-line') stop('fatal-line');
    if (stopped === undefined) idle.touch();
  };
  onExit = () => {
    // From here on only leftovers hold the pipes: whatever is stopped now, the child itself was not.
    stopped ??= 'none';
    idle.stop();
    time();
  };
  policy.onStart?.(pid);
  const exit = await Promise.race([child.exit, stuck.settled]);
  onExit();
  abort();
  remove();
  ladder.end();
  return { exit, stopped: stopped ?? 'none', group: pid };
}

/** For a child that outlives even KILL, stuck in the kernel. */
function createGiveUp(): { settle: () => void; settled: Promise<ChildExit> } {
  let settle = nothing;
  const settled = new Promise<ChildExit>((resolve) => {
    settle = () => resolve({ kind: 'signalled', signal: 'SIGKILL' });
  });
  return { settle, settled };
}

function silenceOf({ idleMs = 0, look }: WatchPolicy): Silence | undefined {
  if (look?.() === 'result-seen') return { ms: RESULT_SILENCE_MS, why: 'silent-after-result' };
  return idleMs > 0 ? { ms: idleMs, why: 'idle' } : undefined;
}

function startTimeout({ timeoutMs = 0 }: WatchPolicy, timers: Timers, stop: (why: Stopped) => void): () => void {
  return timeoutMs > 0 ? timers.after(timeoutMs, () => stop('timeout')) : nothing;
}

/** Calls back when the run is cut short, with the ladder where a signal to ralph did it: that one holds for all. */
function followSignal(signal: AbortSignal, stop: (ladder: Ladder | undefined) => void): () => void {
  const onAbort = (): void => stop(isSignalled(signal.reason) ? agentLadder : undefined);
  signal.addEventListener('abort', onAbort, { once: true });
  return () => signal.removeEventListener('abort', onAbort);
}

function isSignalled(reason: unknown): boolean {
  return typeof reason === 'object' && reason !== null && 'kind' in reason && reason.kind === 'signal';
}
