import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { identityOf, lifeOf, parseIdentity } from '../process/identity.ts';
import type { ProcessIdentity } from '../process/identity.ts';
import { sweep } from '../process/sweep.ts';
import { nothing } from '../process/timers.ts';
import type { KilledProcess } from '../process/types.ts';

/** What may run of this run now, in `<git dir>/ralph/children.json`, for the run after a kill of this one. */
export interface ChildRecord {
  /** The groups that run now: give it to `createChildRegistry`. Never throws. */
  readonly write: (groups: readonly number[]) => void;
  /**
   * Stops what dead runs left behind: their recorded groups, and every process that carries the id of one, git included.
   * `known` is a dead run that is known otherwise: an agent may have removed the file. `whenStopped` is told the ids of the
   * dead runs while they are still recorded: a kill in it leaves them to the next run.
   */
  readonly stopLeftovers: (known?: string, whenStopped?: (runs: readonly string[]) => void) => Promise<KilledProcess[]>;
  /** Nothing of this run is left. Never throws. */
  readonly remove: () => void;
}

interface Recorded {
  readonly runs: readonly string[];
  readonly groups: readonly ProcessIdentity[];
}

/** The record of a run. `stopLeftovers` comes before anything else is started. */
export function createChildRecord(gitDir: string, run: string): ChildRecord {
  const file = path.join(gitDir, 'ralph', 'children.json');
  return {
    write: (groups) => save(file, { runs: [run], groups: groups.map((group) => identityOf(group)) }),
    remove: () => rmSync(file, { force: true }),
    stopLeftovers: async (known, whenStopped = nothing) => {
      const dead = read(file);
      const runs = new Set([...dead.runs, ...(known === undefined ? [] : [known])]);
      // This run may be killed meanwhile: then both are to be looked for.
      save(file, { runs: [...runs, run], groups: dead.groups });
      const killed: KilledProcess[] = [];
      // A group is stopped only while its leader is the recorded process: the number may be somebody else's by now.
      const groups = dead.groups.filter((leader) => lifeOf(leader) === 'alive');
      for (const id of runs) if (id !== run) killed.push(...(await sweep({ run: id, helpers: true })));
      for (const { pid } of groups) killed.push(...(await sweep({ group: pid })));
      whenStopped([...runs].filter((id) => id !== run));
      save(file, { runs: [run], groups: [] });
      return killed;
    },
  };
}

function save(file: string, recorded: Recorded): void {
  try {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(`${file}.new`, `${JSON.stringify(recorded)}\n`);
    renameSync(`${file}.new`, file);
  } catch {
    // Without it the next run still finds what carries the id of the iteration that was under way.
  }
}

function read(file: string): Recorded {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (typeof value !== 'object' || value === null) return { runs: [], groups: [] };
    const { runs, groups }: { runs?: unknown; groups?: unknown } = value;
    return {
      runs: Array.isArray(runs) ? runs.filter((id: unknown) => typeof id === 'string') : [],
      groups: Array.isArray(groups) ? groups.flatMap((entry: unknown) => parseIdentity(entry) ?? []) : [],
    };
  } catch {
    return { runs: [], groups: [] };
  }
}
