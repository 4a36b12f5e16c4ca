import type { World } from './world.ts';

/** What is refused, how to get there, and the command in the message that leads out of it. */
export interface Refusal {
  readonly name: string;
  /** Leaves a repository in which the story has passed, and that is as committed, as it must be for the refusal. */
  readonly provoke: (w: World) => void;
  /** What shows it most quickly; a dry run where nothing is said. */
  readonly type?: string;
  /** The folder it is typed in, from the repository. */
  readonly at?: string;
  readonly env?: Record<string, string | undefined>;
  /** 2 where nothing is said. */
  readonly code?: 4 | 10;
  /** Words that must be gone afterwards. */
  readonly says: string;
  /** The beginning of the command to take. */
  readonly cure: string;
  /** The command takes the place of what was typed. */
  readonly isWhole?: boolean;
  /** The exit code in the end, where it is not 0. */
  readonly ends?: number;
}
