/**
 * A path as git gives it: each character stands for one byte. A file name need not be UTF-8, and a string made of bytes
 * goes through lists, maps and back into git unharmed. Separators are always `/`; relative to the root of the working tree.
 */
export type BytePath = string & { readonly __bytes: unique symbol };

export function bytePath(text: string): BytePath {
  return fromBytes(Buffer.from(text, 'utf8').toString('latin1'));
}

/** A string that holds one byte per character already: git's output read as latin1. */
export function fromBytes(latin1: string): BytePath {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the one place that gives the brand
  return latin1 as BytePath;
}

/** For people: bytes that are no UTF-8 become replacement characters. */
export function displayPath(path: BytePath): string {
  return Buffer.from(path, 'latin1').toString('utf8');
}

/** For the file system, which takes bytes. */
export function pathBytes(path: BytePath): Buffer {
  return Buffer.from(path, 'latin1');
}

/** Splits a NUL-separated list. */
export function splitNul(output: Buffer): BytePath[] {
  const text = output.toString('latin1');
  return text === '' ? [] : text.replace(/\0$/, '').split('\0').map(fromBytes);
}

/** Joins a NUL-terminated list for git's standard input. */
export function joinNul(records: readonly string[]): Buffer {
  return Buffer.from(records.map((record) => `${record}\0`).join(''), 'latin1');
}

/** Is the path this file, or inside this folder? Folders may be given with or without the final `/`. */
export function isWithin(path: BytePath, folder: BytePath): boolean {
  const base = folder.endsWith('/') ? folder.slice(0, -1) : folder;
  return path === base || path.startsWith(`${base}/`);
}

/** The same question for many files and folders: which of them is it, or is it in? Answers without a final `/`. */
export function finderAmong(folders: readonly BytePath[]): (path: BytePath) => BytePath | undefined {
  const known = new Set<string>(folders.map((folder) => (folder.endsWith('/') ? folder.slice(0, -1) : folder)));
  return (path) => {
    const whole = path.endsWith('/') ? path.slice(0, -1) : path;
    if (known.has(whole)) return fromBytes(whole);
    for (let at = whole.indexOf('/'); at >= 0; at = whole.indexOf('/', at + 1)) {
      if (known.has(whole.slice(0, at))) return fromBytes(whole.slice(0, at));
    }
    return undefined;
  };
}
