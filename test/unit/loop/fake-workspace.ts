import type { CommitRequest, CommitResult, StateTexts, StateWrite, Workspace } from '../../../src/loop/ports.ts';

/** What of the fake world a workspace works on. */
export interface Ground {
  readonly prdText: string;
  readonly logText: string;
  readonly tree: Map<string, string>;
  /** The commits that the agent under way made itself. */
  readonly ownCommits: readonly string[];
  readonly commits: { subject: string; trailers: Record<string, string>; files: string[]; prd: string }[];
  readonly refs: Map<string, string>[];
  readonly steps: string[];
  /** What was announced of the state files, and what stood in them then. */
  readonly writings: (StateWrite & { inFile: StateTexts })[];
  readonly pushWarning: string | undefined;
}

export interface WorkspaceOptions {
  readonly violations?: () => readonly string[];
  readonly remarks?: readonly string[];
  readonly userFiles?: boolean;
}

/**
 * A workspace over a tree in memory: what it does to the tree is written down in the world. `commitInstead` does what a
 * commit does, unless it says nothing.
 */
export function createFakeWorkspace(
  world: Ground,
  given: WorkspaceOptions,
  commitInstead: (request: CommitRequest) => CommitResult | undefined | void,
): Workspace {
  let snapshot = new Map<string, string>();
  let kept: Map<string, string> | undefined;
  let left = new Map<string, string>();
  const changedSince = (base: ReadonlyMap<string, string>): string[] =>
    [...new Set([...base.keys(), ...left.keys()])].filter((path) => base.get(path) !== left.get(path));
  const set = (files: ReadonlyMap<string, string>): void => {
    world.tree.clear();
    for (const [path, text] of files) world.tree.set(path, text);
  };
  return {
    branch: () => 'ralph/feature',
    snapshot: async () => {
      world.steps.push('snapshot');
      snapshot = new Map(world.tree);
      return { head: 'head', tree: 'tree' };
    },
    compare: async () => {
      left = new Map(world.tree);
      return {
        changed: changedSince(snapshot),
        pending: changedSince(kept ?? snapshot),
        commits: [...world.ownCommits],
        violations: given.violations?.() ?? [],
        remarks: given.remarks ?? [],
        ref: undefined,
        userFiles: given.userFiles ?? false,
      };
    },
    putBack: async () => {
      world.steps.push('put back');
      const paths = [...world.tree.keys()].filter((path) => world.tree.get(path) !== left.get(path));
      set(left);
      return paths;
    },
    commit: async (request) => {
      world.steps.push('commit');
      const instead = commitInstead(request);
      if (instead) return instead;
      const { subject } = request;
      const files = changedSince(kept ?? snapshot);
      const trailers = Object.fromEntries(request.trailers);
      world.commits.push({ subject, trailers, files, prd: world.prdText });
      kept = undefined;
      return { kind: 'committed', commit: `commit-${world.commits.length}`, remarks: [] };
    },
    rollBack: async () => {
      world.steps.push('roll back');
      const hasWork = changedSince(snapshot).length > 0 || world.ownCommits.length > 0;
      set(snapshot);
      if (!hasWork) return undefined;
      world.refs.push(left);
      return `refs/ralph/run-1/${world.refs.length}`;
    },
    keep: async () => {
      world.steps.push('keep');
      kept ??= snapshot;
    },
    writing: (state) => void world.writings.push({ ...state, inFile: { prd: world.prdText, log: world.logText } }),
    release: async () => void world.steps.push('release'),
    push: async () => {
      world.steps.push('push');
      return world.pushWarning;
    },
  };
}
