import { closeSync, fsyncSync, openSync, renameSync, writeSync } from 'node:fs';

/** Old or new, also after a power cut: written beside, flushed to the disk, renamed. */
export function writeDurably(file: string, text: string): void {
  const fresh = `${file}.new`;
  const descriptor = openSync(fresh, 'w');
  try {
    writeSync(descriptor, text);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  renameSync(fresh, file);
}
