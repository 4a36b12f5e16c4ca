import { execFileSync, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { startModelServer } from './model-server.ts';
import type { ModelServer, Script } from './model-server.ts';
import { prd } from './two-stories.ts';

export interface Event {
  type: string;
  iteration?: number;
  story?: string;
  name?: string;
  class?: string;
  reason?: string;
  waitMs?: number;
  resetAt?: string | null;
  costUsd?: number;
  tokens?: { input: number; output: number; cacheRead: number; cacheCreation: number };
  session?: string;
  code?: number;
  pid?: number;
}

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export const ralph = fileURLToPath(new URL('../../bin/ralph.js', import.meta.url));
export const built = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

/** A repository, a home and a model server for one run of a real CLI. */
export interface RealWorld {
  readonly repository: string;
  readonly server: ModelServer;
  readonly environment: (bin: string) => NodeJS.ProcessEnv;
  readonly git: (...args: string[]) => string;
  start(
    command: string,
    args: readonly string[],
    env: NodeJS.ProcessEnv,
    input?: string,
  ): { child: ChildProcess; ended: Promise<Ended> };
  events(): Event[];
  /** Pids of processes that belong to this world's home, zombies left out. */
  alive(): number[];
  dispose(): Promise<void>;
}

export async function createRealWorld(makeScript: (repository: string) => Script): Promise<RealWorld> {
  const root = await mkdtemp(path.join(os.tmpdir(), 'ralph-real-'));
  const repository = path.join(root, 'repository');
  const home = path.join(root, 'home');
  for (const folder of [repository, home]) mkdirSync(folder);
  const server = await startModelServer(makeScript(repository));
  // What the CLI needs to work without an account and without a network, and nothing of the caller's own sessions.
  const environment = (bin: string): NodeJS.ProcessEnv => ({
    PATH: `${bin}${path.delimiter}${process.env['PATH']}`,
    HOME: home,
    TMPDIR: os.tmpdir(),
    LANG: 'C.UTF-8',
    GIT_CONFIG_NOSYSTEM: '1',
    ANTHROPIC_BASE_URL: server.url,
    ANTHROPIC_API_KEY: 'sk-ant-none',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_TELEMETRY: '1',
    ...(process.getuid?.() === 0 ? { IS_SANDBOX: '1' } : {}),
  });
  const git = (...args: string[]): string =>
    execFileSync('git', args, {
      cwd: repository,
      env: { ...environment(''), PATH: process.env['PATH'] },
      encoding: 'utf8',
    }).trim();
  const world: RealWorld = {
    repository,
    server,
    environment,
    git,
    start(command, args, env, input = '') {
      const child = spawn(command, args, { cwd: repository, env });
      let [out, err] = ['', ''];
      child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
      child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
      child.stdin.end(input);
      const ended = new Promise<Ended>((resolve, reject) => {
        child.on('error', reject).on('close', (code) => resolve({ code, out, err }));
      });
      return { child, ended };
    },
    events() {
      const runs = path.join(repository, '.ralph', 'runs');
      const name = readdirSync(runs).toSorted().at(-1) ?? '';
      const lines = readFileSync(path.join(runs, name, 'events.jsonl'), 'utf8').split('\n');
      return lines.filter(Boolean).map((line): Event => JSON.parse(line));
    },
    alive: () => listProcesses(`HOME=${home}`),
    async dispose() {
      for (const pid of world.alive()) process.kill(pid, 'SIGKILL');
      await server.close();
      await rm(root, { recursive: true, force: true, maxRetries: 5 });
    },
  };
  startRepository(world);
  return world;
}

function startRepository({ repository, git }: RealWorld): void {
  git('init', '--quiet', '--initial-branch=main');
  writeFileSync(path.join(repository, 'prd.json'), `${JSON.stringify(prd, null, 2)}\n`);
  writeFileSync(
    path.join(repository, 'ralph.config.json'),
    JSON.stringify({ gates: ['test -f prd.json'], delay: '100ms' }),
  );
  git('add', '--all');
  git('-c', 'user.name=Tester', '-c', 'user.email=tester@localhost', 'commit', '--quiet', '--message=base');
}

function listProcesses(mark: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        return readFileSync(`/proc/${name}/environ`, 'utf8').split('\0').includes(mark);
      } catch {
        return false;
      }
    })
    .map(Number);
}
