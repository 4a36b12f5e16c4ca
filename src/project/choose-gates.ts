import { detectGates, projectFileNames } from '../config/detect-gates.ts';
import { readProjectFiles } from '../config/read.ts';
import type { GateSetting, Settings } from '../config/settings.ts';
import type { Place } from './place.ts';

/** The gates that are set, else those that the project has by its own conventions. */
export async function chooseGates(place: Place, settings: Pick<Settings, 'gates'>): Promise<readonly GateSetting[]> {
  return settings.gates ?? (await detectGatesOf(place));
}

/** The gates that start folder or root have by convention. */
export async function detectGatesOf({ start, repository: { root } }: Place): Promise<GateSetting[]> {
  const atRoot = await readProjectFiles(root, projectFileNames);
  return detectGates(start === root ? atRoot : await readProjectFiles(start, projectFileNames), atRoot);
}
