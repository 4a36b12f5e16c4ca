import { displayPath, fromBytes } from './byte-path.ts';
import type { BytePath } from './byte-path.ts';
import { statAt } from './file-at.ts';

/** Folders that a package manager or an interpreter fills. */
const dependencyNames = new Set(['node_modules', '.venv', '__pycache__']);
/** Rust's and Maven's build folder has a common name: it counts beside one of these files only. */
const buildFiles = ['Cargo.toml', 'pom.xml'];
export const LARGEST_FILE = 50 * 1024 * 1024;

/**
 * The outermost dependency folder that a file lies in. `exists` answers for files of the working tree.
 */
export function dependencyFolderOf(path: BytePath, exists: (path: BytePath) => boolean): BytePath | undefined {
  const parts = path.split('/');
  for (let at = 0; at < parts.length - 1; at += 1) {
    const parent = parts
      .slice(0, at)
      .map((part) => `${part}/`)
      .join('');
    const name = parts[at] ?? '';
    const isBuild = name === 'target' && buildFiles.some((file) => exists(fromBytes(`${parent}${file}`)));
    if (dependencyNames.has(name) || isBuild) return fromBytes(`${parent}${name}`);
  }
  return undefined;
}

/** Does the name look like that of a secret? `.env` files but examples, PEM files, private keys of ssh. */
export function isSecretName(path: BytePath): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (/^\.env($|[.\-_])/i.test(name)) return !/[.\-_](example|sample|template|dist|defaults?|schema)$/i.test(name);
  if (/\.pem$/i.test(name)) return true;
  // A private key has no extension; `id_rsa.pub` and `id_generator.ts` are none.
  return /^id_[^.]+$/.test(name);
}

/**
 * What must not get into git, one sentence each with its cure. `added` are paths that git doesn't have yet, `changed` all
 * that the agent wrote.
 */
export function findUnwanted(
  root: string,
  work: {
    readonly added: readonly BytePath[];
    readonly changed: readonly BytePath[];
    /** Known to be too large wherever they are now: committed and removed again, say. */
    readonly large: readonly BytePath[];
    readonly dependencies: readonly BytePath[];
  },
): string[] {
  const folders = new Set(work.dependencies);
  for (const path of work.added) {
    const folder = dependencyFolderOf(path, (sibling) => sizeOf(root, sibling) !== undefined);
    if (folder !== undefined) folders.add(folder);
  }
  const inFolder = (path: BytePath): boolean => [...folders].some((folder) => path.startsWith(`${folder}/`));
  const ignoreIt = (path: BytePath, what: string): string =>
    `${displayPath(path)} ${what} and must not get into git: add a line "${displayPath(path)}" to .gitignore.`;
  return [
    ...[...folders].map((folder) => ignoreIt(fromBytes(`${folder}/`), 'is a dependency folder')),
    ...work.added
      .filter((path) => isSecretName(path) && !inFolder(path))
      .map((path) => ignoreIt(path, 'looks like a secret')),
    ...[...new Set([...work.changed.filter((path) => (sizeOf(root, path) ?? 0) > LARGEST_FILE), ...work.large])]
      .filter((path) => !inFolder(path))
      .map((path) => ignoreIt(path, 'is larger than 50 MB')),
  ];
}

function sizeOf(root: string, path: BytePath): number | undefined {
  return statAt(root, path)?.size;
}
