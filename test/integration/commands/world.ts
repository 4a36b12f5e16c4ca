/** A fresh repository and a screen that is read afterwards, for the tests of commands. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { CommandIo } from '../../../src/commands/types.ts';
import { newRepository } from '../../new-repository.ts';

export interface World {
  readonly root: string;
  readonly io: CommandIo;
  /** What was written to standard output so far. */
  out(): string;
  /** The same as bytes. */
  bytes(): Buffer;
  git(...args: string[]): string;
  /** Runs a line as it would be typed at the root. */
  shell(line: string): string;
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
  const chunks: Buffer[] = [];
  const take = (data: string | Uint8Array): void => {
    chunks.push(Buffer.from(data));
  };
  const writer = {
    out: take,
    outBytes: (bytes: Uint8Array): boolean => {
      take(bytes);
      return true;
    },
    err: (): void => {},
    flush: async (): Promise<void> => Promise.resolve(),
  };
  const io: CommandIo = { writer, env, cwd: root, screen: {} };
  const git = (...args: string[]): string => {
    const identity = ['-c', 'user.name=Tester', '-c', 'user.email=tester@localhost'];
    return execFileSync('git', [...identity, ...args], { cwd: root, env, encoding: 'utf8' }).trim();
  };
  const author = {
    GIT_AUTHOR_NAME: 'T',
    GIT_AUTHOR_EMAIL: 't@localhost',
    GIT_COMMITTER_NAME: 'T',
    GIT_COMMITTER_EMAIL: 't@localhost',
  };
  const shell = (line: string): string =>
    execFileSync('sh', ['-c', line], { cwd: root, env: { ...env, ...author }, encoding: 'utf8' });
  if (repository) newRepository(root);
  return {
    root,
    io,
    out: () => Buffer.concat(chunks).toString('utf8'),
    bytes: () => Buffer.concat(chunks),
    git,
    shell,
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
