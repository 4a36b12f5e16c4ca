import { chmodSync, existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { systemCodeOf } from '../errors.ts';

/** Folders that are read-only (a module cache that an agent brought) are made writable first. */
export function removeFolder(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch (error) {
    if (!['EACCES', 'EPERM', 'ENOTEMPTY'].includes(systemCodeOf(error) ?? '')) throw error;
    makeWritable(folder);
    rmSync(folder, { recursive: true, force: true });
  }
}

function makeWritable(folder: string): void {
  if (!existsSync(folder)) return;
  chmodSync(folder, 0o700);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) makeWritable(join(folder, entry.name));
  }
}
