import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CommitRequest, CommitResult } from '../loop/ports.ts';
import { displayPath, fromBytes, isWithin, splitNul } from './byte-path.ts';
import type { BytePath } from './byte-path.ts';
import { readCommitConfig } from './commit-config.ts';
import { findHooks, putBackHooks, runCommitHooks, runPostCommit } from './commit-hooks.ts';
import type { HookName, KeepChanged } from './commit-hooks.ts';
import type { Desk, Left, Turn } from './desk.ts';
import { openScratchIndex } from './edit-tree.ts';
import { mayHoldLinks } from './inner-repositories.ts';
import { isKeptIndexUntouched, keptIndexOf, replaceIndex } from './kept-files.ts';
import { updateRef } from './refs.ts';
import type { SnapshotData } from './snapshot.ts';
import { findStoryChanges } from './story-tree.ts';
import { diffTrees } from './tree-diff.ts';
import type { TreeEntry } from './tree-diff.ts';
import type { Repository } from './repository.ts';
import { readIndexMark, restoreIndex } from './user-index.ts';

export interface CommitSteps {
  /** Told the id of the commit, and what tells the index from a later one, directly before the branch moves. */
  readonly announce: (commit: string, index: string) => void;
  /** The index has followed. */
  readonly indexed: () => void;
  readonly keepChanged: KeepChanged;
}

/**
 * Commits what the agent changed, and only that, with the state files, through the repository's hooks. Throws GitError where
 * git refuses to write the commit; then nothing has moved.
 */
export async function commitTurn(
  desk: Desk,
  turn: Turn,
  left: Left,
  request: CommitRequest,
  steps: CommitSteps,
): Promise<CommitResult> {
  const { repository } = desk;
  const { snapshot } = turn;
  const { signal } = request.scope;
  const isPlain = holdsHead(repository, snapshot, left);
  // Questions that don't depend on each other are asked at once: each costs a process.
  const [story, state, untracked, headTree, found, config, index] = await Promise.all([
    findStoryChanges(desk.blobs, left.pending, left.uncommitted),
    readStateEntries(desk, turn, left),
    findUntracked(desk, turn, left),
    hasTick(desk) ? undefined : repository.git.text('rev-parse', `${left.head}^{tree}`),
    findHooks(desk),
    readCommitConfig(repository),
    openScratchIndex(repository, {
      base: snapshot.head,
      name: 'commit-index',
      copy: isPlain ? keptIndexOf(repository) : undefined,
    }),
  ]);
  try {
    await index.write(new Map([...story.entries, ...state, ...untracked]));
    const planned = await index.writeTree();
    const isInHead = headTree === planned;
    const hooks: ReadonlySet<HookName> = isInHead ? new Set() : found;
    const messageFile = join(repository.gitDir, 'COMMIT_EDITMSG');
    writeFileSync(messageFile, messageOf(request));
    const stopped = await runCommitHooks(desk, request.scope, { index, hooks, messageFile });
    const tree = stopped === undefined && hooks.has('pre-commit') ? await index.writeTree() : planned;
    if (hooks.size > 0) {
      const staged = await diffTrees(repository.git, planned, tree);
      await putBackHooks(desk, turn, left, staged, steps.keepChanged);
    }
    if (stopped !== undefined) return stopped;
    if (signal.aborted) return { kind: 'interrupted' };
    const commit = isInHead
      ? left.head
      : await writeCommit(
          desk,
          { tree, parent: left.head, signs: config.signs },
          await readMessage(desk, messageFile, hooks),
        );
    steps.announce(commit, readIndexMark(repository));
    await updateRef(repository.git, `refs/heads/${snapshot.branch}`, commit, left.head);
    // The index that the commit was made of is then the user's with that commit.
    if (isPlain && hooks.size === 0) replaceIndex(repository, index.file);
    else await restoreIndex(desk, turn, await diffTrees(repository.git, snapshot.head, commit));
    steps.indexed();
    const warnings = hooks.has('post-commit') ? await runPostCommit(desk, request.scope) : [];
    const remarks = [...warnings, ...nameMixed(story.mixed)];
    return { kind: 'committed', commit: commit === snapshot.head ? undefined : commit, remarks };
  } finally {
    index.dispose();
  }
}

