import type { CheckResult, CheckScope } from '../loop/ports.ts';
import type { Blobs } from './blobs.ts';
import type { BytePath } from './byte-path.ts';
import type { KeptWork } from './kept-work.ts';
import type { Repository } from './repository.ts';
import type { Shadow } from './shadow.ts';
import type { SnapshotData } from './snapshot.ts';
import type { StatePaths } from './state-paths.ts';
import type { TreeChanges } from './tree-diff.ts';

export interface HookRun {
  readonly name: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** What all steps of one run work with. */
export interface Desk {
  readonly repository: Repository;
  readonly shadow: Shadow;
  readonly blobs: Blobs;
  readonly run: string;
  readonly state: StatePaths | undefined;
  /** Absolute path of a folder of this iteration to which left-over files are moved. */
  readonly leftFolder: (iteration: number) => string;
  readonly runHook: (hook: HookRun, scope: CheckScope) => Promise<CheckResult>;
  /** Environment with an identity, for commits in the user's name. */
  readonly identity: NodeJS.ProcessEnv;
  readonly hooks: boolean;
}

/** What the agent left, put in order. */
export interface Left {
  /** The tree as the agent left it, and as it was put in order. */
  readonly original: string;
  readonly tree: string;
  /** Tip of the PRD's branch now: the snapshot's HEAD, or the agent's own commits on top of it. */
  readonly head: string;
  readonly commits: readonly string[];
  /** Commits that only a rescue ref can hold. */
  readonly tips: readonly string[];
  /** Dependency folders that the agent brought. */
  readonly dependencies: readonly BytePath[];
  /** Inner repositories in which something uncommitted has changed. */
  readonly innerEdits: readonly BytePath[];
  /** From the snapshot to now, without the state files. */
  readonly work: TreeChanges;
  /** All that is not the user's since the last accepted commit; the same as `work` unless earlier work was kept. */
  readonly pending: TreeChanges;
  /** From HEAD at the snapshot to the user's tree. */
  readonly uncommitted: TreeChanges;
  readonly ref: string | undefined;
}

/** One iteration (or try) from its snapshot on. */
export interface Turn {
  readonly snapshot: SnapshotData;
  readonly kept: KeptWork | undefined;
  left: Left | undefined;
}
