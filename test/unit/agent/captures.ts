import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = new URL('../../fixtures/agent/', import.meta.url);

/** Recorded output of real agents, ids replaced. */
export const captures: readonly string[] = readdirSync(fileURLToPath(folder)).map((file) =>
  file.replace(/\.jsonl$/, ''),
);

export function readCapture(name: string): Buffer {
  return readFileSync(new URL(`${name}.jsonl`, folder));
}
