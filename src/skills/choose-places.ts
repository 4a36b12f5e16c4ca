import type { SkillPlace } from './skill-files.ts';

/** What was asked for with `--skills`. */
export type SkillsChoice = 'none' | SkillPlace;

/** What speaks for a place. */
export interface SkillSigns {
  /** Folders that the working tree has. */
  readonly hasFolder: (name: string) => boolean;
  readonly isOnPath: (command: string) => boolean;
}

/** Tools that read `.agents/skills`. */
const readers = ['amp', 'codex', 'gemini', 'opencode'];

/**
 * Where skills are to be put: the place that was asked for, else each one whose tool shows itself by its folder in the
 * working tree or by its command on PATH. Without any sign it is that of claude, which is also the first agent of a run.
 */
export function choosePlaces(choice: SkillsChoice | undefined, { hasFolder, isOnPath }: SkillSigns): SkillPlace[] {
  if (choice === 'none') return [];
  if (choice !== undefined) return [choice];
  const forClaude = hasFolder('.claude') || isOnPath('claude');
  const forAgents = hasFolder('.agents') || readers.some(isOnPath);
  const places: SkillPlace[] = [...(forClaude ? ['claude' as const] : []), ...(forAgents ? ['agents' as const] : [])];
  return places.length === 0 ? ['claude'] : places;
}
