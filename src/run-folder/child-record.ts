import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { identityOf, lifeOf, parseIdentity } from '../process/identity.ts';
import type { ProcessIdentity } from '../process/identity.ts';
import { sweep } from '../process/sweep.ts';
import type { KilledProcess } from '../process/types.ts';

/**
 * Writes the groups that run now to `<git dir>/ralph/children.json`, for the run after a kill of this one: give it to
 * `createChildRegistry`. Never throws; without the file the next run still finds what carries the run's id.
 */
export function createChildRecord(gitDir: string): (groups: readonly number[]) => void {
  const file = fileOf(gitDir);
  return (groups) => {
    try {
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(`${file}.new`, `${JSON.stringify(groups.map((group) => identityOf(group)))}\n`);
      renameSync(`${file}.new`, file);
    } catch {
      // see above
    }
  };
}

/**
 * Stops what a dead run left behind: its recorded groups, and every process that carries its id. A group is stopped only
 * while its leader is the recorded process: the same number may be somebody else's by now.
 */
export async function stopLeftovers(gitDir: string, run: string): Promise<KilledProcess[]> {
  const file = fileOf(gitDir);
  const groups = readLeaders(file).filter((leader) => lifeOf(leader) === 'alive');
  const killed = await sweep({ run });
  for (const { pid } of groups) killed.push(...(await sweep({ group: pid })));
  rmSync(file, { force: true });
  return killed;
}

function fileOf(gitDir: string): string {
  return path.join(gitDir, 'ralph', 'children.json');
}

function readLeaders(file: string): ProcessIdentity[] {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return Array.isArray(value) ? value.flatMap((entry: unknown) => parseIdentity(entry) ?? []) : [];
  } catch {
    return [];
  }
}
