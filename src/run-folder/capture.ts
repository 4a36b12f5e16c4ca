import { closeSync, fstatSync, mkdirSync, openSync, readSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import path from 'node:path';

/** A log file of bounded size that is byte exact at both ends. */
export interface Capture {
  write(chunk: Uint8Array): void;
  /** Puts the file in order. Nothing is taken any more. */
  close(): void;
}

export interface CaptureOptions {
  /** Bytes kept from the start. Default 8 MiB. */
  readonly head?: number;
  /** Bytes kept from the end. Default 56 MiB. */
  readonly tail?: number;
  /** Told the first error (disk full…), once; the rest of the log is then dropped. */
  readonly onError: (error: unknown) => void;
}

const MIB = 1024 * 1024;

/**
 * Opens a new file (throws `EEXIST` where there is one) that keeps the first 8 MiB and the last 56 MiB of what is written,
 * with a line between them that says how much was left out. Up to the sum of both it is a plain file that can be followed;
 * beyond it the part behind the head is a ring, put in order at the end. Writes are synchronous: a slow disk slows the
 * writer down instead of filling the memory. `write` and `close` never throw.
 */
export function openCapture(file: string, options: CaptureOptions): Capture {
  const { head = 8 * MIB, tail = 56 * MIB, onError } = options;
  const descriptor = openSync(file, 'wx+', 0o644);
  let state: 'open' | 'broken' | 'closed' = 'open';
  let total = 0;

  const attempt = (step: () => void): void => {
    try {
      step();
    } catch (error) {
      if (state === 'open') onError(error);
      state = 'broken';
    }
  };
  const write = (chunk: Uint8Array): void => {
    if (state !== 'open') return;
    attempt(() => {
      for (let done = 0; done < chunk.length;) {
        const at = placeOf(total, head, tail);
        const count = writeSync(descriptor, chunk, done, Math.min(chunk.length - done, at.room), at.position);
        done += count;
        total += count;
      }
    });
  };
  const close = (): void => {
    if (state === 'closed') return;
    attempt(() => {
      if (total > head + tail || !isSameFile(descriptor, file)) rewrite(descriptor, file, piecesOf(total, head, tail));
    });
    closeSync(descriptor);
    state = 'closed';
  };
  return { write, close };
}

/** Where the byte with this number goes, and how many fit from there on. */
function placeOf(number: number, head: number, tail: number): { position: number; room: number } {
  if (number < head) return { position: number, room: head + tail - number };
  const inRing = (number - head) % tail;
  return { position: head + inRing, room: tail - inRing };
}

/** Parts of the file in their right order, as [start, end), and the line that stands for what is missing. */
type Piece = { kind: 'bytes'; start: number; end: number } | { kind: 'text'; text: string };

function piecesOf(total: number, head: number, tail: number): Piece[] {
  if (total <= head + tail) return [{ kind: 'bytes', start: 0, end: total }];
  const seam = head + ((total - head) % tail);
  return [
    { kind: 'bytes', start: 0, end: head },
    { kind: 'text', text: `\n[ralph: ${total - head - tail} bytes left out here]\n` },
    { kind: 'bytes', start: seam, end: head + tail },
    { kind: 'bytes', start: head, end: seam },
  ];
}

/** Is the open file still the one at the path? An agent may have deleted the folder. */
function isSameFile(descriptor: number, file: string): boolean {
  const there = statSync(file, { throwIfNoEntry: false });
  const ours = fstatSync(descriptor);
  return there !== undefined && there.ino === ours.ino && there.dev === ours.dev;
}

/** Writes the pieces to a new file and puts that in the place of the old one. */
function rewrite(descriptor: number, file: string, pieces: readonly Piece[]): void {
  mkdirSync(path.dirname(file), { recursive: true });
  const fresh = `${file}.new`;
  const target = openSync(fresh, 'w', 0o644);
  try {
    for (const piece of pieces) {
      if (piece.kind === 'bytes') copyBytes(descriptor, target, piece.start, piece.end);
      else writeFully(target, Buffer.from(piece.text));
    }
  } catch (error) {
    // The ring holds everything that was kept; better out of order than gone.
    rmSync(fresh, { force: true });
    throw error;
  } finally {
    closeSync(target);
  }
  renameSync(fresh, file);
}

function copyBytes(from: number, to: number, start: number, end: number): void {
  const buffer = Buffer.allocUnsafe(Math.min(MIB, Math.max(1, end - start)));
  for (let at = start; at < end;) {
    const count = readSync(from, buffer, 0, Math.min(buffer.length, end - at), at);
    if (count === 0) return;
    writeFully(to, buffer.subarray(0, count));
    at += count;
  }
}

/** Writes all of it at the end of a file: the system may take less than it is given. */
export function writeFully(descriptor: number, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length;) done += writeSync(descriptor, bytes, done);
}
