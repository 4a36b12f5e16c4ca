import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { displayPath, fromBytes, joinNul } from './byte-path.ts';
import type { BytePath } from './byte-path.ts';
import { GitError } from './git.ts';
import type { Repository } from './repository.ts';
import type { TreeEntry } from './tree-diff.ts';

/** Questions about file contents that are in git already. */
export interface Blobs {
  /** What git would store for these exact bytes at this path: line endings and filters applied, as a commit does. */
  clean(path: BytePath, entry: TreeEntry | undefined): Promise<TreeEntry | undefined>;
  /** What git would write into the working tree for this blob: the way back of `clean`. */
  smudge(path: BytePath, entry: TreeEntry | undefined): Promise<TreeEntry | undefined>;
  /**
   * The three-way merge of two versions over their base, or undefined where they touch the same lines, are no regular
   * files, or are binary.
   */
  merge(base: TreeEntry, ours: TreeEntry, theirs: TreeEntry): Promise<TreeEntry | undefined>;
  /** Reads which of these paths are converted by git; call it before `clean`. */
  learn(paths: Iterable<BytePath>): Promise<void>;
  /** The same for those of which nothing is known yet. */
  learnNew(paths: Iterable<BytePath>): Promise<void>;
  read(id: string): Promise<Buffer>;
  write(data: Uint8Array): Promise<string>;
}

const isRegular = (entry: TreeEntry): boolean => entry.mode.startsWith('100');

export function createBlobs(repository: Repository): Blobs {
  const { git } = repository;
  const converted = new Map<BytePath, boolean>();
  let autocrlf: Promise<boolean> | undefined;
  const cleaned = new Map<string, string>();
  const blobs: Blobs = {
    async learn(paths) {
      // Asked anew each time: an agent may change the attributes.
      cleaned.clear();
      const wanted = [...paths];
      // A question that nobody waits for must not be asked: its failure would be nobody's.
      if (wanted.length === 0) return;
      autocrlf ??= convertsAll(repository);
      const found = await findConverted(repository, wanted, autocrlf);
      for (const [path, isConverted] of found) converted.set(path, isConverted);
    },
    async learnNew(paths) {
      const unknown = [...paths].filter((path) => !converted.has(path));
      if (unknown.length > 0) await blobs.learn(unknown);
    },
    async clean(path, entry) {
      if (entry === undefined || !isRegular(entry) || converted.get(path) !== true) return entry;
      const key = `${entry.id} ${path}`;
      const known = cleaned.get(key) ?? (await cleanBlob(repository, path, await blobs.read(entry.id)));
      cleaned.set(key, known);
      return { mode: entry.mode, id: known };
    },
    async smudge(path, entry) {
      if (entry === undefined || !isRegular(entry) || converted.get(path) !== true) return entry;
      const { stdout } = await git.run(['cat-file', '--filters', `--path=${displayPath(path)}`, entry.id]);
      return { mode: entry.mode, id: await blobs.write(stdout) };
    },
    async merge(base, ours, theirs) {
      if (![base, ours, theirs].every(isRegular)) return undefined;
      const id = await mergeBlobs(repository, blobs, [ours.id, base.id, theirs.id]);
      return id === undefined ? undefined : { mode: theirs.mode === base.mode ? ours.mode : theirs.mode, id };
    },
    async read(id) {
      return (await git.run(['cat-file', 'blob', id])).stdout;
    },
    async write(data) {
      return (await git.run(['hash-object', '-w', '--stdin', '--no-filters'], { input: data })).stdout
        .toString('latin1')
        .trim();
    },
  };
  return blobs;
}

/**
 * For looking only: where a filter is missing or refuses (`git lfs` that is not installed), the bytes as they are. A commit
 * that holds such a file still fails, but the iteration can be settled.
 */
export function withoutRefusals(blobs: Blobs): Blobs {
  const asItIs = (entry: TreeEntry | undefined) => (error: unknown) => {
    if (error instanceof GitError) return entry;
    throw error;
  };
  return {
    ...blobs,
    clean: async (path, entry) => blobs.clean(path, entry).catch(asItIs(entry)),
    smudge: async (path, entry) => blobs.smudge(path, entry).catch(asItIs(entry)),
  };
}

async function cleanBlob({ git }: Repository, path: BytePath, data: Buffer): Promise<string> {
  const args = ['hash-object', '-w', '--stdin', `--path=${displayPath(path)}`];
  return (await git.run(args, { input: data })).stdout.toString('latin1').trim();
}

/** The attributes by which git changes the bytes of a file on their way in or out. */
const conversions = ['text', 'eol', 'crlf', 'filter', 'ident', 'working-tree-encoding'];

/** Does the configuration have line ends converted in every text file? */
async function convertsAll({ git }: Repository): Promise<boolean> {
  const { stdout } = await git.run(['config', '--get', 'core.autocrlf'], { accept: [1] });
  return !['', 'false'].includes(stdout.toString('utf8').trim());
}

async function findConverted(
  { git }: Repository,
  paths: readonly BytePath[],
  autocrlf: Promise<boolean>,
): Promise<Map<BytePath, boolean>> {
  const result = new Map<BytePath, boolean>();
  const [byConfig, attributes] = await Promise.all([
    autocrlf,
    git.run(['check-attr', '-z', '--stdin', ...conversions], { input: joinNul(paths) }),
  ]);
  const fields = attributes.stdout.toString('latin1').split('\0');
  for (let at = 0; at + 2 < fields.length; at += 3) {
    const path = fromBytes(fields[at] ?? '');
    const value = fields[at + 2];
    const isSet = value !== 'unspecified' && value !== 'unset';
    result.set(path, byConfig || isSet || result.get(path) === true);
  }
  return result;
}

/** `git merge-file` works on files: ours, base, theirs. Exit 1 to 127: so many conflicts; 255: not mergeable. */
async function mergeBlobs(repository: Repository, blobs: Blobs, ids: readonly string[]): Promise<string | undefined> {
  const [ours, base, theirs] = ids;
  if (ours === theirs || base === theirs) return ours;
  if (base === ours) return theirs;
  const parent = join(repository.gitDir, 'ralph');
  const folder = mkdtempSync(join(existsSync(parent) ? parent : repository.gitDir, 'merge-'));
  try {
    const files = await Promise.all(
      ids.map(async (id, at) => {
        const file = join(folder, String(at));
        writeFileSync(file, await blobs.read(id));
        return file;
      }),
    );
    const conflicts = Array.from({ length: 127 }, (_, at) => at + 1);
    const merged = await repository.git.run(['merge-file', '-p', '--quiet', ...files], {
      accept: [...conflicts, 128, 129, 255],
    });
    return merged.code === 0 ? await blobs.write(merged.stdout) : undefined;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
