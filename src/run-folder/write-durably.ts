import { closeSync, fsyncSync, openSync, renameSync } from 'node:fs';
import { writeFully } from './capture.ts';

/** Old or new, also after a power cut: written beside, flushed to the disk, renamed. */
export function writeDurably(file: string, data: string | Uint8Array): void {
  const fresh = `${file}.new`;
  const descriptor = openSync(fresh, 'w');
  try {
    writeFully(descriptor, typeof data === 'string' ? Buffer.from(data) : data);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  renameSync(fresh, file);
}
