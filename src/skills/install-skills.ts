import { lstat, mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { messageOf, RalphError, systemCodeOf } from '../errors.ts';
import { findSkills, readOwnSkills, readSkills } from './skill-files.ts';
import type { FoundSkill, SkillPlace } from './skill-files.ts';

/** A skill after an installation. `kept`: something was there and is as it was; `isCurrent`: it says the same as this version's. */
export type InstalledSkill = Pick<FoundSkill, 'name' | 'path'> &
  ({ readonly kind: 'made' } | { readonly kind: 'kept'; readonly isCurrent: boolean });

/**
 * Puts the skills into these places of a working tree. A skill folder that holds anything is the user's and stays as it is.
 * Throws RalphError(environment) where nothing can be written.
 */
export async function installSkills(root: string, places: readonly SkillPlace[]): Promise<InstalledSkill[]> {
  const own = await readOwnSkills();
  const installed: InstalledSkill[] = [];
  for (const place of places) {
    // One place may be a link to the other: looked at anew for each.
    const found = findSkills(await readSkills(root), own).filter((skill) => skill.place === place);
    for (const { name, path, state } of found) {
      const isMade = state === 'missing' && (await create(join(root, path), own.get(name) ?? ''));
      installed.push(
        isMade ? { name, path, kind: 'made' } : { name, path, kind: 'kept', isCurrent: state === 'current' },
      );
    }
  }
  return installed;
}

/** True if the file was made, false if its folder holds something already. */
async function create(path: string, text: string): Promise<boolean> {
  try {
    const folder = dirname(path);
    if (!(await isFree(folder))) return false;
    await mkdir(folder, { recursive: true });
    await writeFile(path, text, { flag: 'wx' });
    return true;
  } catch (error) {
    if (systemCodeOf(error) === 'EEXIST') return false;
    throw new RalphError('environment', `${path} can't be written`, { problems: [messageOf(error)], cause: error });
  }
}

/** Nothing there, or an empty folder. A link that leads nowhere is something. */
async function isFree(folder: string): Promise<boolean> {
  try {
    return (await lstat(folder)).isDirectory() && (await readdir(folder)).length === 0;
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return true;
    throw error;
  }
}
