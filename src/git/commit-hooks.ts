import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import type { CheckScope, CommitResult } from '../loop/ports.ts';
import { displayPath } from './byte-path.ts';
import { checkOutTree } from './check-out-tree.ts';
import { isState } from './state-paths.ts';
import type { Desk, Left, Turn } from './desk.ts';
import { readCommitConfig } from './commit-config.ts';
import { editTree } from './edit-tree.ts';
import type { ScratchIndex } from './edit-tree.ts';
import { takeTree } from './snapshot.ts';
import { diffTrees } from './tree-diff.ts';
import type { TreeChanges } from './tree-diff.ts';

export type HookName = 'pre-commit' | 'prepare-commit-msg' | 'commit-msg' | 'post-commit';
const hookNames: readonly HookName[] = ['pre-commit', 'prepare-commit-msg', 'commit-msg', 'post-commit'];

/** Copies files that a hook had changed into the run folder before they are put back. */
export type KeepChanged = (paths: readonly string[], iteration: number) => Promise<void>;

/** The hooks that git would run, wherever they are configured to be. */
export async function findHooks({ repository, hooks }: Desk): Promise<ReadonlySet<HookName>> {
  if (!hooks) return new Set();
  const config = await readCommitConfig(repository);
  return new Set(hookNames.filter((name) => isExecutable(join(config.hooks, name))));
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

export interface HookStage {
  readonly index: ScratchIndex;
  readonly hooks: ReadonlySet<HookName>;
  readonly messageFile: string;
}

/** The hooks that may refuse, in git's order and with git's arguments. Undefined: none of them did. */
export async function runCommitHooks(
  desk: Desk,
  scope: CheckScope,
  stage: HookStage,
): Promise<CommitResult | undefined> {
  const calls = [
    { name: 'pre-commit', args: [] },
    { name: 'prepare-commit-msg', args: [stage.messageFile, 'message'] },
    { name: 'commit-msg', args: [stage.messageFile] },
  ] as const;
  const index = { GIT_INDEX_FILE: stage.index.file };
  for (const { name, args } of calls.filter((call) => stage.hooks.has(call.name))) {
    // Hooks such as lint-staged compare the index with the files: give it their times and sizes first.
    if (name === 'pre-commit')
      await desk.repository.git.run(['update-index', '-q', '--refresh'], { env: index, accept: [1] });
    const result = await desk.runHook({ name, args, env: { ...identityOf(desk), ...index } }, scope);
    if (result.interrupted) return { kind: 'interrupted' };
    if (!result.green) return { kind: 'hook', result };
  }
  return undefined;
}

/** Its failure is a warning: the commit is made. */
export async function runPostCommit(desk: Desk, scope: CheckScope): Promise<string[]> {
  const result = await desk.runHook({ name: 'post-commit', args: [], env: identityOf(desk) }, scope);
  return result.green ? [] : [`The post-commit hook failed (the commit is made): see ${result.log}`];
}

function identityOf({ identity }: Desk): Record<string, string> {
  return Object.fromEntries(
    Object.entries(identity).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

/**
 * What a hook staged is part of the commit and stays in the working tree; what it changed beside that is put back, and the
 * changed version kept. State files are ralph's to write and stay as they are.
 */
export async function putBackHooks(
  desk: Desk,
  turn: Turn,
  left: Left,
  staged: TreeChanges,
  keepChanged: KeepChanged,
): Promise<void> {
  const { snapshot } = turn;
  const now = (await takeTree(desk.repository, desk.shadow, snapshot)).tree;
  const changes = [...(await diffTrees(desk.repository.git, left.tree, now)).values()];
  const stays = changes.filter(({ path }) => staged.has(path) || isState(desk.state, path));
  if (stays.length === changes.length) return;
  const goes = changes.filter((change) => !stays.includes(change));
  const changed = goes.filter(({ after }) => after !== undefined).map(({ path }) => displayPath(path));
  await keepChanged(changed, snapshot.iteration);
  const entries = new Map(stays.map(({ path, after }) => [path, after]));
  const wanted = await editTree(desk.repository, left.tree, entries);
  await checkOutTree(desk, { now, wanted }, snapshot.iteration);
}
