/** Time as the policies of this folder need it; a test brings its own. */
export interface Timers {
  /** Milliseconds of the wall clock, which may jump. */
  now(): number;
  /** Calls back once after `ms`; the returned function takes it back. */
  after(ms: number, callback: () => void): () => void;
}

/** A listener or an undoing that has nothing to do. */
export function nothing(): void {}

export const systemTimers: Timers = {
  now: () => Date.now(),
  after: (ms, callback) => {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
};
