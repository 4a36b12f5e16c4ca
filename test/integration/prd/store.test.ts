import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { UsageError } from '../../../src/errors.ts';
import { findPrd } from '../../../src/prd/find.ts';
import { createPrdFile } from '../../../src/prd/store.ts';

let root = '';
const text =
  '\uFEFF{\r\n  "branchName": "b",\r\n  "userStories": [ { "id": "a", "title": "Größe", "passes": false } ]\r\n}';
const at = (path: string): string => join(root, path);
const thrownBy = async (work: Promise<unknown>): Promise<unknown> => work.catch((error: unknown) => error);

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'ralph-prd-'));
});
afterEach(async () => {
  await rm(root, { recursive: true, force: true });
});

describe('createPrdFile', () => {
  it('reads the exact text, edits and writes it', async () => {
    await writeFile(at('prd.json'), text);
    const file = createPrdFile({ root, path: 'prd.json' });
    const before = await file.read();
    expect(before.text).toBe(text);
    await file.write(file.edit(before, [{ id: 'a', passes: true }]));
    expect(await readFile(at('prd.json'), 'utf8')).toBe(text.replace('false', 'true'));
    expect(await file.compare(before)).toMatchObject({ ticked: ['a'], tampering: undefined });
    expect(Buffer.from((await file.raw()) ?? []).toString()).toBe(text.replace('false', 'true'));
  });

  it('brings the kept text back after an agent deleted the folder or wrote no text', async () => {
    await mkdir(at('scripts/ralph'), { recursive: true });
    await writeFile(at('scripts/ralph/prd.json'), text);
    const file = createPrdFile({ root, path: 'scripts/ralph/prd.json' });
    const before = await file.read();
    await rm(at('scripts'), { recursive: true });
    expect(await file.compare(before)).toMatchObject({ tampering: 'the file was deleted' });
    expect(await file.raw()).toBeUndefined();
    await file.write(before);
    expect(await readFile(at('scripts/ralph/prd.json'), 'utf8')).toBe(text);
    await writeFile(at('scripts/ralph/prd.json'), Buffer.from([0xff, 0x7b]));
    expect(await file.compare(before)).toMatchObject({ tampering: 'the file is not valid UTF-8' });
  });

  it('says what is wrong where there is no file, a folder, no UTF-8', async () => {
    await mkdir(at('folder'));
    await writeFile(
      at('latin.json'),
      Buffer.concat([Buffer.from('{\n\n "project": "Gr'), Buffer.from([0xf6]), Buffer.from('e"}')]),
    );
    await writeFile(at('wide.json'), Buffer.from('\uFEFF{}', 'utf16le'));
    await symlink('nowhere', at('dangling'));
    for (const [path, message, problem] of [
      ['none.json', 'none.json does not exist', at('none.json')],
      ['latin.json/x', 'latin.json/x does not exist', 'latin.json/x'],
      ['dangling', 'dangling does not exist', 'dangling'],
      ['folder', 'folder is a folder, not a file', ''],
      ['latin.json', 'latin.json is not UTF-8 text', 'in line 3'],
      ['wide.json', 'wide.json is not UTF-8 text', 'it is UTF-16'],
    ] as const) {
      const error = await thrownBy(createPrdFile({ root, path }).read());
      expect(error).toBeInstanceOf(UsageError);
      expect(error).toMatchObject({ message });
      expect(error instanceof UsageError ? error.problems.join() : '').toContain(problem);
    }
  });
});

describe('findPrd', () => {
  it('takes the first place that has a file', async () => {
    for (const place of ['.ralph/prd.json', 'ralph/prd.json', 'scripts/ralph/prd.json', 'prd.json']) {
      await mkdir(join(at(place), '..'), { recursive: true });
      await writeFile(at(place), '{}');
      expect(await findPrd(root)).toEqual({ kind: 'found', path: at(place) });
    }
  });

  it('names the folder and what looks like a PRD under tasks', async () => {
    await mkdir(at('prd.json'));
    await mkdir(at('tasks'));
    for (const name of ['prd-login.json', 'my-PRD.json', 'prd-login.md', 'other.json'])
      await writeFile(at(`tasks/${name}`), '');
    expect(await findPrd(root)).toEqual({
      kind: 'missing',
      folder: root,
      seen: ['tasks/my-PRD.json', 'tasks/prd-login.json'],
      documents: ['tasks/prd-login.md'],
    });
    expect(await findPrd(at('nowhere'))).toEqual({ kind: 'missing', folder: at('nowhere'), seen: [], documents: [] });
  });
});
