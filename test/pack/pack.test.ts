import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allowsVersion } from './allows-version.ts';
import { installNode } from './install-node.ts';
import { manifestOf, packAndInstall, project } from './pack-and-install.ts';
import type { Packed } from './pack-and-install.ts';

/** What all of it may take on a disk. */
const MAX_UNPACKED_BYTES = 2 * 1024 * 1024;

let packed: Packed;
beforeAll(() => {
  packed = packAndInstall();
}, 300_000);
afterAll(() => rmSync(packed.folder, { recursive: true, force: true }), 60_000);

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Runs the installed `ralph` with a `node` of this folder, in an empty folder and an environment of its own. */
function ralph(
  args: readonly string[],
  nodeBin = path.dirname(process.execPath),
): Promise<Ended & { cwd: string; home: string }> {
  const place = path.join(packed.folder, `run-${path.basename(path.dirname(nodeBin))}-${args.join('-')}`);
  const [cwd, home, temp] = ['cwd', 'home', 'tmp'].map((name) => path.join(place, name)) as [string, string, string];
  for (const folder of [cwd, home, temp]) mkdirSync(folder, { recursive: true });
  const env = {
    PATH: `${nodeBin}${path.delimiter}${process.env['PATH'] ?? ''}`,
    HOME: home,
    TMPDIR: temp,
    LC_ALL: 'C.UTF-8',
  };
  const child = spawn(path.join(packed.modules, '.bin', 'ralph'), args, {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [out, err]: [Buffer[], Buffer[]] = [[], []];
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) =>
      resolve({ code, out: Buffer.concat(out).toString(), err: Buffer.concat(err).toString(), cwd, home }),
    );
  });
}

