/** A fresh repository and a screen that is read afterwards, for the tests of commands. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { CommandIo } from '../../../src/commands/types.ts';

export interface World {
  readonly root: string;
  readonly io: CommandIo;
  /** What was written to standard output so far. */
  out(): string;
  git(...args: string[]): string;
  write(file: string, text: string): void;
  read(file: string): string;
  exists(file: string): boolean;
  /** The same world seen from another folder of it, or with more in the environment. */
  from(folder: string, env?: NodeJS.ProcessEnv): CommandIo;
  dispose(): void;
}

export function createWorld({ repository = true }: { repository?: boolean } = {}): World {
  const root = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'ralph-commands-')));
  const env: NodeJS.ProcessEnv = {
    PATH: process.env['PATH'],
    HOME: root,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: os.devNull,
    GIT_CEILING_DIRECTORIES: path.dirname(root),
  };
  let out = '';
  const writer = {
    out: (text: string): void => {
      out += text;
    },
    err: (): void => {},
    flush: async (): Promise<void> => Promise.resolve(),
  };
  const io: CommandIo = { writer, env, cwd: root, screen: {} };
  const git = (...args: string[]): string => {
    const identity = ['-c', 'user.name=Tester', '-c', 'user.email=tester@localhost'];
    return execFileSync('git', [...identity, ...args], { cwd: root, env, encoding: 'utf8' }).trim();
  };
  if (repository) git('init', '--quiet', '--initial-branch=main');
  return {
    root,
    io,
    out: () => out,
    git,
    write: (file, text) => {
      mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
      writeFileSync(path.join(root, file), text);
    },
    read: (file) => readFileSync(path.join(root, file), 'utf8'),
    exists: (file) => existsSync(path.join(root, file)),
    from: (folder, more = {}) => ({ ...io, cwd: path.join(root, folder), env: { ...env, ...more } }),
    dispose: () => {
      rmSync(root, { recursive: true, force: true });
    },
  };
}

/** The options that every command takes, as they are when none was given. */
export const plain = { cwd: undefined, noColor: false, verbose: false };
