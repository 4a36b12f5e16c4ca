/** Scratch repositories for the benchmarks, and ralph in them. */
import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

export const bin = process.env.RALPH_BENCH_BIN ?? path.join(import.meta.dirname, '../bin/ralph.js');

/** Does a bit of work and ticks its story: each is one line of prd.json. Its own time is not ralph's. */
const worker = `cat > /dev/null; echo "$RALPH_ITERATION" > "work-$RALPH_STORY_ID.txt"
sed -i "s/\\"id\\": \\"$RALPH_STORY_ID\\", \\"passes\\": false/\\"id\\": \\"$RALPH_STORY_ID\\", \\"passes\\": true/" prd.json
echo done`;
const agents = { works: worker, idles: 'cat > /dev/null; echo "nothing to do"' };

/** Makes a repository with so many stories, log entries and files, with an agent that `works` or `idles` or a command. */
export function createWorld({ stories = 20, entries = 0, files = 10, agent = 'works' }) {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), 'ralph-bench-'));
  const [repo, home] = ['repo', 'home'].map((name) => path.join(root, name));
  for (const folder of [repo, home]) fs.mkdirSync(folder);
  const env = { PATH: process.env.PATH, HOME: home, LANG: 'C.UTF-8', NO_COLOR: '1', GIT_CONFIG_NOSYSTEM: '1' };
  const git = (...args) => execFileSync('git', args, { cwd: repo, env, stdio: ['ignore', 'pipe', 'ignore'] });
  const command = agents[agent] === undefined ? agent : ['sh', '-c', agents[agent]];
  const [program, ...args] = command;
  const config = { tool: 'bench', agents: { bench: { command: program, args, prompt: 'stdin', output: 'text' } } };
  fs.writeFileSync(path.join(repo, 'ralph.config.json'), JSON.stringify({ ...config, delay: '0s', gates: [] }));
  fs.writeFileSync(path.join(repo, 'prd.json'), prdText(stories));
  if (entries > 0) fs.writeFileSync(path.join(repo, 'progress.txt'), logText(entries));
  for (let at = 0; at < files; at += 1) {
    const folder = path.join(repo, 'src', `part-${Math.floor(at / 100)}`);
    fs.mkdirSync(folder, { recursive: true });
    fs.writeFileSync(path.join(folder, `file-${at}.txt`), `file ${at}\n`.repeat(20));
  }
  git('init', '-q', '-b', 'main');
  git('config', 'user.name', 'Bench');
  git('config', 'user.email', 'bench@localhost');
  git('add', '-A');
  git('commit', '-q', '-m', 'base');
  return { root, repo, env, dispose: () => fs.rmSync(root, { recursive: true, force: true, maxRetries: 5 }) };
}

function prdText(count) {
  const lines = Array.from({ length: count }, (_, at) => {
    const id = `US-${String(at + 1).padStart(4, '0')}`;
    const rest = { title: `Story ${at + 1}`, description: 'As a user I want it.', acceptanceCriteria: ['It works'] };
    return `    {"id": "${id}", "passes": false, ${JSON.stringify({ ...rest, priority: at + 1, notes: '' }).slice(1)}`;
  });
  return `{\n  "project": "Bench",\n  "branchName": "ralph/bench",\n  "userStories": [\n${lines.join(',\n')}\n  ]\n}\n`;
}

function logText(count) {
  const entry = (at) =>
    `## 2026-01-01T00:00:00Z - US-${at}\n- implemented story ${at}\n- learnt something about it\n---\n`;
  const entries = Array.from({ length: count }, (_, at) => entry(at));
  return `# Ralph Progress Log\nBranch: ralph/bench\nStarted: 2026-01-01\n---\n\n${entries.join('\n')}`;
}

/** Runs ralph to its end. `sample` is called with its pid now and then. Returns its events and the time in ms. */
export async function runRalph(world, args, sample = () => {}) {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [bin, 'run', ...args], {
    cwd: world.repo,
    env: world.env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const timer = setInterval(() => sample(child.pid), 20);
  const code = await new Promise((resolve) => child.once('exit', resolve));
  clearInterval(timer);
  const ms = performance.now() - startedAt;
  const run = fs.readdirSync(path.join(world.repo, '.ralph/runs')).sort().at(-1);
  const lines = fs
    .readFileSync(path.join(world.repo, '.ralph/runs', run, 'events.jsonl'), 'utf8')
    .trim()
    .split('\n');
  return { code, ms, events: lines.map((line) => JSON.parse(line)) };
}

/** What each iteration took apart from agent, gates and checks, in ms. */
export function ownWork(events) {
  const own = new Map();
  for (const event of events) {
    if (event.type === 'iteration.finished')
      own.set(event.iteration, (own.get(event.iteration) ?? 0) + event.durationMs);
    if (event.type === 'agent.finished' || (event.type === 'gate.finished' && event.iteration > 0))
      own.set(event.iteration, (own.get(event.iteration) ?? 0) - event.durationMs);
  }
  return [...own].sort(([a], [b]) => a - b).map(([, ms]) => ms);
}

export function medianOf(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** Time of one command in ms, the median of so many runs. */
export function timeOf(command, args, times, options = {}) {
  return medianOf(
    Array.from({ length: times }, () => {
      const startedAt = performance.now();
      execFileSync(command, args, { stdio: 'ignore', ...options });
      return performance.now() - startedAt;
    }),
  );
}

/** A field of /proc/<pid>/status in MB; undefined where there is no such process (or no /proc). */
export function memoryOf(pid, field) {
  try {
    const text = fs.readFileSync(`/proc/${pid}/status`, 'utf8');
    const found = new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(text);
    return found === null ? undefined : Number(found[1]) / 1024;
  } catch {
    return undefined;
  }
}

export function openFilesOf(pid) {
  try {
    return fs.readdirSync(`/proc/${pid}/fd`).length;
  } catch {
    return undefined;
  }
}
