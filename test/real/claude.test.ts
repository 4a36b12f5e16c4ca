import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { installClaude } from './install-claude.ts';
import { startModelServer } from './model-server.ts';
import type { ModelServer } from './model-server.ts';
import { playTwoStories, prd } from './two-stories.ts';

interface Event {
  type: string;
  iteration?: number;
  story?: string;
  name?: string;
  class?: string;
  costUsd?: number;
  tokens?: { input: number; output: number; cacheRead: number; cacheCreation: number };
  session?: string;
  code?: number;
}

const ralph = fileURLToPath(new URL('../../bin/ralph.js', import.meta.url));
const built = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

let root = '';
let repository = '';
let server: ModelServer;

beforeEach(async () => {
  root = await mkdtemp(path.join(os.tmpdir(), 'ralph-real-'));
  repository = path.join(root, 'repository');
  for (const folder of ['repository', 'home']) mkdirSync(path.join(root, folder));
  server = await startModelServer(playTwoStories(repository));
});

afterEach(async () => {
  await server.close();
  await rm(root, { recursive: true, force: true, maxRetries: 5 });
});

/** What the CLI needs to work without an account and without a network, and nothing of the caller's own sessions. */
function environment(bin: string): NodeJS.ProcessEnv {
  return {
    PATH: `${bin}${path.delimiter}${process.env['PATH']}`,
    HOME: path.join(root, 'home'),
    TMPDIR: os.tmpdir(),
    LANG: 'C.UTF-8',
    GIT_CONFIG_NOSYSTEM: '1',
    ANTHROPIC_BASE_URL: server.url,
    ANTHROPIC_API_KEY: 'sk-ant-none',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_TELEMETRY: '1',
    ...(process.getuid?.() === 0 ? { IS_SANDBOX: '1' } : {}),
  };
}

async function run(
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  input = '',
): Promise<{ code: number | null; out: string; err: string }> {
  const child = spawn(command, args, { cwd: repository, env });
  let [out, err] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  child.stdin.end(input);
  const code = await new Promise<number | null>((resolve, reject) => child.on('error', reject).on('close', resolve));
  return { code, out, err };
}

function git(...args: string[]): string {
  return execFileSync('git', args, {
    cwd: repository,
    env: { ...environment(''), PATH: process.env['PATH'] },
    encoding: 'utf8',
  }).trim();
}

function startRepository(): void {
  git('init', '--quiet', '--initial-branch=main');
  writeFileSync(path.join(repository, 'prd.json'), `${JSON.stringify(prd, null, 2)}\n`);
  writeFileSync(
    path.join(repository, 'ralph.config.json'),
    JSON.stringify({ gates: ['test -f prd.json'], delay: '100ms' }),
  );
  git('add', '--all');
  git('-c', 'user.name=Tester', '-c', 'user.email=tester@localhost', 'commit', '--quiet', '--message=base');
}

function readEvents(): Event[] {
  const runs = path.join(repository, '.ralph', 'runs');
  const name = readdirSync(runs).find((entry) => !entry.startsWith('.')) ?? '';
  return readFileSync(path.join(runs, name, 'events.jsonl'), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line): Event => JSON.parse(line));
}

describe.each(['2.1.197', '2.1.332'])('Claude Code %s', (version) => {
  let bin = '';

  beforeAll(() => {
    bin = installClaude(version);
  });

  it('is driven by the scripted model: real tools, one result', async () => {
    startRepository();
    const args = ['-p', '--dangerously-skip-permissions', '--output-format', 'stream-json', '--verbose'];
    const { code, out, err } = await run('claude', args, environment(bin), 'Story: US-001 - Write file 1\n');
    expect(code, `${out}${err}`).toBe(0);
    expect(readFileSync(path.join(repository, 'src', 'US-001.txt'), 'utf8')).toBe('done\n');
    expect(readFileSync(path.join(repository, 'progress.txt'), 'utf8')).toContain('## today - US-001');
    expect(server.requests.map(({ toolResults }) => toolResults.length)).toEqual([0, 1, 2, 3]);
  });

  it('works off two stories under ralph, with cost, tokens, session and tools in the events', async () => {
    expect(existsSync(built), 'dist/ is built (npm run build)').toBe(true);
    startRepository();
    const { code, out, err } = await run(
      process.execPath,
      [ralph, 'run', '4', '--tool', 'claude', '--no-color'],
      environment(bin),
    );
    expect(code, `${out}${err}`).toBe(0);

    expect(git('log', '--format=%s', 'ralph/real').split('\n')).toEqual([
      'feat: [US-002] - Write file 2',
      'feat: [US-001] - Write file 1',
      'base',
    ]);
    expect(git('show', 'ralph/real:src/US-002.txt')).toBe('done');
    expect(git('show', 'ralph/real:progress.txt')).toMatch(/## today - US-001\n[^]*## today - US-002\n/);
    expect(git('status', '--porcelain', 'src')).toBe('');
    expect(git('for-each-ref', 'refs/ralph')).toBe('');

    const events = readEvents();
    const finished = events.filter(({ type }) => type === 'agent.finished');
    expect(finished.map((event) => event.class)).toEqual(['ok', 'ok']);
    for (const event of finished) {
      expect(event.costUsd).toBeGreaterThan(0);
      // Four answers of the model in each conversation.
      expect(event.tokens).toEqual({ input: 4000, output: 160, cacheRead: 12_000, cacheCreation: 800 });
      expect(event.session).toMatch(/^[0-9a-f-]{36}$/);
    }
    expect(new Set(finished.map(({ session }) => session)).size, 'a fresh session for each iteration').toBe(2);
    expect(events.filter(({ type }) => type === 'agent.tool').map(({ name }) => name)).toEqual([
      'Write',
      'Bash',
      'Bash',
      'Write',
      'Bash',
      'Bash',
    ]);
    expect(events.filter(({ type }) => type === 'story.passed').map(({ story }) => story)).toEqual([
      'US-001',
      'US-002',
    ]);
    expect(events.at(-1)).toMatchObject({ type: 'run.finished', code: 0 });

    for (const { text } of server.requests) expect(text).toContain('## This iteration');
  });
});
