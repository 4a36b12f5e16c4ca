/**
 * The only file that writes to standard output and standard error.
 *
 * A reader that goes away (`ralph | head -n 1`) is no reason to stop: from then on that stream swallows what it is given,
 * and the run goes on and writes its logs.
 */

/** What the writer needs of a stream; `process.stdout` and `process.stderr` are such. */
export interface Sink {
  write(data: string | Uint8Array, done: (error?: Error | null) => void): boolean;
  on(event: 'error', listener: (error: Error) => void): unknown;
  /** Bytes or characters that wait for their reader. */
  readonly writableLength?: number;
}

export interface Writer {
  /** Writes text to standard output as it is. Never throws, never waits. */
  readonly out: (text: string) => void;
  /** The same for bytes. False: nobody reads standard output any more, so there is no use in going on for its sake. */
  readonly outBytes: (bytes: Uint8Array) => boolean;
  /** Writes text to standard error as it is. Never throws, never waits. */
  readonly err: (text: string) => void;
  /** Waits until everything written so far has been handed over, at most `limitMs` (2 s). Never rejects. */
  readonly flush: (limitMs?: number) => Promise<void>;
}

export interface WriterOptions {
  readonly stdout: Sink;
  readonly stderr: Sink;
  /** A reader that lets more than this wait for it (64 MiB) loses what comes after, so that memory stays bounded. */
  readonly maxWaiting?: number;
}

const flushLimitMs = 2_000;
const defaultMaxWaiting = 64 * 1024 * 1024;
const lostNote =
  'ralph: the reader of the output is too slow; some of it is left out here, the run folder has all of it\n';

function ignore(): void {}

interface Channel {
  readonly write: (data: string | Uint8Array) => void;
  readonly isOpen: () => boolean;
  /** Resolves once nothing is pending. */
  readonly drained: () => Promise<void>;
}

/** Writes to the two streams of the process. Both get an error listener for their whole life. */
export function createWriter({ stdout, stderr, maxWaiting = defaultMaxWaiting }: WriterOptions): Writer {
  const err = openChannel(stderr, maxWaiting, ignore);
  // The note goes to standard error: with `--json` nothing but events may be on standard output.
  const out = openChannel(stdout, maxWaiting, () => err.write(lostNote));
  return {
    out: out.write,
    outBytes: (bytes) => {
      out.write(bytes);
      return out.isOpen();
    },
    err: err.write,
    flush: (limitMs = flushLimitMs) => within(limitMs, Promise.all([out.drained(), err.drained()])),
  };
}

function openChannel(sink: Sink, maxWaiting: number, onLost: () => void): Channel {
  let isOpen = true;
  let isLosing = false;
  let pending = 0;
  let waiters: (() => void)[] = [];

  function close(): void {
    isOpen = false;
    settle();
  }

  function settle(): void {
    const ready = waiters;
    waiters = [];
    for (const wake of ready) wake();
  }

  function send(data: string | Uint8Array): void {
    pending += 1;
    try {
      sink.write(data, (error) => {
        pending -= 1;
        if (error) close();
        else if (pending === 0) settle();
      });
    } catch {
      // A stream that was destroyed may throw instead of reporting; either way nobody reads it any more.
      pending -= 1;
      close();
    }
  }

  // Whatever the error is (EPIPE, EIO of a closed terminal, ENOSPC of a file), this stream is of no more use.
  sink.on('error', close);

  return {
    isOpen: () => isOpen,
    write(data) {
      if (!isOpen || data.length === 0) return;
      const wasLosing = isLosing;
      isLosing = (sink.writableLength ?? 0) > maxWaiting;
      if (!isLosing) send(data);
      else if (!wasLosing) onLost();
    },
    drained: () => (!isOpen || pending === 0 ? Promise.resolve() : new Promise((resolve) => waiters.push(resolve))),
  };
}

/** Waits for a promise, at most so many milliseconds. */
async function within(limitMs: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, limitMs);
  });
  await Promise.race([work, limit]);
  clearTimeout(timer);
}
