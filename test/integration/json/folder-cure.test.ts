import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { cureOfFolder } from '../../../src/folder-cure.ts';

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'ralph-folder-')));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const refusal = (code: string): Error => Object.assign(new Error(code), { code });

it('names the part of the path that is no folder, wherever it stands', () => {
  writeFileSync(path.join(root, 'a b'), '');
  for (const folder of ['a b', 'a b/c', 'a b/c/d']) {
    expect(cureOfFolder(path.join(root, folder), refusal('ENOTDIR'))).toMatch(
      new RegExp(`: mv '${root}/a b' '${root}/a b.old'$`),
    );
  }
});

it('names the folder that must be writable: the one that is there', () => {
  mkdirSync(path.join(root, 'there'));
  for (const folder of ['there', 'there/not/yet'])
    expect(cureOfFolder(path.join(root, folder), refusal('EACCES'))).toMatch(
      new RegExp(`: chmod u\\+rwx ${root}/there$`),
    );
});

it('says what is wrong where no command helps', () => {
  expect(cureOfFolder(root, refusal('ENOSPC'))).toBe('make room on the disk');
  expect(cureOfFolder(root, refusal('EIO'))).toBe(`make sure that ${root} is a folder that can be written`);
});
