/** Empty repositories. git makes the first one of each kind, the others are copies: most tests start with one. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

export type ObjectFormat = 'sha1' | 'sha256';

/** What lies in a fresh git folder: the bytes of a file, nothing for a folder. Parents come first. */
type GitFolder = readonly (readonly [name: string, bytes: Buffer | undefined])[];

const made = new Map<ObjectFormat, GitFolder>();

/** Does what `git init --template= --initial-branch=main` does in this folder. */
export function newRepository(root: string, format: ObjectFormat = 'sha1'): void {
  let entries = made.get(format);
  if (entries === undefined) made.set(format, (entries = makeGitFolder(format)));
  mkdirSync(path.join(root, '.git'));
  for (const [name, bytes] of entries) {
    const at = path.join(root, '.git', name);
    if (bytes === undefined) mkdirSync(at);
    else writeFileSync(at, bytes);
  }
}

function makeGitFolder(format: ObjectFormat): GitFolder {
  const root = mkdtempSync(path.join(os.tmpdir(), 'ralph-init-'));
  try {
    const flags = ['--quiet', '--template=', '--initial-branch=main', `--object-format=${format}`];
    execFileSync('git', ['init', ...flags, root], { env: { PATH: process.env['PATH'], GIT_CONFIG_NOSYSTEM: '1' } });
    const folder = path.join(root, '.git');
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .sort()
      .map((name) => {
        const at = path.join(folder, name);
        return [name, statSync(at).isDirectory() ? undefined : readFileSync(at)];
      });
  } finally {
    rmSync(root, { recursive: true });
  }
}
