import type { GateSetting } from './settings.ts';

/** Text by name of the files of one folder, as far as they are there. */
export type ProjectFiles = ReadonlyMap<string, string>;

/** A gate without a time limit of its own, which detection knows nothing about. */
export type DetectedGate = Pick<GateSetting, 'name' | 'run'>;
