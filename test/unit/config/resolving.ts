/** Settings from written sources, for the tests of the merge. */
import { parseConfig } from '../../../src/config/parse-config.ts';
import { resolveSettings } from '../../../src/config/resolve.ts';
import type { Given, GivenValue } from '../../../src/config/resolve.ts';
import type { Resolved } from '../../../src/config/settings.ts';
import { UsageError } from '../../../src/errors.ts';

export interface World {
  given?: Given;
  env?: Record<string, string | undefined>;
  file?: object;
}

export function resolve({ given = {}, env = {}, file }: World = {}): Resolved {
  return resolveSettings({ given, env, file: file && parseConfig(JSON.stringify(file)) });
}

export function problemsOf(world: World): readonly string[] {
  try {
    resolve(world);
  } catch (error) {
    if (error instanceof UsageError) return error.problems;
    throw error;
  }
  return [];
}

export const option = (value: GivenValue['value'], source: string): GivenValue => ({ value, source });