function filesIn(folder: string): string[] {
  return readdirSync(path.join(packed.copy, folder), { recursive: true, encoding: 'utf8', withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(packed.copy, path.join(entry.parentPath, entry.name)));
}

function readNotices(): string {
  return readFileSync(path.join(packed.installed, 'dist/THIRD-PARTY-NOTICES.txt'), 'utf8');
}

describe('the tarball', () => {
  it('holds what runs and what is read, and nothing else', () => {
    const shipped = ['bin', 'dist', 'templates', 'schema', 'skills', '.claude-plugin'].flatMap(filesIn);
    const pages = ['package.json', 'prd.json.example', 'README.md', 'LICENSE', 'CHANGELOG.md'];
    const wanted = [...shipped, ...pages];
    expect(packed.files.toSorted()).toEqual(wanted.toSorted());
    expect(filesIn('dist').filter((file) => !/^dist\/[a-z-]+\.js$/.test(file))).toEqual([
      'dist/THIRD-PARTY-NOTICES.txt',
    ]);
  });

  it('needs no other package, and names those that are in it with their licences', () => {
    expect(readdirSync(packed.modules).filter((name) => !name.startsWith('.'))).toEqual([manifestOf(project).name]);
    for (const name of ['chalk', 'commander', 'execa', 'simple-git', 'zod'])
      expect(readNotices()).toMatch(new RegExp(`^${name} [\\d.]+ \\(MIT\\)$[^]*?Permission is hereby granted`, 'm'));
  });

  it('knows no folder of the machine it was made on, and no maps to sources that are not there', () => {
    const telling = packed.files.filter((file) => {
      const text = readFileSync(path.join(packed.installed, file), 'utf8');
      return [project, packed.folder, `${homedir()}/`, 'sourceMappingURL'].some((mark) => text.includes(mark));
    });
    expect(telling).toEqual([]);
  });

  it(`takes less than ${MAX_UNPACKED_BYTES / 1024 / 1024} MiB`, () => {
    expect(packed.unpackedSize).toBeGreaterThan(100_000);
    expect(packed.unpackedSize).toBeLessThan(MAX_UNPACKED_BYTES);
  });

  it('has a program that can be started', () => {
    expect(statSync(path.join(packed.installed, 'bin', 'ralph.js')).mode & 0o111).not.toBe(0);
  });
});

describe('Node 20.19', () => {
  it('is what the package asks for, and every package that is in it allows it', () => {
    expect(manifestOf(packed.installed).engines?.node).toBe('>=20.19');
    const names = [...readNotices().matchAll(/^(\S+) \d[\d.]* \(/gm)].map(([, name = '']) => name);
    expect(names.length).toBeGreaterThan(20);
    const ranges = names.map(
      (name) => [name, manifestOf(path.join(project, 'node_modules', name)).engines?.node] as const,
    );
    const refusing = ranges.filter(([, range]) => range !== undefined && !allowsVersion(range, [20, 19, 0]));
    expect(refusing).toEqual([]);
  });

  it.each([
    ['>=18', true],
    ['>= 20.19', true],
    ['>=20.20', false],
    ['^18.19.0 || >=20.5.0', true],
    ['^18.0.0 || ^22', false],
    ['>=14 <20', false],
    ['>=14 <=20.19.0', true],
    ['~20.18', false],
    ['20', true],
    ['20.x', true],
    ['22.x', false],
    ['*', true],
  ])('a range %s is read as it is meant: %s', (range, wanted) => {
    expect(allowsVersion(range, [20, 19, 0])).toBe(wanted);
  });
});

describe('the installed ralph', () => {
  const nodes = new Map([['this Node', path.dirname(process.execPath)]]);
  const node = (name: string): string => nodes.get(name) ?? '';
  beforeAll(() => {
    for (const major of [22, 24]) nodes.set(`Node ${major}`, installNode(major));
  }, 300_000);

  it.concurrent.each(['this Node', 'Node 22', 'Node 24'])('on %s says its version', async (name) => {
    const { code, out, err } = await ralph(['--version'], node(name));
    expect([code, out, err]).toEqual([0, `${manifestOf(project).version}\n`, '']);
  });

  it.concurrent.each(['this Node', 'Node 22', 'Node 24'])(
    'on %s shows a complete run with `ralph demo`, and leaves nothing in the current folder and home',
    async (name) => {
      const { code, out, err, cwd, home } = await ralph(['demo'], node(name));
      expect(code, `${out}${err}`).toBe(0);
      expect(out).toMatch(/All \d+ stories passed/);
      expect([readdirSync(cwd), readdirSync(home)]).toEqual([[], []]);
    },
    300_000,
  );
});

describe('README', () => {
  it('has the options of `ralph run --help`, word for word, with the same defaults', async () => {
    const { code, out } = await ralph(['run', '--help']);
    expect(code).toBe(0);
    const help = optionsOfHelp(out);
    expect(help.length).toBeGreaterThan(20);
    expect(optionsOfReadme().toSorted(byName)).toEqual(help.toSorted(byName));
  });
});

interface Option {
  readonly flags: string;
  readonly value: string;
  readonly text: string;
}

const byName = (one: Option, other: Option): number => one.flags.localeCompare(other.flags);

/** `  --delay <d>   pause between iterations (default: 2s)`, where a long text goes on in the next lines. */
function optionsOfHelp(help: string): Option[] {
  const joined = help.replace(/\n {20,}(?=\S)/g, ' ');
  return [...joined.matchAll(/^ {2}(-.+?) {2,}(.+)$/gm)].map(([, flags = '', rest = '']) => {
    const [, text = '', value = ''] = /^(.*?)(?: \(default: (.*)\))?$/.exec(rest) ?? [];
    return { flags, value, text };
  });
}

/** The rows of the table under the heading about options: flags, default (`off` for a plain flag), text. */
function optionsOfReadme(): Option[] {
  const readme = readFileSync(path.join(project, 'README.md'), 'utf8');
  const section = /^## Options.*?$([^]*?)(?=^## )/m.exec(readme)?.[1] ?? '';
  return [...section.matchAll(/^\| `(-.+?)` \|(.*?)\| (.+) \|$/gm)].map(([, flags = '', value = '', text = '']) => ({
    flags: unescape(flags),
    value: value.trim() === 'off' ? '' : unescape(value.trim()),
    text: unescape(text),
  }));
}

const unescape = (cell: string): string => cell.replaceAll('\\|', '|');
