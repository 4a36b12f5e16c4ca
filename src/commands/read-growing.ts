import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

const BLOCK = 256 * 1024;
const LOOK_MS = 200;

/**
 * The bytes of a file in pieces, from its start. While `isGrowing` says so, what is appended comes as well; then the rest.
 * One piece is in memory at a time. A file that isn't there has none.
 */
export async function* readGrowing(file: string, isGrowing: () => boolean): AsyncGenerator<Buffer> {
  let descriptor: number;
  try {
    descriptor = openSync(file, 'r');
  } catch {
    return;
  }
  try {
    let at = 0;
    for (;;) {
      // Asked before reading: what came until it ended is still read.
      const mayGrow = isGrowing();
      for (let piece = readAt(descriptor, at); piece.length > 0; piece = readAt(descriptor, at)) {
        at += piece.length;
        yield piece;
      }
      if (!mayGrow) return;
      await pause();
    }
  } finally {
    closeSync(descriptor);
  }
}

function readAt(descriptor: number, at: number): Buffer {
  if (at >= fstatSync(descriptor).size) return Buffer.alloc(0);
  const buffer = Buffer.allocUnsafe(BLOCK);
  return buffer.subarray(0, readSync(descriptor, buffer, 0, BLOCK, at));
}

/** How often a growing file, or a run that has nothing to show yet, is looked at again. */
export async function pause(): Promise<void> {
  await new Promise((resolve) => {
    setTimeout(resolve, LOOK_MS);
  });
}
