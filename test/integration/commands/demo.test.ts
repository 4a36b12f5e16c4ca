import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isolateEnv, prepareDemo, runDemo } from '../../../src/commands/demo.ts';
import type { DemoCall } from '../../../src/commands/demo.ts';
import { createPrompt } from '../../../src/prompt/create-prompt.ts';
import { loadTemplate } from '../../../src/prompt/template.ts';
import type { Feedback } from '../../../src/loop/ports.ts';

interface Line {
  type: string;
  result?: string;
  is_error?: boolean;
  message?: { content: { type: string; name?: string; content?: string }[] };
}

let root = '';
let tempFolder = '';
let home = '';
let env: NodeJS.ProcessEnv = {};

beforeEach(async () => {
  root = await mkdtemp(path.join(os.tmpdir(), 'ralph-demo-test-'));
  tempFolder = path.join(root, 'temp folder');
  home = path.join(root, 'home');
  const bin = path.join(root, 'bin');
  for (const folder of [tempFolder, home, bin]) await mkdir(folder);
  for (const tool of ['git', 'sh'])
    await symlink(execFileSync('which', [tool], { encoding: 'utf8' }).trim(), path.join(bin, tool));
  env = { PATH: bin, HOME: home, TMPDIR: tempFolder };
});

afterEach(async () => {
  await rm(root, { recursive: true, force: true });
});

/** What the loop would send to the agent for this story. */
async function promptFor(call: DemoCall, id: string, feedback?: Feedback): Promise<string> {
  const prd: { userStories: { id: string; title: string; checks: string[] }[] } = JSON.parse(
    readFileSync(path.join(call.cwd, 'prd.json'), 'utf8'),
  );
  const story = prd.userStories.find((one) => one.id === id);
  if (story === undefined) throw new Error(`no story ${id}`);
  const port = createPrompt({
    template: await loadTemplate(undefined, call.cwd),
    prd: 'prd.json',
    progress: 'progress.txt',
    memoryFile: 'AGENTS.md',
  });
  return port.render({
    iteration: 1,
    maxIterations: 8,
    story: { id, title: story.title, json: JSON.stringify(story, null, 2), checks: story.checks },
    branch: 'ralph/task-list',
    gates: ['test: node --test'],
    patterns: '',
    newest: '',
    feedback,
  });
}

/** Runs the agent as its config says, with this prompt on standard input. */
function runAgent(call: DemoCall, prompt: string): { code: number | null; lines: Line[]; last: Line | undefined } {
  const config: { tool: string; agents: Record<string, { command: string; args: string[] }> } = JSON.parse(
    readFileSync(path.join(call.cwd, 'ralph.config.json'), 'utf8'),
  );
  const agent = config.agents[config.tool];
  if (agent === undefined) throw new Error('the config has no agent');
  const { status, stdout } = spawnSync(agent.command, agent.args, {
    cwd: call.cwd,
    env: call.env,
    input: prompt,
    encoding: 'utf8',
  });
  const lines = stdout
    .split('\n')
    .filter(Boolean)
    .map((line): Line => JSON.parse(line));
  return { code: status, lines, last: lines.at(-1) };
}

function check(call: DemoCall, command: string): { green: boolean; tail: string } {
  const { status, stdout, stderr } = spawnSync('sh', ['-c', command], {
    cwd: call.cwd,
    env: call.env,
    encoding: 'utf8',
  });
  return { green: status === 0, tail: stdout + stderr };
}

function passes(call: DemoCall): boolean[] {
  const prd: { userStories: { passes: boolean }[] } = JSON.parse(readFileSync(path.join(call.cwd, 'prd.json'), 'utf8'));
  return prd.userStories.map((story) => story.passes);
}

const startLog = (call: DemoCall): void =>
  writeFileSync(path.join(call.cwd, 'progress.txt'), '# Ralph Progress Log\nBranch: x\nStarted: y\n---\n');

