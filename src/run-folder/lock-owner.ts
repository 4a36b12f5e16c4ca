import { hostname } from 'node:os';
import { bootedAt, lifeOf, parseIdentity } from '../process/identity.ts';
import type { ProcessIdentity } from '../process/identity.ts';

/** The content of a lock file. */
export interface LockOwner extends ProcessIdentity {
  readonly v: 1;
  /** Random: one taking of the lock. */
  readonly token: string;
  /** When it was taken, ISO 8601 in UTC. */
  readonly at: string;
}

/** For so long the last sign of life of an owner that can't be seen from here is believed. */
const BELIEVED_MS = 60_000;

/** Reads the text of a lock file; undefined for a half-written or foreign one. */
export function parseOwner(text: string): LockOwner | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const identity = parseIdentity(value);
    if (identity === undefined || typeof value !== 'object' || value === null) return undefined;
    const { token, at }: { token?: unknown; at?: unknown } = value;
    return typeof token === 'string' && typeof at === 'string' ? { v: 1, ...identity, token, at } : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Does the owner of a lock live? A process of this machine is asked for itself, however old its lock is. Of another host,
 * container or boot there is only the heartbeat (`beat` and `now` in milliseconds, by the same clock): a minute.
 */
export function isOwnerAlive(owner: LockOwner, beat: number, now: number): boolean {
  const life = lifeOf(owner);
  if (life !== 'elsewhere') return life === 'alive';
  // This host before it was started anew: nothing of that time lives.
  if (owner.host === hostname() && beat < bootedAt()) return false;
  return now - beat <= BELIEVED_MS;
}
