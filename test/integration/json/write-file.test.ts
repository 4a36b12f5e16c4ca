import {
  chmod,
  link,
  lstat,
  mkdir,
  mkdtemp,
  readFile,
  readdir,
  readlink,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RalphError } from '../../../src/errors.ts';
import { writeFileAtomically } from '../../../src/json/write-file.ts';

let folder = '';
const at = (name: string): string => join(folder, name);
const modeOf = async (path: string): Promise<number> => (await stat(path)).mode & 0o7777;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ralph-write-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

describe('writeFileAtomically', () => {
  it('writes a new file, its folder too, and leaves nothing beside it', async () => {
    expect(await writeFileAtomically(at('a/b/new.json'), 'é\n')).toBe(true);
    expect(await readFile(at('a/b/new.json'), 'utf8')).toBe('é\n');
    expect(await readdir(at('a/b'))).toEqual(['new.json']);
  });

  it('puts another file in place, so that a reader of the old one reads on', async () => {
    await writeFile(at('x'), 'old');
    await link(at('x'), at('reader'));
    await writeFileAtomically(at('x'), 'new');
    expect(await readFile(at('x'), 'utf8')).toBe('new');
    expect(await readFile(at('reader'), 'utf8')).toBe('old');
  });

  it('keeps the mode bits, also of a read-only file', async () => {
    for (const mode of [0o444, 0o640, 0o755, 0o600]) {
      await rm(at('x'), { force: true });
      await writeFile(at('x'), 'old');
      await chmod(at('x'), mode);
      await writeFileAtomically(at('x'), 'new');
      expect(await readFile(at('x'), 'utf8')).toBe('new');
      expect(await modeOf(at('x'))).toBe(mode);
    }
  });

  it('keeps the owner where it may', async ({ skip }) => {
    if (process.getuid?.() !== 0) skip();
    const { chown } = await import('node:fs/promises');
    await writeFile(at('x'), 'old');
    await chown(at('x'), 1234, 2345);
    await writeFileAtomically(at('x'), 'new');
    const { uid, gid } = await stat(at('x'));
    expect([uid, gid]).toEqual([1234, 2345]);
  });

  it('writes through links and keeps them', async () => {
    await mkdir(at('real'));
    await writeFile(at('real/prd.json'), 'old');
    await symlink('real/prd.json', at('inner'));
    await symlink('inner', at('outer'));
    await writeFileAtomically(at('outer'), 'new');
    expect(await readFile(at('real/prd.json'), 'utf8')).toBe('new');
    expect(await readlink(at('outer'))).toBe('inner');
    expect(await readlink(at('inner'))).toBe('real/prd.json');
    expect((await lstat(at('real/prd.json'))).isFile()).toBe(true);
  });

  it('makes the target of a link that leads nowhere', async () => {
    await symlink('gone/prd.json', at('outer'));
    await writeFileAtomically(at('outer'), 'new');
    expect(await readFile(at('gone/prd.json'), 'utf8')).toBe('new');
    expect(await readlink(at('outer'))).toBe('gone/prd.json');
  });

  it('does not touch a file that holds the bytes already', async () => {
    await writeFile(at('x'), 'same');
    const before = await stat(at('x'));
    expect(await writeFileAtomically(at('x'), 'same')).toBe(false);
    const after = await stat(at('x'));
    expect([after.ino, after.mtimeMs]).toEqual([before.ino, before.mtimeMs]);
  });

  it('removes the drafts of a writer that is dead, and those only', async () => {
    const dead = '.x.2147483646.0123abcd.ralph-draft';
    const others = [`.x.${process.ppid}.0123abcd.ralph-draft`, '.y.2147483646.0123abcd.ralph-draft', '.x.draft'];
    for (const name of [dead, ...others]) await writeFile(at(name), 'half');
    await writeFileAtomically(at('x'), 'new');
    expect(await readdir(folder)).toEqual([...others, 'x'].sort());
  });

  it('refuses a folder, a file in the path and a ring of links with what to do, and leaves nothing behind', async () => {
    await mkdir(at('folder/inner'), { recursive: true });
    await writeFile(at('file'), '');
    await symlink('ring', at('ring'));
    for (const [path, cure] of [
      ['folder', 'move the folder'],
      ['file/x', 'a part of the path is a file'],
      ['ring', 'leads back to itself'],
    ] as const) {
      const error = await writeFileAtomically(at(path), 'x', `the ${path}`).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(RalphError);
      expect(error).toMatchObject({ reason: 'environment', message: `the ${path} can't be written` });
      expect(error instanceof RalphError ? error.cures.join() : '').toContain(cure);
    }
    expect((await readdir(folder)).sort()).toEqual(['file', 'folder', 'ring']);
  });

  it('refuses where the folder is not writable', async ({ skip }) => {
    if (process.getuid?.() === 0) skip();
    await mkdir(at('closed'));
    await chmod(at('closed'), 0o555);
    const error = await writeFileAtomically(at('closed/x'), 'x').catch((thrown: unknown) => thrown);
    await chmod(at('closed'), 0o755);
    expect(error).toMatchObject({
      reason: 'environment',
      cures: [`the folder must be writable: chmod u+w ${at('closed')}`],
    });
  });

  it('survives many writers at once: the file is always one of them, whole', async () => {
    const texts = Array.from({ length: 20 }, (_, index) => String(index).repeat(10_000));
    await Promise.all(texts.map((text) => writeFileAtomically(at('x'), text)));
    expect(texts).toContain(await readFile(at('x'), 'utf8'));
    expect(await readdir(folder)).toEqual(['x']);
  });
});
