import type { Outcome, StateWrite, Workspace } from '../loop/ports.ts';
import { displayPath, finderAmong } from './byte-path.ts';
import { commitTurn } from './commit-turn.ts';
import { compareTurn, lookAtTurn } from './compare-turn.ts';
import type { Desk, Left, Turn } from './desk.ts';
import { advanceKept, forgetKept, readKept, writeKept } from './kept-work.ts';
import { putBranchBack } from './put-branch-back.ts';
import { rollBackTurn } from './roll-back.ts';
import { releaseSnapshot, takeSnapshot, takeTree } from './snapshot.ts';
import type { SnapshotData } from './snapshot.ts';
import { diffTrees } from './tree-diff.ts';
import { restoreIndex } from './user-index.ts';

/** Where a turn is written down, so that the run after a crash can settle it. */
export interface TurnRecord {
  begun(snapshot: SnapshotData): Promise<void>;
  writing(state: StateWrite): void;
  committing(commit: string, index: string): void;
  indexed(): void;
  settled(): void;
}

export interface WorkspaceOptions {
  /** With a PRD, branch, refs and the user's files are put in order after each agent; without, the tree is the agent's. */
  readonly repairs: boolean;
  readonly record: TurnRecord;
  /** Copies files that a gate had changed into the run folder before they are put back. */
  readonly keepChanged: (paths: readonly string[], iteration: number) => Promise<void>;
  readonly warn: (text: string) => void;
  readonly pushBranch: (branch: string) => Promise<string | undefined>;
}

/** The git side of the corridor: snapshot, compare, commit or roll back. */
export function createWorkspace(desk: Desk, branch: string, options: WorkspaceOptions): Workspace {
  let turn: Turn | undefined;
  const current = (): { turn: Turn; left: Left } => {
    if (turn?.left === undefined) throw new Error('no iteration has been compared yet');
    return { turn, left: turn.left };
  };
  return {
    branch: () => branch,
    async snapshot(scope) {
      turn = await beginTurn(desk, scope, options);
      return turn.snapshot;
    },
    async compare(): Promise<Outcome> {
      if (turn === undefined) throw new Error('there is no snapshot to compare with');
      return options.repairs ? compareTurn(desk, turn) : lookAtTurn(desk, turn);
    },
    putBack: async () => (turn === undefined ? [] : putBackTurn(desk, turn, options)),
    async commit(request) {
      const { turn: open, left } = current();
      const result = await commitTurn(desk, open, left, request, {
        announce: (commit, index) => options.record.committing(commit, index),
        indexed: () => options.record.indexed(),
        keepChanged: options.keepChanged,
      });
      if (result.kind === 'committed') await forgetKept(desk.repository);
      return result;
    },
    writing: (state) => options.record.writing(state),
    async rollBack() {
      const { turn: open, left } = current();
      return rollBackTurn(desk, open, left);
    },
    async keep() {
      const { turn: open, left } = current();
      if (!options.repairs) return;
      const { repository } = desk;
      await restoreIndex(desk, open, await diffTrees(repository.git, open.snapshot.head, left.head));
      await writeKept(repository, { user: open.snapshot.tree, mixed: [], ...open.kept, left: left.tree });
    },
    async release() {
      turn = undefined;
      options.record.settled();
      await releaseSnapshot(desk.repository);
    },
    push: () => options.pushBranch(branch),
  };
}

/** Takes the snapshot and writes it down before anything else happens. */
async function beginTurn(
  desk: Desk,
  scope: { iteration: number; try: number },
  options: WorkspaceOptions,
): Promise<Turn> {
  const snapshot = await takeSnapshot(desk.repository, desk.shadow, scope);
  await options.record.begun(snapshot);
  const kept = options.repairs ? readKept(desk.repository) : undefined;
  if (kept === undefined) return { snapshot, kept, left: undefined };
  const advanced = await advanceKept(desk, kept, snapshot.tree);
  for (const path of advanced.mixed) {
    options.warn(
      `${displayPath(path)} holds kept work and changes of yours that can't be told apart: the next accepted commit holds both`,
    );
  }
  await writeKept(desk.repository, advanced.kept);
  return { snapshot, kept: advanced.kept, left: undefined };
}

/** What gates and checks changed goes back to what it was before them: branch, then files. */
async function putBackTurn(desk: Desk, turn: Turn, options: WorkspaceOptions): Promise<string[]> {
  const wanted = turn.left?.tree ?? turn.snapshot.tree;
  const { ignored, dependencies } = turn.snapshot;
  const find = finderAmong([...ignored, ...dependencies, ...(turn.left?.dependencies ?? [])]);
  desk.shadow.followRules();
  const isStill = await desk.shadow.isStill(wanted, (path) => find(path) !== undefined);
  const now = isStill ? wanted : (await takeTree(desk.repository, desk.shadow, turn.snapshot, { inner: false })).tree;
  const moved = options.repairs ? await putBranchBack(desk, turn, now) : undefined;
  if (moved !== undefined) options.warn(moved);
  if (now === wanted) return [];
  const changes = await diffTrees(desk.repository.git, wanted, now);
  const paths = [...changes.values()].filter(({ after }) => after !== undefined).map(({ path }) => displayPath(path));
  await options.keepChanged(paths, turn.snapshot.iteration);
  await desk.shadow.checkOut(wanted);
  return [...changes.keys()].map(displayPath);
}