/** Is the user's index just what HEAD holds? Of commits of inner repositories it is not known. */
function holdsHead(repository: Repository, { staged }: SnapshotData, { uncommitted }: Left): boolean {
  const hasLinks =
    mayHoldLinks(repository.git) || [...uncommitted.values()].some(({ before }) => before?.mode === '160000');
  return staged.length === 0 && !hasLinks && isKeptIndexUntouched(repository);
}

function nameMixed(mixed: readonly BytePath[]): string[] {
  return mixed.map(
    (path) => `${displayPath(path)} was committed whole: the agent's lines could not be told from the user's.`,
  );
}

type Entries = Map<BytePath, TreeEntry | undefined>;

/** The state files as they are in the working tree now, as git stores them. */
async function readStateEntries({ repository, blobs, state }: Desk, turn: Turn, left: Left): Promise<Entries> {
  const entries: Entries = new Map();
  if (state === undefined || state.committed.length === 0) return entries;
  const { git, root } = repository;
  const files = [state.prd, state.progress].filter(
    (path) => state.committed.includes(path) && existsSync(join(root, displayPath(path))),
  );
  const [modes, { stdout }] = await Promise.all([
    readModes(repository, turn.snapshot.head, files),
    git.run(['hash-object', '-w', '--stdin-paths'], {
      input: Buffer.from(files.map((path) => `${path}\n`).join(''), 'latin1'),
    }),
  ]);
  const ids = stdout.toString('latin1').trim().split('\n');
  for (const [at, path] of files.entries()) entries.set(path, { mode: modes.get(path) ?? '100644', id: ids[at] ?? '' });
  if (!state.committed.includes(state.archive)) return entries;
  const archived = [...left.uncommitted.values()].filter(({ path }) => isWithin(path, state.archive));
  await blobs.learn(archived.map(({ path }) => path));
  for (const { path, after } of archived) entries.set(path, await blobs.clean(path, after));
  return entries;
}

async function readModes(
  { git }: Repository,
  head: string,
  paths: readonly BytePath[],
): Promise<Map<BytePath, string>> {
  const { stdout } = await git.run(['ls-tree', '-z', '--full-tree', head, '--', ...paths.map(displayPath)]);
  return new Map(
    splitNul(stdout).map((record) => [fromBytes(record.slice(record.indexOf('\t') + 1)), record.slice(0, 6)]),
  );
}

/** Files that the agent's commits took out of git and left in the tree, ignored: taking them in again would undo that. */
async function findUntracked({ repository, shadow }: Desk, { snapshot }: Turn, left: Left): Promise<Entries> {
  if (left.commits.length === 0) return new Map();
  const commits = [...(await diffTrees(repository.git, snapshot.head, left.head)).values()];
  const gone = commits.filter(({ after }) => after === undefined).map(({ path }) => path);
  if (gone.length === 0) return new Map();
  const ignored = new Set(await shadow.ignoredEntries());
  return new Map(gone.filter((path) => ignored.has(path)).map((path) => [path, undefined]));
}

function messageOf(request: CommitRequest): string {
  const trailers = request.trailers.map(([key, value]) => `${key}: ${value}\n`).join('');
  return `${request.subject}\n\n${trailers}`;
}

/** What hooks made of the message is tidied up as git does. */
async function readMessage({ repository }: Desk, file: string, hooks: ReadonlySet<HookName>): Promise<Uint8Array> {
  const input = readFileSync(file);
  if (!hooks.has('prepare-commit-msg') && !hooks.has('commit-msg')) return input;
  return (await repository.git.run(['stripspace'], { input })).stdout;
}

/** With a prd.json that git tracks there is always something to commit: what ralph itself writes into an accepted story. */
const hasTick = ({ state }: Desk): boolean => state?.committed.includes(state.prd) === true;

async function writeCommit(
  desk: Desk,
  { tree, parent, signs }: { tree: string; parent: string; signs: boolean },
  message: Uint8Array,
): Promise<string> {
  const { git } = desk.repository;
  const { stdout } = await git.run(['commit-tree', ...(signs ? ['-S'] : []), tree, '-p', parent], {
    env: desk.identity,
    input: message,
  });
  return stdout.toString('latin1').trim();
}
