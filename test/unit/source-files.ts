/** The sources as the tests of the layout read them. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/* Imports are read with a regular expression: our own formatter writes them one way. */

const source = path.resolve(import.meta.dirname, '../../src');

interface Import {
  readonly to: string;
  readonly isType: boolean;
}

export interface SourceFile {
  /** From src, with `/`. */
  readonly name: string;
  readonly text: string;
  readonly imports: readonly Import[];
}

export const files: readonly SourceFile[] = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => name.split(path.sep).join('/'))
  .toSorted()
  .map((name) => {
    const text = readFileSync(path.join(source, name), 'utf8');
    return { name, text, imports: readImports(name, text) };
  });

function readImports(name: string, text: string): Import[] {
  const fixed = text.matchAll(/^(?:import|export)\s+(type\s)?(?:[^'";]*?\sfrom\s+)?'([^']+)';/gm);
  const dynamic = text.matchAll(/\bimport\(\s*'([^']+)'/g);
  return [
    ...[...fixed].map(([, type, to = '']) => ({ to: resolve(name, to), isType: type !== undefined })),
    ...[...dynamic].map(([, to = '']) => ({ to: resolve(name, to), isType: false })),
  ];
}

/** Own files as their name from src, anything else as it is. */
function resolve(from: string, to: string): string {
  return to.startsWith('.') ? path.posix.normalize(path.posix.join(path.posix.dirname(from), to)) : to;
}

export const isOwn = (to: string): boolean => to.endsWith('.ts');
/** The folder, or the file itself where it lies in src. */
export const roomOf = (name: string): string =>
  name.includes('/') ? name.slice(0, name.indexOf('/')) : name.replace('.ts', '');

/** What a check finds in the files, each with the name of its file. */
export const failures = (check: (file: SourceFile) => readonly string[]): string[] =>
  files.flatMap((file) => check(file).map((text) => `${file.name}: ${text}`));