describe('the scratch repository', () => {
  it('is a clean repository with one commit, a green gate, red checks, and a config without a foreign setting', async () => {
    writeFileSync(
      path.join(home, '.gitconfig'),
      '[init]\n\tdefaultBranch = other\n[core]\n\thooksPath = /nowhere\n[user]\n\tname = Somebody\n',
    );
    const call = await prepareDemo({ env, tempFolder });
    const git = (...args: string[]): string =>
      execFileSync('git', args, { cwd: call.cwd, env: call.env, encoding: 'utf8' });
    expect(call.cwd).toContain('temp folder');
    expect(git('status', '--porcelain')).toBe('');
    expect(git('log', '--format=%an <%ae> %D')).toBe('Ralph <ralph@localhost> HEAD -> main\n');
    expect(git('config', '--list', '--show-scope')).not.toMatch(/^(?:global|system)/m);
    expect(existsSync(path.join(call.cwd, '.git', 'hooks'))).toBe(false);
    expect(check(call, 'node --test')).toMatchObject({ green: true });
    for (const command of [
      'node acceptance/creates-a-task.js',
      'node acceptance/filters-by-state.js',
      'node acceptance/lists-open-tasks.js',
    ]) {
      expect(check(call, command).green).toBe(false);
    }
    expect(readdirSync(home)).toEqual(['.gitconfig']);
  });

  it('is another one each time', async () => {
    const [one, two] = await Promise.all([prepareDemo({ env, tempFolder }), prepareDemo({ env, tempFolder })]);
    expect(one.cwd).not.toBe(two.cwd);
  });

  it('needs git and a temp folder, and says so', async () => {
    await expect(prepareDemo({ env: { ...env, PATH: root }, tempFolder })).rejects.toMatchObject({
      reason: 'usage',
      message: 'git is not on PATH',
    });
    await expect(prepareDemo({ env, tempFolder: path.join(root, 'none') })).rejects.toMatchObject({
      reason: 'environment',
    });
  });
});

describe('isolateEnv', () => {
  it('lets nothing of a loop, a repository or a Node around it through', () => {
    const around = {
      RALPH_RUN_ID: 'r',
      RALPH_TOOL: 't',
      GIT_DIR: 'd',
      GIT_CONFIG_COUNT: '1',
      NODE_OPTIONS: '--x',
      NODE_TEST_CONTEXT: 'child-v8',
      XDG_CONFIG_HOME: 'c',
    };
    const clean = isolateEnv({ ...env, ...around, LANG: 'C.UTF-8', GONE: undefined }, '/scratch');
    expect(clean).toEqual({
      PATH: `/scratch/bin${path.delimiter}${env['PATH']}`,
      HOME: '/scratch/home',
      XDG_CONFIG_HOME: '/scratch/home/.config',
      TMPDIR: tempFolder,
      LANG: 'C.UTF-8',
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_CONFIG_NOSYSTEM: '1',
    });
  });
});

