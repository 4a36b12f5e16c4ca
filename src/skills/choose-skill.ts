import { skillPath } from './skill-files.ts';
import type { SkillName, SkillPlace, SkillTexts } from './skill-files.ts';

/**
 * The text of a skill for an agent: the one that the project has where this agent looks, else where others do, since a
 * project may have made it its own; else that of ralph.
 */
export function chooseSkill(
  name: SkillName,
  agent: string,
  texts: ReadonlyMap<string, string>,
  own: SkillTexts,
): string {
  const places: SkillPlace[] = agent === 'claude' ? ['claude', 'agents'] : ['agents', 'claude'];
  const found = places.map((place) => texts.get(skillPath(name, place))).find((text) => text?.trim());
  return found ?? own.get(name) ?? '';
}
