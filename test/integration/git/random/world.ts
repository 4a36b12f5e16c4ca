import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { execFile } from 'node:child_process';
import { breakGround } from '../ground.ts';
import type { Ground } from '../ground.ts';

const run = promisify(execFile);

/** What stands in the working tree at a moment: paths to mode and content, git's own folders left out. */
export type Files = ReadonlyMap<string, string>;

export interface World {
  readonly root: string;
  readonly env: NodeJS.ProcessEnv;
  /** Standard output of git; throws where it fails. */
  git(...args: readonly string[]): Promise<string>;
  /** Runs the steps one after the other, whatever becomes of each. */
  sh(scripts: readonly string[]): Promise<void>;
  files(): Files;
  read(file: string): string | undefined;
  dispose(): void;
}

/** A repository with two branches, tags, ignored files and a stash, of which each sequence gets a copy. */
export function createTemplate(): Ground {
  const ground = breakGround();
  ground.sh(`
    mkdir -p dir/sub build
    printf '*.log\\nbuild/\\n' > .gitignore
    for f in a.txt b.txt dir/c.txt dir/sub/d.txt; do for n in 1 2 3 4 5 6 7 8 9; do echo "$f $n"; done > $f; done
    git add -A; git commit -q -m start
    git branch deep/er
    git switch -q -c other; for f in a.txt dir/c.txt; do sed -i 's/ 5$/ O5./' $f; done; echo O1. > other.txt
    git add -A; git commit -q -m other; git switch -q main
    echo done >> b.txt; git commit -q -a -m accepted
    git tag light; git tag -a -m annotated v1
    echo S1. >> a.txt; git stash push -q -m first; echo S2. >> b.txt; git stash push -q -m second
    echo U0. > build/out.o; rm -rf .git/hooks`);
  return ground;
}

export function copyWorld(template: Ground): World {
  const outside = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'ralph-random-')));
  const root = path.join(outside, 'repo');
  mkdirSync(root);
  cpSync(template.root, root, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
  cpSync(path.join(template.outside, '.gitconfig'), path.join(outside, '.gitconfig'));
  const env = {
    ...template.env,
    HOME: outside,
    GIT_CONFIG_GLOBAL: path.join(outside, '.gitconfig'),
    GIT_CEILING_DIRECTORIES: outside,
  };
  return {
    root,
    env,
    git: async (...args) => (await run('git', [...args], { cwd: root, env, maxBuffer: 1 << 28 })).stdout,
    sh: async (scripts) => {
      if (scripts.length === 0) return;
      const script = scripts.map((step) => `{ ${step}; } </dev/null`).join('\n');
      // The last step may fail, and sh with it.
      await run('sh', ['-c', `${script}\ntrue`], { cwd: root, env, maxBuffer: 1 << 28 });
    },
    files: () => readFiles(root),
    read: (file) => {
      const found = lstatSync(path.join(root, file), { throwIfNoEntry: false });
      return found?.isFile() === true ? readFileSync(path.join(root, file), 'utf8') : undefined;
    },
    dispose: () => rmSync(outside, { recursive: true, force: true }),
  };
}

function readFiles(root: string): Files {
  const files = new Map<string, string>();
  const visit = (folder: string): void => {
    for (const entry of readdirSync(path.join(root, folder), { withFileTypes: true })) {
      const name = path.join(folder, entry.name);
      if (name === '.git' || name === '.ralph') continue;
      const file = path.join(root, name);
      if (entry.isDirectory()) visit(name);
      else if (entry.isSymbolicLink()) files.set(name, `link ${readlinkSync(file)}`);
      else if (!name.includes('/.git/'))
        files.set(name, `${(lstatSync(file).mode & 0o100) === 0 ? 'file' : 'exec'} ${readFileSync(file, 'utf8')}`);
    }
  };
  visit('');
  return files;
}

/** What was moved into a folder, and into the further ones of its name. */
export function readAside(folder: string): Files {
  const files = new Map<string, string>();
  for (let n = 1; existsSync(n === 1 ? folder : `${folder}-${n}`); n += 1) {
    const name = n === 1 ? folder : `${folder}-${n}`;
    for (const [file, content] of readFiles(name)) files.set(`${name}/${file}`, content);
  }
  return files;
}
