import { closeSync, fstatSync, mkdirSync, openSync, readSync, renameSync, statSync } from 'node:fs';
import path from 'node:path';
import { writeFully } from './capture.ts';

/** The file of events, one line each. */
export interface Journal {
  /** Appends one line. Throws where the disk refuses; the next line then starts on a line of its own. */
  append(line: string): void;
  /** Brings the file back, with every line so far, where somebody deleted or replaced it. */
  ensure(): void;
  close(): void;
}

const BLOCK = 1024 * 1024;

/**
 * Opens `events.jsonl` for appending, synchronously, line by line. The file is held open: when an agent deletes it (or the
 * whole folder), its bytes are still there to be copied to a new file, so no second copy and no memory is needed.
 * `beforeRestore` puts the folder around it in order.
 */
export function openJournal(file: string, beforeRestore: () => void): Journal {
  mkdirSync(path.dirname(file), { recursive: true });
  let descriptor = openSync(file, 'a+');
  let size = fstatSync(descriptor).size;

  const restore = (): void => {
    beforeRestore();
    mkdirSync(path.dirname(file), { recursive: true });
    const fresh = openSync(`${file}.new`, 'w');
    try {
      copyAll(descriptor, fresh);
    } finally {
      closeSync(fresh);
    }
    renameSync(`${file}.new`, file);
    const reopened = openSync(file, 'a+');
    closeSync(descriptor);
    descriptor = reopened;
    size = fstatSync(descriptor).size;
  };
  const append = (line: string): void => {
    const now = fstatSync(descriptor);
    if (now.nlink === 0) restore();
    // Somebody else wrote, or a full disk took half a line: what follows is to be readable.
    else if (now.size !== size && !endsLine(descriptor, now.size)) writeFully(descriptor, Buffer.from('\n'));
    try {
      writeFully(descriptor, Buffer.from(`${line}\n`));
      size = fstatSync(descriptor).size;
    } catch (error) {
      size = -1;
      throw error;
    }
  };
  const ensure = (): void => {
    const ours = fstatSync(descriptor);
    const there = statSync(file, { throwIfNoEntry: false });
    if (there === undefined || there.ino !== ours.ino || there.dev !== ours.dev) restore();
  };
  return { append, ensure, close: () => closeSync(descriptor) };
}

function endsLine(descriptor: number, size: number): boolean {
  const last = Buffer.alloc(1);
  return size === 0 || (readSync(descriptor, last, 0, 1, size - 1) === 1 && last[0] === 0x0a);
}

function copyAll(from: number, to: number): void {
  const buffer = Buffer.allocUnsafe(BLOCK);
  for (let at = 0; ;) {
    const count = readSync(from, buffer, 0, buffer.length, at);
    if (count === 0) return;
    writeFully(to, buffer.subarray(0, count));
    at += count;
  }
}
