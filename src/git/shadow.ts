import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bytePath, joinNul, splitNul } from './byte-path.ts';
import type { BytePath } from './byte-path.ts';
import { GitError } from './git.ts';
import type { RunOptions } from './git.ts';
import type { Repository } from './repository.ts';
import { zeroIdOf } from './tree-diff.ts';
import type { ToolResult } from '../process/types.ts';

/**
 * A git folder of ralph's own over the same working tree and the same objects, in which no line ending, filter or ident is
 * ever converted: a tree written through it holds the exact bytes of the files. Its index is kept between snapshots, since
 * its stat cache is what makes the next one cheap.
 */
export interface Shadow {
  run(args: readonly string[], options?: RunOptions): Promise<ToolResult>;
  /** Takes in all files that are not ignored, but for those under `except`, and returns the tree. */
  writeTree(except: readonly BytePath[]): Promise<string>;
  /** Makes the working tree what the tree says; files that are in neither tree stay. */
  checkOut(tree: string): Promise<void>;
  /** Files that are neither in the index nor ignored. */
  untracked(): Promise<BytePath[]>;
  /** Files in the index that are ignored now. */
  ignoredEntries(): Promise<BytePath[]>;
  /** Is the working tree still that of `tree`, apart from paths that `isKnown`? A cheap question: false may mean perhaps. */
  isStill(tree: string, isKnown: (untracked: BytePath) => boolean): Promise<boolean>;
  /** Takes files into the index although they are ignored. */
  addIgnored(paths: readonly BytePath[]): Promise<void>;
  /** Takes paths out of the index; the files stay. */
  forget(paths: readonly BytePath[]): Promise<void>;
  /** Reads the ignore rules of the repository that lie outside the working tree. */
  followRules(): void;
  /** Sets the folder up again where an agent has removed it; the index then holds this tree. */
  mend(tree: string): Promise<void>;
}

/** What is ralph's own at the root of the working tree: never in a snapshot, whatever the ignore rules say. */
export const ownFolders = [bytePath('.ralph/runs'), bytePath('.ralph/active')];

/** Pathspecs that spare git the walk through them: a long night leaves thousands of files there. */
export const notOwn = ownFolders.map((path) => `:(exclude,top,literal)${path}`);

// Anything that would convert bytes, start a helper, or leave entries out.
const overrides = `[core]
\tbare = false
\tautocrlf = false
\tsafecrlf = false
\tfsmonitor = false
\tignoreStat = false
\tcheckStat = default
\ttrustctime = true
\tuntrackedCache = false
\tsplitIndex = false
\tsparseCheckout = false
\tsparseCheckoutCone = false
\thooksPath = /dev/null
[index]
\tsparse = false
[feature]
\tmanyFiles = false
[advice]
\taddEmbeddedRepo = false
[submodule]
\trecurse = false
`;

export async function openShadow(repository: Repository): Promise<Shadow> {
  const folder = join(repository.gitDir, 'ralph', 'shadow');
  const index = join(folder, 'index');
  prepare(repository, folder);
  const env = {
    GIT_DIR: folder,
    GIT_WORK_TREE: repository.root,
    GIT_OBJECT_DIRECTORY: join(repository.commonDir, 'objects'),
    GIT_INDEX_FILE: index,
  };
  const run: Shadow['run'] = (args, options = {}) =>
    repository.git.run(args, { ...options, env: { ...env, ...options.env } });
  // A killed git leaves its lock; nobody else uses this index while we hold ralph's own lock.
  rmSync(`${index}.lock`, { force: true });
  if (!isIndex(index)) {
    rmSync(index, { force: true });
    await seed(repository, run);
  }
  return createShadow(repository, { folder, index, run });
}

