import { fileURLToPath } from 'node:url';

/**
 * The absolute path of a file or folder that comes with ralph, such as `templates/prompt.md`. Source and bundle both lie one
 * folder below the root of the package; so it is asked for here alone.
 */
export function packageFile(name: string): string {
  return fileURLToPath(new URL(`../${name}`, import.meta.url));
}
