import { copyFileSync, cpSync, lstatSync, mkdirSync, readlinkSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { systemCodeOf } from '../errors.ts';

/** What stands at the path of a state file: a link with its target, a file or nothing, or something else (a folder, a pipe). */
export type StateShape =
  | { readonly kind: 'link'; readonly target: string }
  | { readonly kind: 'other' }
  | { readonly kind: 'plain' };

/** Looks at a path; an absolute one. */
export function readShape(file: string): StateShape {
  const stats = lstatSync(file, { throwIfNoEntry: false });
  if (stats?.isSymbolicLink() === true) return { kind: 'link', target: readlinkSync(file) };
  return stats === undefined || stats.isFile() ? { kind: 'plain' } : { kind: 'other' };
}

/** Where the state file at this path points to, if it is a link. */
export function linkIn(root: string, name: string | null): string | null {
  const shape = name === null ? undefined : readShape(path.join(root, name));
  return shape?.kind === 'link' ? shape.target : null;
}

/** The shape of a state file that is a link to there; null: that is none. */
export function shapeOf(link: string | null): StateShape {
  return link === null ? { kind: 'plain' } : { kind: 'link', target: link };
}

/**
 * Moves a folder or a new link, which an agent put in the place of a state file, into the folder `aside`: a folder could not
 * be written to, and through a link ralph would write into another file. A pipe or socket just goes: it holds nothing, and
 * who opens it waits for ever. Returns whether there was one.
 */
export function moveAsideForeign(file: string, before: StateShape, aside: string): boolean {
  const now = readShape(file);
  if (now.kind === 'plain' || (now.kind === 'link' && before.kind === 'link' && now.target === before.target))
    return false;
  if (now.kind === 'other' && !lstatSync(file).isDirectory()) {
    rmSync(file);
    return true;
  }
  const to = path.join(aside, path.basename(file));
  rmSync(to, { recursive: true, force: true });
  mkdirSync(aside, { recursive: true });
  try {
    renameSync(file, to);
  } catch (error) {
    if (systemCodeOf(error) !== 'EXDEV') throw error;
    cpSync(file, to, { recursive: true, verbatimSymlinks: true });
    rmSync(file, { recursive: true, force: true });
  }
  return true;
}

/**
 * Puts a link back that an agent replaced by a file (`jq … > new && mv new prd.json`) or removed. What the file holds goes to
 * where the link leads, as if it had been written through it; where that is refused, the file stays. Returns whether it is
 * back.
 */
export function putLinkBack(file: string, before: StateShape): boolean {
  if (before.kind !== 'link' || readShape(file).kind !== 'plain') return false;
  const draft = `${file}.${process.pid}.ralph-link`;
  try {
    if (lstatSync(file, { throwIfNoEntry: false }) !== undefined)
      copyFileSync(file, path.resolve(path.dirname(file), before.target));
    rmSync(draft, { force: true });
    symlinkSync(before.target, draft);
    renameSync(draft, file);
    return true;
  } catch {
    rmSync(draft, { force: true });
    return false;
  }
}
