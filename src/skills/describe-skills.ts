import { skillFolders, skillPlaces } from './skill-files.ts';
import type { FoundSkill } from './skill-files.ts';

/** Where the skills are, on one line: each place that has any, what is missing there, and what is not of this version. */
export function describeSkills(found: readonly FoundSkill[]): string {
  const places = skillPlaces.filter((place) =>
    found.some((skill) => skill.place === place && skill.state !== 'missing'),
  );
  if (places.length === 0) return 'none in this repository (ralph init puts them in)';
  return places
    .map((place) => {
      const names = found
        .filter((skill) => skill.place === place)
        .map(({ name, state }) => `${name}${stateText[state]}`);
      return `${skillFolders[place]}: ${names.join(', ')}`;
    })
    .join(' · ');
}

const stateText: Record<FoundSkill['state'], string> = {
  current: '',
  missing: ' (missing: ralph init puts it in)',
  changed: " (not this version's)",
};
