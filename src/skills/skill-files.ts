import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readBytes } from '../json/read-file.ts';
import { packageFile } from '../package-files.ts';

export const skillNames = ['prd', 'ralph'] as const;
export type SkillName = (typeof skillNames)[number];

/** Where tools look for the skills of a project, from the root of the working tree. */
export const skillFolders = { claude: '.claude/skills', agents: '.agents/skills' } as const;
export type SkillPlace = keyof typeof skillFolders;
export const skillPlaces: readonly SkillPlace[] = ['claude', 'agents'];

/** The text of each skill. */
export type SkillTexts = ReadonlyMap<SkillName, string>;

/** A skill in a place. `changed`: something else than this version of ralph brings, the user's own or an older one. */
export interface FoundSkill {
  readonly name: SkillName;
  readonly place: SkillPlace;
  /** From the root of the working tree, with `/`. */
  readonly path: string;
  readonly state: 'missing' | 'current' | 'changed';
}

/** The skills as this version of ralph brings them. */
export async function readOwnSkills(): Promise<SkillTexts> {
  return new Map(
    await Promise.all(
      skillNames.map(async (name) => [name, await readFile(packageFile(`skills/${name}/SKILL.md`), 'utf8')] as const),
    ),
  );
}

/** Path of a skill from the root of the working tree. */
export function skillPath(name: SkillName, place: SkillPlace): string {
  return `${skillFolders[place]}/${name}/SKILL.md`;
}

/** The texts of the skill files that a working tree has, by path. Throws UsageError for one that can't be read. */
export async function readSkills(root: string): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for (const place of skillPlaces) {
    for (const name of skillNames) {
      const path = skillPath(name, place);
      const content = await readBytes(join(root, path), path);
      if (content.kind === 'file') texts.set(path, Buffer.from(content.bytes).toString('utf8'));
    }
  }
  return texts;
}

/** What each skill is in each place: `texts` are those of the working tree, by path, `own` those of this version. */
export function findSkills(texts: ReadonlyMap<string, string>, own: SkillTexts): FoundSkill[] {
  return skillPlaces.flatMap((place) =>
    skillNames.map((name): FoundSkill => {
      const path = skillPath(name, place);
      const text = texts.get(path);
      const isOwn = text !== undefined && unify(text) === unify(own.get(name) ?? '');
      return { name, place, path, state: text === undefined ? 'missing' : isOwn ? 'current' : 'changed' };
    }),
  );
}

/** git may have checked the file out with other line endings. */
function unify(text: string): string {
  return text.replaceAll('\r\n', '\n');
}
