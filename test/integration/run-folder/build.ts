import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../../..');

/** Builds some files of `src` (and what they import) into a folder, for tests that need processes of their own. */
export function buildInto(folder: string, files: readonly string[]): (file: string) => string {
  const config = path.join(folder, 'tsconfig.json');
  mkdirSync(folder, { recursive: true });
  symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
  writeFileSync(path.join(folder, 'package.json'), '{"type":"module"}');
  const compilerOptions = { noEmit: false, rootDir: path.join(root, 'src'), outDir: path.join(folder, 'out') };
  const typeRoots = [path.join(root, 'node_modules/@types')];
  const include = files.map((file) => path.join(root, 'src', file));
  const text = {
    extends: path.join(root, 'tsconfig.json'),
    compilerOptions: { ...compilerOptions, typeRoots },
    files: include,
    include: [],
  };
  writeFileSync(config, JSON.stringify(text));
  execFileSync(process.execPath, [path.join(root, 'node_modules/typescript/bin/tsc'), '-p', config], { stdio: 'pipe' });
  return (file) => path.join(folder, 'out', file.replace(/\.ts$/, '.js'));
}