describe('the scripted agent', () => {
  it('builds the first story, logs it and ticks it alone', async () => {
    const call = await prepareDemo({ env, tempFolder });
    startLog(call);
    const { code, lines, last } = runAgent(call, await promptFor(call, 'US-001'));
    expect(code).toBe(0);
    expect(lines[0]?.type).toBe('system');
    expect(last).toMatchObject({ type: 'result', is_error: false, result: 'US-001 is done, 2 to go.' });
    expect(passes(call)).toEqual([true, false, false]);
    expect(readFileSync(path.join(call.cwd, 'progress.txt'), 'utf8')).toMatch(
      /^# Ralph Progress Log\n[^]*---\n\n## .* - US-001\n- .*\n---\n$/,
    );
    for (const command of [
      'node acceptance/creates-a-task.js',
      'node acceptance/refuses-an-empty-title.js',
      'node --test',
    ])
      expect(check(call, command)).toMatchObject({ green: true });
    expect(
      lines
        .flatMap((line) => line.message?.content ?? [])
        .filter((part) => part.type === 'tool_use')
        .map((part) => part.name),
    ).toEqual(['Write', 'Write', 'Bash', 'Bash', 'Edit']);
  });

  it('forgets a half of the second story, as often as it is not told, and mends it because of the feedback', async () => {
    const call = await prepareDemo({ env, tempFolder });
    startLog(call);
    runAgent(call, await promptFor(call, 'US-001'));
    const red = 'node acceptance/filters-by-state.js';
    const told = (tail: string): Feedback => ({
      verdict: 'rejected',
      reason: `${red} exited 1`,
      gate: { name: red, tail },
      ref: 'refs/ralph/r/002',
      remarks: [],
    });

    for (const feedback of [undefined, told('something else')]) {
      expect(runAgent(call, await promptFor(call, 'US-002', feedback)).code).toBe(0);
      expect(check(call, 'node acceptance/filters-by-tag.js').green).toBe(true);
      expect(check(call, 'node --test').green).toBe(true);
      expect(check(call, red).green).toBe(false);
    }
    const { code, last } = runAgent(call, await promptFor(call, 'US-002', told(check(call, red).tail)));
    expect({ code, error: last?.is_error }).toEqual({ code: 0, error: false });
    for (const command of [red, 'node acceptance/filters-by-tag.js', 'node --test'])
      expect(check(call, command)).toMatchObject({ green: true });
    expect(readFileSync(path.join(call.cwd, 'AGENTS.md'), 'utf8')).toMatch(/A filter of `false` is a filter/);
    expect(readFileSync(path.join(call.cwd, 'progress.txt'), 'utf8')).toMatch(
      /^# Ralph Progress Log\n.*\n.*\n---\n\n## Codebase Patterns\n- A filter of/,
    );

    const end = runAgent(call, await promptFor(call, 'US-003'));
    expect(end.last?.result).toMatch(/\n<promise>COMPLETE<\/promise>$/);
    expect(check(call, 'node acceptance/lists-open-tasks.js')).toMatchObject({ green: true });
    expect(passes(call)).toEqual([true, true, true]);
  });

  it('fails for a prompt that names no story it knows', async () => {
    const call = await prepareDemo({ env, tempFolder });
    expect(runAgent(call, 'hello')).toMatchObject({ code: 1, last: { type: 'result', is_error: true } });
  });
});

describe('runDemo', () => {
  it('runs the loop in the scratch repository, shows folder, commits and rescue refs, and gives its exit code', async () => {
    const said: string[] = [];
    const calls: DemoCall[] = [];
    const runLoop = async (call: DemoCall): Promise<number> => {
      calls.push(call);
      execFileSync('git', ['update-ref', 'refs/ralph/run/002', 'HEAD'], { cwd: call.cwd, env: call.env });
      return 0;
    };
    const outer = { ...env, RALPH_RUN_ID: 'outer' };
    expect(await runDemo({ out: (text) => said.push(text), runLoop, env: outer, tempFolder })).toBe(0);
    const [call] = calls;
    expect(call?.env['RALPH_RUN_ID']).toBeUndefined();
    expect(said[0]).toContain(call?.cwd);
    expect(said[1]).toMatch(/ {2}[0-9a-f]{7} An empty project/);
    expect(said[1]).toContain('git diff refs/ralph/run/002^1 refs/ralph/run/002');
    expect(said[1]).toContain(`cd '${call?.cwd}'`);
    expect(existsSync(call?.cwd ?? '')).toBe(true);
  });

  it('says so when the run did not end well', async () => {
    const said: string[] = [];
    expect(await runDemo({ out: (text) => said.push(text), runLoop: async () => 130, env, tempFolder })).toBe(130);
    expect(said[1]).toContain('ended with exit code 130');
  });
});
