import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { projectFileNames } from '../../../src/config/detect-gates.ts';
import { readConfig, readProjectFiles } from '../../../src/config/read.ts';
import { UsageError } from '../../../src/errors.ts';

let folder = '';
const file = (name = 'ralph.config.json'): string => path.join(folder, name);

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'ralph-config-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

describe('readConfig', () => {
  it('says nothing where there is no file, and loads no script beside it', async () => {
    const trap = 'globalThis.trapped = true;\n';
    for (const name of ['ralph.config.js', 'ralph.config.mjs', '.ralphrc', '.ralphrc.js'])
      writeFileSync(file(name), trap);
    expect(await readConfig(folder)).toBeUndefined();
    expect(globalThis).not.toHaveProperty('trapped');
  });

  it('reads through a link, with byte order mark and CRLF', async () => {
    writeFileSync(file('real.json'), '\uFEFF{\r\n  "$schema": "x",\r\n  "model": "größer"\r\n}\r\n');
    symlinkSync('real.json', file());
    expect(await readConfig(folder)).toEqual({ model: 'größer' });
  });

  it('names a folder, and text that is not UTF-8', async () => {
    mkdirSync(file());
    await expect(readConfig(folder)).rejects.toThrow('ralph.config.json is a folder');
    rmSync(file(), { recursive: true });
    writeFileSync(file(), Buffer.from([0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00]));
    await expect(readConfig(folder)).rejects.toThrow('ralph.config.json is not UTF-8');
    writeFileSync(file(), Buffer.from('{ "model": "gr\xf6\xdfer" }', 'latin1'));
    await expect(readConfig(folder)).rejects.toThrow('ralph.config.json is not UTF-8');
  });

  it('gives the place of a syntax error and of every problem', async () => {
    writeFileSync(file(), '{\n  "model": ,\n}');
    await expect(readConfig(folder)).rejects.toMatchObject({
      problems: [expect.stringMatching(/^ralph\.config\.json:2:12: /)],
    });
    writeFileSync(file(), '{\n  "delay": 3,\n  "mdoel": "x"\n}');
    await expect(readConfig(folder)).rejects.toMatchObject({
      problems: [
        expect.stringMatching(/^ralph\.config\.json:2:12: delay has no unit/),
        'ralph.config.json:3:3: mdoel is unknown (did you mean model?)',
      ],
    });
  });

  it.skipIf(process.getuid?.() === 0)('says why a file can not be read', async () => {
    writeFileSync(file(), '{}');
    chmodSync(file(), 0o000);
    await expect(readConfig(folder)).rejects.toBeInstanceOf(UsageError);
  });
});

describe('readProjectFiles', () => {
  it('gives the texts of the files that are there, and nothing for what is no file', async () => {
    writeFileSync(file('package.json'), '\uFEFF{}');
    writeFileSync(file('other.txt'), 'x');
    mkdirSync(file('Makefile'));
    expect([...(await readProjectFiles(folder, projectFileNames))]).toEqual([['package.json', '{}']]);
    expect([...(await readProjectFiles(path.join(folder, 'nowhere'), projectFileNames))]).toEqual([]);
  });
});
