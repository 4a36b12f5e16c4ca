import { createHash, randomUUID } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { messageOf, RalphError, systemCodeOf } from '../errors.ts';
import { cureOfFolder } from '../folder-cure.ts';
import { identityOf } from '../process/identity.ts';
import { nothing, systemTimers } from '../process/timers.ts';
import type { Timers } from '../process/timers.ts';
import { isOwnerAlive, parseOwner } from './lock-owner.ts';
import type { LockOwner } from './lock-owner.ts';

export interface Lock {
  readonly owner: LockOwner;
  /** Gives the lock back, if it is still ours. Never throws. */
  release(): void;
}

export interface LockOptions {
  /** The git dir of the working tree: linked worktrees have one each. */
  readonly gitDir: string;
  readonly timers?: Timers;
  /** Told once when somebody else has taken the lock over: this process was away for longer than a minute. */
  readonly onLost?: () => void;
}

/** How often a holder shows that it lives, for other hosts; they wait a minute. */
const HEARTBEAT_MS = 15_000;
/** A lock file without sense this young may be one that is just being written. */
const WRITING_MS = 1_000;
const POLL_MS = 50;

/**
 * Takes `<git dir>/ralph/lock`. Of several processes at once exactly one gets it, also where all of them find the lock of a
 * dead one. Throws RalphError(locked), which names the pid of a living owner, or RalphError(environment) where the folder
 * can't be written.
 */
export async function acquireLock({ gitDir, timers = systemTimers, onLost = nothing }: LockOptions): Promise<Lock> {
  const file = lockFileOf(gitDir);
  const owner: LockOwner = { v: 1, ...identityOf(), token: randomUUID(), at: new Date(timers.now()).toISOString() };
  const text = `${JSON.stringify(owner)}\n`;
  try {
    mkdirSync(path.dirname(file), { recursive: true });
    const held = await take(file, text, timers);
    if (held !== undefined) throw lockedBy(held, file);
  } catch (error) {
    if (error instanceof RalphError) throw error;
    const cures = [cureOfFolder(path.dirname(file), error)];
    throw new RalphError('environment', `The lock can't be taken: ${messageOf(error)}`, { cures, cause: error });
  }
  const stop = startHeartbeat(file, text, timers, onLost);
  return {
    owner,
    release: () => {
      stop();
      giveBack(file, text);
    },
  };
}

function giveBack(file: string, text: string): void {
  try {
    if (read(file)?.text === text) rmSync(file, { force: true });
  } catch {
    // A lock that stays behind names a dead process, and the next run takes it over.
  }
}

/** The living owner of the lock of this working tree, if there is one. Reads only. */
export function readLock(gitDir: string): LockOwner | undefined {
  const found = read(lockFileOf(gitDir));
  const owner = found === undefined ? undefined : parseOwner(found.text);
  return found !== undefined && owner !== undefined && isOwnerAlive(owner, found.time, Date.now()) ? owner : undefined;
}

/** Throws RalphError(locked) where a living ralph works in this tree. Reads only. */
export function verifyUnlocked(gitDir: string): void {
  const owner = readLock(gitDir);
  if (owner !== undefined) throw lockedBy(owner, lockFileOf(gitDir));
}

function lockFileOf(gitDir: string): string {
  return path.join(gitDir, 'ralph', 'lock');
}

/**
 * Makes the file with this text, or returns its living owner. The lock of a dead owner is replaced under a lock of its own,
 * named after that very lock: whoever holds it, and still finds the dead owner's file, is the only one who may replace it.
 * Should that holder die as well, its lock is taken over in the same way.
 */
async function take(file: string, text: string, timers: Timers): Promise<LockOwner | undefined> {
  for (;;) {
    const now = create(file, text);
    if (now === undefined) return undefined;
    const found = read(file);
    if (found === undefined) continue; // just released
    const owner = parseOwner(found.text);
    if (owner !== undefined && isOwnerAlive(owner, found.time, now)) return owner;
    if (owner === undefined && Math.abs(now - found.time) < WRITING_MS) {
      await new Promise<void>((resolve) => timers.after(POLL_MS, resolve));
      continue;
    }
    const claim = `${file}.${createHash('sha256').update(found.text).digest('hex').slice(0, 12)}`;
    const rival = await take(claim, text, timers);
    if (rival !== undefined) return rival;
    const again = read(file);
    const same = again?.text === found.text && again.time === found.time;
    if (same) putInPlace(file, text);
    rmSync(claim, { force: true });
    if (same) return undefined;
  }
}

/** Makes the file whole, in one step. Returns undefined, or the time by the file system's clock where it exists already. */
function create(file: string, text: string): number | undefined {
  const fresh = writeBeside(file, text);
  const now = statSync(fresh).mtimeMs;
  try {
    linkSync(fresh, file);
    return undefined;
  } catch (error) {
    return systemCodeOf(error) === 'EEXIST' ? now : createWithoutLink(file, text, now);
  } finally {
    rmSync(fresh, { force: true });
  }
}

/** For file systems that know no hard links (exFAT, some network drives): made first, then written. */
function createWithoutLink(file: string, text: string, now: number): number | undefined {
  try {
    writeFileSync(file, text, { flag: 'wx' });
    return undefined;
  } catch (error) {
    if (systemCodeOf(error) === 'EEXIST') return now;
    throw error;
  }
}

function putInPlace(file: string, text: string): void {
  renameSync(writeBeside(file, text), file);
}

function writeBeside(file: string, text: string): string {
  const fresh = `${file}.${randomUUID()}.new`;
  writeFileSync(fresh, text);
  return fresh;
}

/** Shows again and again that the owner lives, until the returned function is called. */
function startHeartbeat(file: string, text: string, timers: Timers, onLost: () => void): () => void {
  let lift = nothing;
  const plan = (): void => {
    lift = timers.after(HEARTBEAT_MS, () => {
      if (show(file, text) === 'lost') onLost();
      else plan();
    });
  };
  plan();
  return () => lift();
}

function show(file: string, text: string): 'held' | 'lost' {
  try {
    const found = read(file);
    // The same text again: its time is then that of the file system's own clock.
    if (found?.text === text) writeFileSync(file, text, { flag: 'r+' });
    if (found === undefined) {
      mkdirSync(path.dirname(file), { recursive: true }); // an agent cleared the folder
      create(file, text);
    }
    return found === undefined || found.text === text ? 'held' : 'lost';
  } catch {
    return 'held'; // a failing disk shows elsewhere, and takes the lock from nobody
  }
}

function read(file: string): { text: string; time: number } | undefined {
  try {
    return { text: readFileSync(file, 'utf8'), time: statSync(file).mtimeMs };
  } catch (error) {
    // Where the folder is a file there is no lock either; who wants to make one is told.
    if (['ENOENT', 'ENOTDIR'].includes(systemCodeOf(error) ?? '')) return undefined;
    throw error;
  }
}

function lockedBy(owner: LockOwner, file: string): RalphError {
  const where = owner.host === identityOf().host ? '' : ` on ${owner.host}`;
  return new RalphError('locked', `Another ralph works in this tree: pid ${owner.pid}${where}, since ${owner.at}.`, {
    problems: [`Its lock is ${file}.`],
    cures: [
      'Let it end its iteration: ralph stop',
      'End it at once: ralph stop --now',
      'Work on another PRD in a linked worktree: git worktree add ../ralph-2',
    ],
  });
}
