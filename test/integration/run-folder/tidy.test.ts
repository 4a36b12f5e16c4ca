import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { tidyStateFolder } from '../../../src/run-folder/tidy.ts';
import { createFolders } from '../process/support.ts';

const newFolder = createFolders();

it('removes what killed runs left half written, and nothing else', () => {
  const gitDir = newFolder();
  const folder = path.join(gitDir, 'ralph');
  mkdirSync(path.join(folder, 'merge-a1b2c3'), { recursive: true });
  mkdirSync(path.join(folder, 'turn'));
  const old = ['lock.0123.new', 'children.json.new', 'lock.0123456789ab'];
  const names = ['lock', 'index-before', 'kept.json', 'index-next', 'index-next.lock', 'lock.4567.new', ...old];
  for (const name of names) writeFileSync(path.join(folder, name), '{}');
  const now = Date.now();
  for (const name of old) utimesSync(path.join(folder, name), now / 1000 - 100, now / 1000 - 100);
  tidyStateFolder(gitDir, now);
  expect(readdirSync(folder).sort()).toEqual(['index-before', 'kept.json', 'lock', 'lock.4567.new', 'turn']);
  expect(() => tidyStateFolder(newFolder(), now)).not.toThrow();
});
