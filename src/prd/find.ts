import { join } from 'node:path';
import { isFileThere, listFolder } from '../json/read-file.ts';

/** Where prd.json may be, from the start folder; the first one that is there is taken. */
export const prdPlaces = ['prd.json', 'scripts/ralph/prd.json', 'ralph/prd.json', '.ralph/prd.json'] as const;

export type PrdSearch =
  /** `path` is absolute. */
  | { kind: 'found'; path: string }
  /** `seen`: files under `tasks/` that look like a PRD, `documents`: such that can be converted; as paths from the folder. */
  | { kind: 'missing'; folder: string; seen: readonly string[]; documents: readonly string[] };

/** Looks for prd.json from the start folder, an absolute path. */
export async function findPrd(folder: string): Promise<PrdSearch> {
  for (const place of prdPlaces) {
    const path = join(folder, place);
    if (await isFileThere(path)) return { kind: 'found', path };
  }
  const names = await listFolder(join(folder, 'tasks'));
  const named = (pattern: RegExp): string[] =>
    names.filter((name) => pattern.test(name)).map((name) => `tasks/${name}`);
  return { kind: 'missing', folder, seen: named(/prd.*\.json$/i), documents: named(/prd.*\.md$/i) };
}
