/** A repository, a home and scripted agents in a temp folder of their own, and the built program to run in it. */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import type { RalphEvent } from '../../src/loop/events.ts';
import { prepare } from './setting.ts';
import type { Setting } from './setting.ts';
import { startProgram } from './program.ts';
import type { Outcome, Started } from './program.ts';

const program = process.env['RALPH_BIN'] ?? fileURLToPath(new URL('../../bin/ralph.js', import.meta.url));

export interface Story {
  id: string;
  title: string;
  passes: boolean;
  notes?: string;
  acceptanceCriteria?: string[];
  ralph?: { attempts?: number; blocked?: string; verified?: { at: string; run: string } };
}
export interface Prd {
  branchName: string;
  userStories: Story[];
}
export interface Call {
  tool: string;
  argv: string[];
  prompt: string;
  at: number;
  pid: number;
  cwd: string;
  env: Record<string, string | undefined>;
}
export interface Where {
  cwd?: string;
  env?: Record<string, string | undefined>;
}

export type World = ReturnType<typeof createWorld>;

/** Makes the world; it goes away when the test has finished. */
export function createWorld(setting: Setting = {}) {
  const root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'ralph-e2e-')));
  const repo = path.join(root, setting.folder ?? 'repo');
  const home = path.join(root, 'home');
  const bin = path.join(root, 'bin');
  for (const folder of [repo, home, bin]) fs.mkdirSync(folder);
  const started: Started[] = [];
  const env: Record<string, string | undefined> = {
    PATH: `${bin}${path.delimiter}${process.env['PATH']}`,
    HOME: home,
    TMPDIR: root,
    TZ: 'UTC',
    LANG: 'C.UTF-8',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CEILING_DIRECTORIES: root,
    IS_SANDBOX: '1',
    ...setting.env,
  };
  const at = (file: string): string => path.resolve(repo, file);

  const world = {
    root,
    env,
    program,
    repo,
    home,
    bin,
    at,
    exists: (file: string): boolean => fs.existsSync(at(file)),
    read: (file: string): string => fs.readFileSync(at(file), 'utf8'),
    list: (folder: string): string[] => (fs.existsSync(at(folder)) ? fs.readdirSync(at(folder)).sort() : []),
    remove: (file: string): void => fs.rmSync(at(file), { recursive: true, force: true }),
    write(file: string, data: string, mode?: number): void {
      fs.mkdirSync(path.dirname(at(file)), { recursive: true });
      fs.writeFileSync(at(file), data, { mode });
    },
    hook: (name: string, body: string): void => world.write(`.git/hooks/${name}`, `#!/bin/sh\n${body}\n`, 0o755),
    config: (config: object): void => world.write('ralph.config.json', JSON.stringify({ delay: '0s', ...config })),
    prd: (file = 'prd.json'): Prd => JSON.parse(world.read(file).replace(/^\uFEFF/u, '')) as Prd,
    story: (id: string): Story => world.prd().userStories.find((story) => story.id === id) ?? fail(`no story ${id}`),
    passes: (file?: string): boolean[] => world.prd(file).userStories.map((story) => story.passes),
    git(...args: string[]): string {
      const done = spawnSync('git', args, { cwd: repo, env, encoding: 'utf8' });
      if (done.status !== 0) throw new Error(`git ${args.join(' ')}: ${done.stderr}`);
      return done.stdout.replace(/\n$/u, '');
    },
    sh: (command: string): string => spawnSync('sh', ['-c', command], { cwd: repo, env, encoding: 'utf8' }).stdout,
    branch: (): string => world.git('symbolic-ref', '--short', 'HEAD'),
    status: (): string => world.git('status', '--porcelain', '-uall'),
    subjects: (range = 'HEAD'): string[] => world.git('log', '--format=%s', range).split('\n').filter(Boolean),
    tree: (rev = 'HEAD'): string[] => world.git('ls-tree', '-rz', '--name-only', rev).split('\0').filter(Boolean),
    rescueRefs: (): string[] =>
      world.git('for-each-ref', '--format=%(refname)', 'refs/ralph').split('\n').filter(Boolean),
    /** The rescue ref whose tree has that file. */
    rescued: (file: string): string | undefined => world.rescueRefs().find((ref) => world.tree(ref).includes(file)),
    calls(): Call[] {
      const register = path.join(bin, 'calls.jsonl');
      return fs.existsSync(register) ? jsonLines<Call>(fs.readFileSync(register, 'utf8')) : [];
    },
    /** The stories that agents were started for, in order. */
    order: (): (string | undefined)[] => world.calls().map((call) => call.env['RALPH_STORY_ID']),
    runs: (): string[] => world.list('.ralph/runs').filter((name) => name !== '.gitignore'),
    /** The folder of the newest run, from the root of the repository. */
    run: (): string => `.ralph/runs/${world.runs().at(-1)}`,
    /** Events of the newest run. */
    events(): RalphEvent[] {
      const file = `${world.run()}/events.jsonl`;
      return world.exists(file) ? jsonLines<RalphEvent>(world.read(file)) : [];
    },
    event: <T extends RalphEvent['type']>(type: T): Extract<RalphEvent, { type: T }>[] =>
      world.events().filter((event): event is Extract<RalphEvent, { type: T }> => event.type === type),
    verdicts: (): string[] => world.event('iteration.finished').map((event) => event.verdict),
    /** Why the newest run ended. */
    reason: (): string | undefined => world.event('run.finished').at(-1)?.reason,
    locked: (): boolean => world.exists('.git/ralph/lock'),
    alive(pid: number | string): boolean {
      try {
        process.kill(Number(pid), 0);
        return !fs.existsSync('/proc') || !/^State:\s+Z/mu.test(fs.readFileSync(`/proc/${pid}/status`, 'utf8'));
      } catch {
        return false;
      }
    },
    /** Starts any command in the repository; it is stopped at the end of the test at the latest. */
    start(command: string[], { cwd = repo, env: more }: Where = {}): Started {
      const one = startProgram(command, { cwd, env: { ...env, ...more } });
      started.push(one);
      return one;
    },
    startRalph: (args: string[], where?: Where): Started => world.start([process.execPath, program, ...args], where),
    ralph: (...args: string[]): Promise<Outcome> => world.startRalph(args).done,
    /** `ralph run <n> --tool claude …` */
    loop: (n: number, ...more: string[]): Promise<Outcome> =>
      world.ralph('run', String(n), '--tool', 'claude', ...more),
    startLoop: (n: number, ...more: string[]): Started =>
      world.startRalph(['run', String(n), '--tool', 'claude', ...more]),
    /** For use in a shell command. */
    command: `'${process.execPath}' '${program}'`,
    /** What an agent, gate or hook has marked in the home folder, once it is there. */
    marked: (name: string): Promise<string> =>
      world.until(`mark ${name}`, () =>
        fs.existsSync(path.join(home, name)) ? fs.readFileSync(path.join(home, name), 'utf8').trim() : '',
      ),
    mark: (name: string): void => fs.writeFileSync(path.join(home, name), 'now'),
    happened: (type: RalphEvent['type'], times = 1): Promise<boolean> =>
      world.until(`${times} ${type}`, () => world.events().filter((event) => event.type === type).length >= times),
    async until<T>(what: string, probe: () => T): Promise<T> {
      const deadline = Date.now() + 20_000;
      for (;;) {
        const value = probe();
        if (value) return value;
        if (Date.now() > deadline) throw new Error(`waited in vain for: ${what}\n${started.at(-1)?.text()}`);
        // eslint-disable-next-line no-promise-executor-return
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
  };

  onTestFinished(async () => {
    for (const call of world.calls()) stopGroup(call.pid);
    for (const one of started) one.stop();
    await Promise.all(started.map((one) => one.done));
    fs.rmSync(root, { recursive: true, force: true, maxRetries: 5 });
  });
  prepare(world, setting);
  return world;
}

function jsonLines<T>(text: string): T[] {
  return text
    .split('\n')
    .filter((line) => line.endsWith('}'))
    .map((line) => JSON.parse(line) as T);
}

function stopGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}

function fail(text: string): never {
  throw new Error(text);
}
