import { dirname, join } from 'node:path';
import { readProjectFiles } from '../config/read.ts';
import type { GateSetting } from '../config/settings.ts';
import { listFolder } from '../json/read-file.ts';
import type { Prd } from '../prd/types.ts';
import type { LintFacts } from '../prd/lint/types.ts';
import { slugOf } from '../archive/slug.ts';
import type { Place } from './place.ts';

/** What the rules want to know of the project around a PRD. `path` is that of prd.json, from the root of the working tree. */
export async function gatherLintFacts(
  place: Place,
  { prd, path, gates }: { prd: Prd; path: string; gates: readonly GateSetting[] },
): Promise<LintFacts> {
  return {
    prd,
    gates: gates.map(({ run }) => run),
    scripts: await readScripts(place),
    document: await findDocument(place, prd, path),
  };
}

/** The scripts that a command in the start folder can mean: those of its package.json, else of the root's. */
async function readScripts({ start, repository: { root } }: Place): Promise<ReadonlySet<string> | undefined> {
  const names = new Set<string>();
  let isThere = false;
  for (const folder of new Set([start, root])) {
    const text = (await readProjectFiles(folder, ['package.json'])).get('package.json');
    const scripts = text === undefined ? undefined : scriptsOf(text);
    if (scripts === undefined) continue;
    isThere = true;
    for (const name of scripts) names.add(name);
  }
  return isThere ? names : undefined;
}

/** Undefined for a file that can't be read as a manifest: npm is to complain about it. */
function scriptsOf(text: string): string[] | undefined {
  try {
    const manifest: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    if (typeof manifest !== 'object' || manifest === null) return undefined;
    const scripts: unknown = 'scripts' in manifest ? manifest.scripts : {};
    return typeof scripts === 'object' && scripts !== null ? Object.keys(scripts) : [];
  } catch {
    return undefined;
  }
}

/** `tasks/prd-<feature>.md`, by the name of the branch: beside prd.json, in the start folder or at the root. */
async function findDocument(
  { start, repository: { root } }: Place,
  prd: Prd,
  path: string,
): Promise<LintFacts['document']> {
  if (prd.branchName === undefined) return undefined;
  const name = `prd-${slugOf(prd.branchName)}.md`.toLowerCase();
  for (const folder of new Set([join(root, dirname(path), 'tasks'), join(start, 'tasks'), join(root, 'tasks')])) {
    const found = (await listFolder(folder)).find((entry) => entry.toLowerCase() === name);
    const text = found === undefined ? undefined : (await readProjectFiles(folder, [found])).get(found);
    if (found !== undefined && text !== undefined) return { path: `tasks/${found}`, hasNonGoals: namesNonGoals(text) };
  }
  return undefined;
}

/** A heading that says so; the document may be of any shape. */
function namesNonGoals(text: string): boolean {
  return /^[ \t>]*(?:#{1,6}|\*\*|__)[^\n]*(?:non-?[ -]?goals?|not goals|out[ -]of[ -]scope|not in scope|nicht-?[ -]?ziele|abgrenzung|exclusions|no objetivos|hors périmètre|fuera de alcance|fora de escopo|非目标)/im.test(
    text,
  );
}
