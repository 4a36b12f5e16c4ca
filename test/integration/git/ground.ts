/** A real repository in a temp folder, and what user and agent do in it. */
import { execFileSync, spawnSync } from 'node:child_process';
import { lstatSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { newRepository } from '../../new-repository.ts';
import type { ObjectFormat } from '../../new-repository.ts';

/** A file, by its exact bytes. */
export type Content = string | Uint8Array;

export interface Ground {
  /** Above the repository: a place for bare remotes and other worktrees. */
  readonly outside: string;
  readonly root: string;
  readonly env: NodeJS.ProcessEnv;
  /** git in the root, as the user or the agent calls it; throws where it fails. Trimmed standard output. */
  git(...args: readonly string[]): string;
  /** The same without a care for its exit code, which is returned. */
  tryGit(...args: readonly string[]): number;
  /** A shell script in the root, which ends at the first command that fails, and must not fail. */
  sh(script: string): void;
  write(file: string, content: Content): void;
  read(file: string): string;
  bytes(file: string): Buffer;
  remove(file: string): void;
  exists(file: string): boolean;
  commit(message: string): string;
  /** The trees of a commit or tree: names. */
  names(commit: string): string[];
  dispose(): void;
}

/** A text of twenty lines, some of them changed: numbers from 1. */
export function lines(...changed: readonly [number, string][]): string {
  const all = Array.from({ length: 20 }, (_, at) => `line ${at + 1}`);
  for (const [at, text] of changed) all[at - 1] = text;
  return `${all.join('\n')}\n`;
}

export function breakGround(objectFormat?: ObjectFormat): Ground {
  const outside = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'ralph-git-')));
  const root = path.join(outside, 'repo');
  const env: NodeJS.ProcessEnv = {
    PATH: process.env['PATH'],
    HOME: outside,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: path.join(outside, '.gitconfig'),
    GIT_CEILING_DIRECTORIES: outside,
    GIT_AUTHOR_DATE: '2025-01-01T00:00:00Z',
    GIT_COMMITTER_DATE: '2025-01-01T00:00:00Z',
    GIT_EDITOR: 'true',
  };
  mkdirSync(root);
  writeFileSync(
    path.join(outside, '.gitconfig'),
    '[user]\n\tname = User\n\temail = user@localhost\n[protocol "file"]\n\tallow = always\n[gc]\n\tauto = 0\n[maintenance]\n\tauto = false\n[advice]\n\tdetachedHead = false\n',
  );
  const at = (file: string): string => path.join(root, file);
  const ground: Ground = {
    outside,
    root,
    env,
    git: (...args) =>
      execFileSync('git', args, { cwd: root, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim(),
    tryGit: (...args) => spawnSync('git', args, { cwd: root, env, stdio: 'ignore' }).status ?? -1,
    sh: (script) => execFileSync('sh', ['-ec', script], { cwd: root, env, stdio: ['ignore', 'ignore', 'pipe'] }),
    write: (file, content) => {
      mkdirSync(path.dirname(at(file)), { recursive: true });
      writeFileSync(at(file), content);
    },
    read: (file) => readFileSync(at(file), 'utf8'),
    bytes: (file) => readFileSync(at(file)),
    remove: (file) => rmSync(at(file), { recursive: true, force: true }),
    exists: (file) => lstatSync(at(file), { throwIfNoEntry: false }) !== undefined,
    commit: (message) => {
      // One process from here instead of three: a start costs the more, the larger this process is.
      const script = 'git add -A && git commit --quiet --allow-empty -m "$1" && git rev-parse HEAD';
      return execFileSync('sh', ['-c', script, 'sh', message], {
        cwd: root,
        env,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'pipe'],
      }).trim();
    },
    names: (commit) =>
      ground
        .git('ls-tree', '-r', '-z', '--name-only', commit)
        .split('\0')
        .filter((name) => name !== ''),
    dispose: () => rmSync(outside, { recursive: true, force: true }),
  };
  newRepository(root, objectFormat);
  return ground;
}
