import { execFileSync } from 'node:child_process';
import {
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { moveAsideForeign, putLinkBack, readShape } from '../../../src/run-folder/state-shape.ts';
import { createFolders } from '../process/support.ts';

const newFolder = createFolders();

/** A folder with `plans/real.json` and a link `prd.json` to it. */
function linked(): { folder: string; link: string; real: string } {
  const folder = newFolder();
  mkdirSync(path.join(folder, 'plans'));
  const [link, real] = [path.join(folder, 'prd.json'), path.join(folder, 'plans', 'real.json')];
  writeFileSync(real, 'old');
  symlinkSync('plans/real.json', link);
  return { folder, link, real };
}

it('puts a link back that was replaced by a file, whose content goes to where the link leads', () => {
  const { folder, link, real } = linked();
  const before = readShape(link);
  rmSync(link);
  writeFileSync(link, 'new');
  expect(putLinkBack(link, before)).toBe(true);
  expect(readlinkSync(link)).toBe('plans/real.json');
  expect(readFileSync(real, 'utf8')).toBe('new');
  expect(readdirSync(folder).sort()).toEqual(['plans', 'prd.json']);
});

it('puts a removed link back, and leaves one alone that is still there', () => {
  const { link, real } = linked();
  const before = readShape(link);
  expect(putLinkBack(link, before)).toBe(false);
  rmSync(link);
  expect(putLinkBack(link, before)).toBe(true);
  expect(readFileSync(link, 'utf8')).toBe('old');
  expect(lstatSync(real).isFile()).toBe(true);
});

it('leaves the file where the target can not be written, and a file that was no link', () => {
  const { link, real } = linked();
  const before = readShape(link);
  rmSync(link);
  writeFileSync(link, 'new');
  expect(putLinkBack(link, { kind: 'plain' })).toBe(false);
  rmSync(real);
  mkdirSync(real);
  expect(putLinkBack(link, before)).toBe(false);
  expect(readFileSync(link, 'utf8')).toBe('new');
});

it('moves a folder aside and removes a pipe, which nobody could read', () => {
  const folder = newFolder();
  const [aside, file] = [path.join(folder, 'aside'), path.join(folder, 'prd.json')];
  mkdirSync(file);
  expect(moveAsideForeign(file, { kind: 'plain' }, aside)).toBe(true);
  expect(readdirSync(aside)).toEqual(['prd.json']);
  execFileSync('mkfifo', [file]);
  expect(readShape(file)).toEqual({ kind: 'other' });
  expect(moveAsideForeign(file, { kind: 'plain' }, aside)).toBe(true);
  expect(lstatSync(file, { throwIfNoEntry: false })).toBeUndefined();
  expect(lstatSync(path.join(aside, 'prd.json')).isDirectory()).toBe(true);
});
