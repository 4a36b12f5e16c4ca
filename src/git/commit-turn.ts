import { accessSync, constants, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CommitRequest, CommitResult } from '../loop/ports.ts';
import { displayPath } from './byte-path.ts';
import type { BytePath } from './byte-path.ts';
import type { Desk, Left, Turn } from './desk.ts';
import { editTree, openScratchIndex } from './edit-tree.ts';
import type { ScratchIndex } from './edit-tree.ts';
import { updateRef } from './refs.ts';
import { takeTree } from './snapshot.ts';
import { findStoryChanges } from './story-tree.ts';
import { diffTrees } from './tree-diff.ts';
import type { TreeEntry } from './tree-diff.ts';
import { restoreIndex } from './user-index.ts';

/**
 * Commits what the agent changed, and only that, with the state files, through the repository's hooks. `announce` is told
 * the id of the commit directly before the branch moves to it.
 */
export async function commitTurn(
  desk: Desk,
  turn: Turn,
  left: Left,
  request: CommitRequest,
  announce: (commit: string) => void,
): Promise<CommitResult> {
  const { repository } = desk;
  const { snapshot } = turn;
  const story = await findStoryChanges(desk.blobs, left.pending, left.uncommitted);
  const state = await readStateEntries(desk, left);
  const index = await openScratchIndex(repository, snapshot.head, 'commit-index');
  try {
    await index.write(new Map([...story.entries, ...state]));
    const planned = await index.writeTree();
    const isInHead = (await repository.git.text('rev-parse', `${left.head}^{tree}`)) === planned;
    const hooks = desk.hooks ? await findHooks(desk) : new Set<string>();
    const messageFile = join(repository.gitDir, 'COMMIT_EDITMSG');
    writeFileSync(messageFile, messageOf(request));
    if (!isInHead) {
      const stopped = await runCommitHooks(desk, request, { index, hooks, messageFile });
      if (stopped !== undefined) return stopped;
    }
    if (request.scope.signal.aborted) return { kind: 'interrupted' };
    const tree = hooks.has('pre-commit') ? await index.writeTree() : planned;
    const commit = isInHead ? left.head : await writeCommit(desk, tree, left.head, readFileSync(messageFile));
    announce(commit);
    await updateRef(repository.git, `refs/heads/${snapshot.branch}`, commit, left.head);
    await restoreIndex(repository, desk.blobs, await diffTrees(repository.git, snapshot.head, commit));
    if (tree !== planned) await followHook(desk, turn, left, { planned, tree });
    const remarks = [...(await afterCommit(desk, request, hooks, isInHead)), ...nameMixed(story.mixed)];
    return { kind: 'committed', commit: commit === snapshot.head ? undefined : commit, remarks };
  } finally {
    index.dispose();
  }
}

function nameMixed(mixed: readonly BytePath[]): string[] {
  return mixed.map(
    (path) => `${displayPath(path)} was committed whole: the agent's lines could not be told from the user's.`,
  );
}

/** The state files as they are in the working tree now, as git stores them. */
async function readStateEntries(
  { repository, state }: Desk,
  left: Left,
): Promise<Map<BytePath, TreeEntry | undefined>> {
  const entries = new Map<BytePath, TreeEntry | undefined>();
  if (state === undefined || state.committed.length === 0) return entries;
  const files = [state.prd, state.progress].filter(
    (path) => state.committed.includes(path) && existsSync(join(repository.root, displayPath(path))),
  );
  const { stdout } = await repository.git.run(['hash-object', '-w', '--stdin-paths'], {
    input: Buffer.from(files.map((path) => `${path}\n`).join(''), 'latin1'),
  });
  const ids = stdout.toString('latin1').trim().split('\n');
  for (const [at, path] of files.entries())
    entries.set(path, { mode: left.uncommitted.get(path)?.before?.mode ?? '100644', id: ids[at] ?? '' });
  if (state.committed.includes(state.archive)) {
    for (const [path, { after }] of left.uncommitted)
      if (path.startsWith(`${state.archive}/`)) entries.set(path, after);
  }
  return entries;
}

function messageOf(request: CommitRequest): string {
  const trailers = request.trailers.map(([key, value]) => `${key}: ${value}\n`).join('');
  return `${request.subject}\n\n${trailers}`;
}

async function findHooks({ repository }: Desk): Promise<Set<string>> {
  const folder = await repository.git.text('rev-parse', '--path-format=absolute', '--git-path', 'hooks');
  const names = ['pre-commit', 'prepare-commit-msg', 'commit-msg', 'post-commit'];
  return new Set(names.filter((name) => isExecutable(join(folder, name))));
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

interface HookStage {
  readonly index: ScratchIndex;
  readonly hooks: ReadonlySet<string>;
  readonly messageFile: string;
}

/** The hooks that may refuse, in git's order and with git's arguments. */
async function runCommitHooks(
  desk: Desk,
  { scope }: CommitRequest,
  stage: HookStage,
): Promise<CommitResult | undefined> {
  const calls = [
    { name: 'pre-commit', args: [] },
    { name: 'prepare-commit-msg', args: [stage.messageFile, 'message'] },
    { name: 'commit-msg', args: [stage.messageFile] },
  ];
  const env = { GIT_INDEX_FILE: stage.index.file };
  for (const { name, args } of calls.filter((call) => stage.hooks.has(call.name))) {
    // Hooks such as lint-staged compare the index with the files: give it their times and sizes first.
    if (name === 'pre-commit') await desk.repository.git.run(['update-index', '-q', '--refresh'], { env, accept: [1] });
    const result = await desk.runHook({ name, args, env }, scope);
    if (result.interrupted) return { kind: 'interrupted' };
    if (!result.green) return { kind: 'hook', result };
  }
  return undefined;
}

async function writeCommit(desk: Desk, tree: string, parent: string, message: Buffer): Promise<string> {
  const { git } = desk.repository;
  const signs = await git.run(['config', '--type=bool', '--get', 'commit.gpgSign'], { accept: [1] });
  const sign = signs.stdout.toString('utf8').trim() === 'true' ? ['-S'] : [];
  const { stdout } = await git.run(['commit-tree', ...sign, tree, '-p', parent], {
    env: desk.identity,
    input: message,
  });
  return stdout.toString('latin1').trim();
}

/** What a hook staged is part of the commit and stays in the tree; what it changed beside that is put back. */
async function followHook(desk: Desk, turn: Turn, left: Left, trees: { planned: string; tree: string }): Promise<void> {
  const staged = await diffTrees(desk.repository.git, trees.planned, trees.tree);
  const now = (await takeTree(desk.repository, desk.shadow, turn.snapshot)).tree;
  const changed = await diffTrees(desk.repository.git, left.tree, now);
  const wanted = new Map(
    [...changed.values()].filter(({ path }) => staged.has(path)).map(({ path, after }) => [path, after]),
  );
  const state = [...changed.values()].filter(({ path }) => desk.state?.prd === path || desk.state?.progress === path);
  for (const { path, after } of state) wanted.set(path, after);
  const tree = await editTree(desk.repository, left.tree, wanted);
  if (tree !== now) await desk.shadow.checkOut(tree);
}

async function afterCommit(
  desk: Desk,
  { scope }: CommitRequest,
  hooks: ReadonlySet<string>,
  isInHead: boolean,
): Promise<string[]> {
  if (isInHead || !hooks.has('post-commit')) return [];
  const result = await desk.runHook({ name: 'post-commit', args: [], env: {} }, scope);
  return result.green ? [] : [`The post-commit hook failed (the commit is made): see ${result.log}`];
}
