import { nothing } from './timers.ts';
import type { Ladder } from './group.ts';

/** A child that can be stopped from outside, whoever runs it. */
export interface RunningChild {
  /** The id of its group, which is its pid. */
  readonly group: number;
  begin(ladder: Ladder): void;
  kill(): void;
}

export interface ChildRegistry {
  /** The returned function takes the child out again. */
  add(child: RunningChild): () => void;
  list(): readonly RunningChild[];
}

/**
 * The children that run now. `record` is told the groups after every change, for a file from which the next run learns
 * what a killed ralph left behind.
 */
export function createChildRegistry(record: (groups: readonly number[]) => void = nothing): ChildRegistry {
  const children = new Set<RunningChild>();
  const tell = (): void => record([...children].map((child) => child.group));
  return {
    add: (child) => {
      children.add(child);
      tell();
      return () => {
        if (children.delete(child)) tell();
      };
    },
    list: () => [...children],
  };
}
