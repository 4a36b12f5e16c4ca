import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

export const project = path.resolve(import.meta.dirname, '../..');

export interface Packed {
  /** The folder of it all, to be removed. */
  readonly folder: string;
  /** What it was made from. */
  readonly copy: string;
  /** The paths in the tarball, and what they take unpacked, in bytes. */
  readonly files: readonly string[];
  readonly unpackedSize: number;
  /** The package as it is installed in a project. */
  readonly installed: string;
  readonly modules: string;
}

/** What a build and `npm pack` may look at. The sources are built anew: nothing that an earlier build left gets in. */
const inputs = ['src', 'scripts', 'package.json', '.npmrc', 'README.md', 'LICENSE', 'CHANGELOG.md', 'skills'];

/** Builds and packs a copy of the project, and installs the tarball into an empty one. */
export function packAndInstall(): Packed {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'ralph-pack-')));
  const copy = path.join(folder, 'copy');
  mkdirSync(copy);
  const { files } = manifestOf(project);
  for (const name of new Set([...inputs, ...files.filter((entry) => entry !== 'dist')])) {
    const from = path.join(project, name);
    if (existsSync(from)) cpSync(from, path.join(copy, name), { recursive: true });
  }
  symlinkSync(path.join(project, 'node_modules'), path.join(copy, 'node_modules'));
  run(process.execPath, ['scripts/build.mjs'], copy);
  // A list in older releases of npm, by name in newer ones.
  const packs: { filename: string; files: { path: string }[]; unpackedSize: number }[] = Object.values(
    JSON.parse(run('npm', ['pack', '--ignore-scripts', '--json'], copy)),
  );
  const [pack] = packs;
  if (pack === undefined) throw new Error('npm pack made nothing');
  const target = path.join(folder, 'project');
  mkdirSync(target);
  writeFileSync(path.join(target, 'package.json'), '{ "private": true }\n');
  const flags = ['--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', '--no-package-lock'];
  run('npm', ['install', ...flags, path.join(copy, pack.filename)], target);
  const modules = path.join(target, 'node_modules');
  return {
    folder,
    copy,
    files: pack.files.map((file) => file.path),
    unpackedSize: pack.unpackedSize,
    installed: path.join(modules, manifestOf(project).name),
    modules,
  };
}

export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly files: readonly string[];
  readonly engines?: { readonly node?: string };
  readonly dependencies?: Readonly<Record<string, string>>;
}

export function manifestOf(folder: string): Manifest {
  return JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
}

/** Returns what it printed; throws with it where it failed. */
function run(command: string, args: readonly string[], cwd: string): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd,
    encoding: 'utf8',
    timeout: 240_000,
    maxBuffer: 64 << 20,
  });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed\n${stdout}${stderr}${error?.message ?? ''}`);
  return stdout;
}