function createShadow(
  repository: Repository,
  { folder, index, run }: { folder: string; index: string; run: Shadow['run'] },
): Shadow {
  /** The tree that the index holds, where that is known. */
  let held: string | undefined;
  const untracked: Shadow['untracked'] = async () =>
    splitNul((await run(['ls-files', '-z', '--others', '--exclude-standard', '--', ...notOwn])).stdout);
  return {
    run,
    async writeTree(except) {
      const specs = ['.', ...notOwn, ...except.map((path) => `:(exclude,literal)${path}`)];
      await add(run, ['-A'], specs);
      held = (await run(['write-tree'])).stdout.toString('latin1').trim();
      return held;
    },
    async checkOut(tree) {
      await run(['read-tree', '--reset', '-u', tree]);
      held = tree;
    },
    untracked,
    async isStill(tree, isKnown) {
      if (tree !== held || !existsSync(index)) return false;
      const [files, others] = await Promise.all([run(['diff-files', '--quiet'], { accept: 'any' }), untracked()]);
      return files.code === 0 && others.every(isKnown);
    },
    async ignoredEntries() {
      return splitNul((await run(['ls-files', '-z', '--cached', '--ignored', '--exclude-standard'])).stdout);
    },
    async addIgnored(paths) {
      if (paths.length === 0) return;
      held = undefined;
      await add(
        run,
        ['-f'],
        paths.map((path) => `:(literal)${path}`),
      );
    },
    async forget(paths) {
      if (paths.length === 0) return;
      held = undefined;
      await run(['update-index', '-z', '--force-remove', '--stdin'], { input: joinNul(paths) });
    },
    followRules: () => followRules(repository, folder),
    async mend(tree) {
      if (existsSync(index)) return;
      prepare(repository, folder);
      held = undefined;
      await run(['read-tree', tree]);
    },
  };
}

/**
 * Exit 1 means that something could not be added while the rest is in: an unreadable file, or an inner repository without
 * a commit, is no reason to stop. A full disk is: a snapshot with holes would lose work.
 */
async function add(run: Shadow['run'], flags: readonly string[], specs: readonly string[]): Promise<void> {
  const args = ['add', ...flags, '--ignore-errors', '--pathspec-from-file=-', '--pathspec-file-nul'];
  const { code, stderr } = await run(args, { input: joinNul(specs), accept: [1] });
  const cannotWrite = /no space left|unable to write|quota exceeded|read-only file system|input\/output error/i;
  if (code !== 0 && cannotWrite.test(stderr)) throw new GitError(args, stderr);
}

function prepare(repository: Repository, folder: string): void {
  for (const part of ['refs', 'info', 'objects']) mkdirSync(join(folder, part), { recursive: true });
  writeFileSync(join(folder, 'HEAD'), 'ref: refs/heads/shadow\n');
  writeFileSync(join(folder, 'config'), configOf(repository));
  writeFileSync(join(folder, 'info', 'attributes'), '* -text -eol -ident -working-tree-encoding -filter\n');
  followRules(repository, folder);
}

function configOf({ commonDir, gitDir, objectFormat }: Repository): string {
  const include = (file: string): string => `[include]\n\tpath = ${JSON.stringify(file)}\n`;
  const files = [join(commonDir, 'config'), join(gitDir, 'config.worktree')].filter((file) => existsSync(file));
  // The format of the repository is read from this very file, never from an included one.
  const format =
    objectFormat === 'sha1' ? '' : `\trepositoryformatversion = 1\n[extensions]\n\tobjectformat = ${objectFormat}\n`;
  return `${files.map(include).join('')}${overrides}${format === '' ? '' : `[core]\n${format}`}`;
}

function followRules(repository: Repository, folder: string): void {
  const rules = join(repository.commonDir, 'info', 'exclude');
  const own = join(folder, 'info', 'exclude');
  if (!existsSync(rules)) rmSync(own, { force: true });
  else if (!existsSync(own) || !readFileSync(own).equals(readFileSync(rules))) copyFileSync(rules, own);
}

/** A power cut can leave a file of zeros, or an empty one. */
function isIndex(file: string): boolean {
  return existsSync(file) && readFileSync(file).subarray(0, 4).toString('latin1') === 'DIRC';
}

/** Starts the index with the paths that git tracks, so that a tracked file counts although it is ignored. */
async function seed(repository: Repository, run: Shadow['run']): Promise<void> {
  const { code, stdout } = await repository.git.run(['ls-files', '-z', '--cached', '--stage'], { accept: [128] });
  // An agent of a killed run has damaged it: the snapshot of that run says what was tracked.
  if (code !== 0) return;
  const lines = splitNul(stdout).map((line) => line.replace(/^(\d+ [0-9a-f]+) \d\t/, '$1\t'));
  const input = joinNul(lines.filter((line) => !line.startsWith(`0 ${zeroIdOf(repository.objectFormat)}`)));
  await run(['update-index', '-z', '--index-info'], { input });
}
