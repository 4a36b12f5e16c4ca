import { resolve } from 'node:path';
import { UsageError } from '../errors.ts';
import { decodeUtf8, readBytes } from '../json/read-file.ts';
import { writeFileAtomically } from '../json/write-file.ts';
import type { PrdFile, PrdReading } from '../loop/ports.ts';
import { comparePrd } from './compare.ts';
import type { PrdRemains } from './compare.ts';
import { editPrd } from './edit-prd.ts';
import { parsePrd } from './parse-prd.ts';

/**
 * The prd.json at `path`, which is relative to `root` (the root of the working tree) or absolute. Each reading holds the
 * text it was made from.
 */
export function createPrdFile({ root, path }: { root: string; path: string }): PrdFile {
  const file = resolve(root, path);
  // The same text makes the same reading: a long list is taken apart once for the several looks of an iteration.
  let last: PrdReading | undefined;
  return {
    path,
    read: async () => (last = await readPrd(file, path, last)),
    compare: async (before) => comparePrd(before, await readRemains(file, path)),
    edit: (before, changes) => (last = editPrd(before, changes, path)),
    write: async (reading) => {
      await writeFileAtomically(file, reading.text, path);
    },
    raw: async () => {
      const content = await readBytes(file, path);
      return content.kind === 'file' ? content.bytes : undefined;
    },
  };
}

async function readPrd(file: string, name: string, last: PrdReading | undefined): Promise<PrdReading> {
  const content = await readBytes(file, name);
  switch (content.kind) {
    case 'missing':
      throw new UsageError(`${name} does not exist`, {
        problems: [`looked for ${file}`],
        cures: ['make one from the example: ralph init', 'or name another one with --prd <file>'],
      });
    case 'folder':
      throw new UsageError(`${name} is a folder, not a file`, { cures: ['--prd <file> names the file'] });
    case 'file': {
      const text = decodeUtf8(content.bytes);
      if (text === undefined) throw notUtf8(content.bytes, name);
      return text === last?.text ? last : parsePrd(text, name);
    }
  }
}

function notUtf8(bytes: Uint8Array, name: string): UsageError {
  const [first, second] = bytes;
  const isUtf16 = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  const found = isUtf16 ? 'it is UTF-16' : `the first bytes that are not UTF-8 are in line ${lineOfDamage(bytes)}`;
  return new UsageError(`${name} is not UTF-8 text`, { problems: [`${name}: ${found}`], cures: ['save it as UTF-8'] });
}

/** The line of the first bytes that are no UTF-8. */
function lineOfDamage(bytes: Uint8Array): number {
  let line = 1;
  for (let start = 0; start < bytes.length; line += 1) {
    const end = bytes.indexOf(0x0a, start);
    if (end === -1 || decodeUtf8(bytes.subarray(start, end)) === undefined) return line;
    start = end + 1;
  }
  return line;
}

/** An agent may have left anything there; what can't be read counts as gone. */
async function readRemains(file: string, name: string): Promise<PrdRemains> {
  const content = await readBytes(file, name).catch(() => ({ kind: 'missing' as const }));
  switch (content.kind) {
    case 'missing':
      return { kind: 'gone' };
    case 'folder':
      return { kind: 'folder' };
    case 'file': {
      const text = decodeUtf8(content.bytes);
      return text === undefined ? { kind: 'no-utf8' } : { kind: 'text', text };
    }
  }
}
