import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const here = import.meta.dirname;
const bin = process.env['RALPH_CHAOS_BIN'] ?? path.join(here, '../../bin/ralph.js');
const realGit = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();

/** How a start of ralph ended. */
export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly text: string;
  readonly ms: number;
}

export interface Running {
  readonly pid: number;
  readonly done: Promise<Ended>;
}

/** A repository with a PRD, a user's unfinished business, and records of who wrote what. */
export interface World {
  readonly seed: number;
  readonly root: string;
  readonly repo: string;
  /** What agent and git wrapper write down. */
  readonly records: string;
  readonly env: NodeJS.ProcessEnv;
  git(...args: readonly string[]): string;
  /** Starts ralph; `limit` is a prefix of the command line, such as a shell with `ulimit`. */
  start(args: readonly string[], limit?: readonly string[]): Running;
  /** Ids of the runs so far, oldest first. */
  runs(): string[];
  /** Removes everything and ends what is left of it. */
  dispose(): void;
}

export const stories = ['US-001', 'US-002', 'US-003'];
export const userFiles = { 'README.md': '# edited by the user\n', 'todo.txt': 'mine\n', 'staged.txt': 'staged\n' };

export interface WorldOptions {
  readonly trackedPrd: boolean;
  /** Command line of another agent than the chaotic one. */
  readonly agent?: readonly string[];
  /** Where to make it, instead of the folder for temporary files. */
  readonly parent?: string;
}

export function createWorld(seed: number, options: WorldOptions): World {
  const root = mkdtempSync(path.join(options.parent ?? tmpdir(), `ralph-chaos-${seed}-`));
  const [repo, records, home, bins] = ['repo', 'records', 'home', 'bin'].map((name) => path.join(root, name));
  if (repo === undefined || records === undefined || home === undefined || bins === undefined) throw new Error('paths');
  for (const folder of [repo, records, home, bins]) mkdirSync(folder);
  writeFileSync(path.join(home, '.gitconfig'), '[user]\n\tname = User\n\temail = user@example.com\n');
  writeFileSync(path.join(bins, 'git'), readFileSync(path.join(here, 'git.sh')), { mode: 0o755 });
  const env = environment({ home, bins, records });
  const git = (...args: readonly string[]): string => {
    const result = spawnSync(realGit, args, { cwd: repo, env, encoding: 'utf8', maxBuffer: 100_000_000 });
    if (result.status !== 0) throw new Error(`git ${args.join(' ')}: ${result.stderr}`);
    return result.stdout;
  };
  const agent = options.agent ?? [process.execPath, path.join(here, 'agent.mjs'), records, String(seed), realGit];
  fill(repo, git, options.trackedPrd, agent);
  return {
    seed,
    root,
    repo,
    records,
    env,
    git,
    start: (args, limit = []) => start(repo, env, [...limit, process.execPath, bin, ...args]),
    runs: () => listIn(path.join(repo, '.ralph/runs')),
    dispose: () => {
      endAll(home);
      rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    },
  };
}

function environment({ home, bins, records }: { home: string; bins: string; records: string }): NodeJS.ProcessEnv {
  const path_ = `${bins}${path.delimiter}${process.env['PATH'] ?? ''}`;
  return {
    PATH: path_,
    HOME: home,
    LANG: 'C.UTF-8',
    NO_COLOR: '1',
    GIT_CONFIG_NOSYSTEM: '1',
    CHAOS_RECORDS: records,
    CHAOS_GIT: realGit,
  };
}

function fill(repo: string, git: World['git'], trackedPrd: boolean, [command, ...args]: readonly string[]): void {
  const write = (file: string, text: string): void => {
    mkdirSync(path.dirname(path.join(repo, file)), { recursive: true });
    writeFileSync(path.join(repo, file), text);
  };
  git('init', '-q', '-b', 'main');
  const files = { 'README.md': '# project\n', 'src/a.txt': 'a\n', 'src/b.txt': 'b\n', 'docs/c.txt': 'c\n' };
  for (const [file, text] of Object.entries(files)) write(file, text);
  write('.gitignore', `ignored/\n${trackedPrd ? '' : 'progress.txt\n'}`);
  write('ignored/keep.txt', 'ignored\n');
  const config = {
    tool: 'chaotic',
    agents: { chaotic: { command, args, prompt: 'stdin', output: 'text' } },
    gates: [{ name: 'sound', run: 'test ! -e BROKEN' }],
    delay: '0s',
    idleTimeout: '1500ms',
  };
  write('ralph.config.json', `${JSON.stringify(config, null, 2)}\n`);
  if (trackedPrd) write('prd.json', prdText());
  git('add', '-A');
  git('commit', '-q', '-m', 'base');
  git('tag', 'mark');
  git('checkout', '-q', '-b', 'side');
  write('src/a.txt', 'a on the side\n');
  git('commit', '-q', '-am', 'side');
  git('checkout', '-q', 'main');
  write('src/b.txt', 'b in the stash\n');
  git('stash', 'push', '-q', '-m', 'of the user');
  if (!trackedPrd) write('prd.json', prdText());
  for (const [file, text] of Object.entries(userFiles)) write(file, text);
  git('add', 'staged.txt');
}

function prdText(): string {
  const userStories = stories.map((id, at) => ({
    id,
    title: `Story ${at + 1}`,
    acceptanceCriteria: ['it is done'],
    priority: at + 1,
    passes: false,
    notes: '',
    checks: [`grep -qx '${id} ok' done/${id}.txt`],
  }));
  return `${JSON.stringify({ project: 'Chaos', branchName: 'ralph/chaos', userStories }, null, 2)}\n`;
}

function start(cwd: string, env: NodeJS.ProcessEnv, command: readonly string[]): Running {
  const [program = '', ...args] = command;
  const startedAt = Date.now();
  const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const chunks: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  const done = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject);
    // Not `close`: orphans may hold the pipes.
    child.once('exit', (code, signal) =>
      setImmediate(() =>
        resolve({ code, signal, text: Buffer.concat(chunks).toString('utf8'), ms: Date.now() - startedAt }),
      ),
    );
  });
  return { pid: child.pid ?? 0, done };
}

export function listIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder).sort() : [];
}

/** Processes whose environment holds this text, without zombies. Linux only, as this whole test. */
export function processesWith(mark: string): { pid: number; command: string }[] {
  return readdirSync('/proc').flatMap((name) => {
    const pid = Number(name);
    if (!Number.isInteger(pid) || pid === process.pid) return [];
    try {
      const variables = readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0');
      const command = readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ').trim();
      return command !== '' && variables.includes(mark) ? [{ pid, command }] : [];
    } catch {
      return [];
    }
  });
}

function endAll(home: string): void {
  for (const { pid } of processesWith(`HOME=${home}`)) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // gone meanwhile
    }
  }
}
