import { execFileSync, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { verify } from '../../../src/commands/verify.ts';
import { buildInto } from '../run-folder/build.ts';
import { createWorld, plain } from './world.ts';
import type { World } from './world.ts';

let w: World;
/** Where checkouts are made; made empty for each test. */
let temp: string;
const tempBefore = process.env['TMPDIR'];
beforeEach(() => {
  w = createWorld();
  temp = path.join(w.root, '..', `${path.basename(w.root)}-tmp`);
  mkdirSync(temp);
  process.env['TMPDIR'] = temp;
});
afterEach(() => {
  if (tempBefore === undefined) delete process.env['TMPDIR'];
  else process.env['TMPDIR'] = tempBefore;
  rmSync(temp, { recursive: true, force: true });
  w.dispose();
});

interface Setup {
  config?: object;
  stories?: object[];
  files?: Record<string, string>;
}

function commit({ config = {}, stories = [{ passes: true }], files = {} }: Setup = {}): void {
  const userStories = stories.map((story, index) => ({ id: `US-${index + 1}`, title: 'T', passes: false, ...story }));
  w.write('prd.json', JSON.stringify({ branchName: 'ralph/x', userStories }));
  w.write('ralph.config.json', JSON.stringify(config));
  w.write('.gitignore', 'node_modules/\n.env\n');
  for (const [file, text] of Object.entries(files)) w.write(file, text);
  w.git('add', '-A');
  w.git('commit', '--quiet', '-m', 'start');
}

const call = async (io = w.io): Promise<number> => verify({ ...plain, given: {} }, io);
const worktrees = (): string[] => w.git('worktree', 'list').split('\n');
const state = (): string => w.git('status', '--porcelain', '--ignored', '--untracked-files=all');

function expectNothingLeft(): void {
  expect(worktrees()).toHaveLength(1);
  expect(readdirSync(temp)).toEqual([]);
  expect(
    existsSync(path.join(w.root, '.git/worktrees')) ? readdirSync(path.join(w.root, '.git/worktrees')) : [],
  ).toEqual([]);
  expect(readdirSync(path.join(w.root, '.git/ralph/verify'))).toEqual([]);
}

describe('ralph verify', () => {
  it('is 0 where gates and the checks of passed stories hold, on HEAD, and leaves nothing', async () => {
    const log = '$HOME/ran';
    commit({
      config: { gates: [{ name: 'sound', run: `test ! -e BROKEN && pwd >> ${log}` }] },
      stories: [
        { passes: true, checks: [`echo "$RALPH_STORY_ID" >> ${log}`] },
        { checks: ['exit 1'] },
        { passes: true },
      ],
    });
    w.write('BROKEN', 'not committed');
    w.write('home/x', '');
    const before = state();
    const io = w.from('.', { HOME: path.join(w.root, 'home') });
    expect(await call(io)).toBe(0);
    const [folder = '', story] = w.read('home/ran').split('\n');
    expect(path.relative(temp, folder)).toMatch(new RegExp(`^ralph-verify-\\w{6}/${path.basename(w.root)}$`));
    expect(story).toBe('US-1');
    expect(w.out()).toMatch(/✓ gate sound · /);
    expect(w.out()).toMatch(/Passed stories without a check of their own, only gates speak for them: US-3\n/);
    expect(w.out()).toMatch(/HEAD holds: 1 gate, 1 check of 2 passed stories\.\n$/);
    rmSync(path.join(w.root, 'home/ran'));
    expect(state()).toBe(before);
    expectNothingLeft();
  });

  it('is 1 where something does not, runs the rest all the same, and shows the last lines', async () => {
    commit({
      config: {
        gates: [
          { name: 'red', run: 'echo "why it is red"; exit 3' },
          { name: 'green', run: 'true' },
        ],
      },
      stories: [{ passes: true, checks: ['exit 1', 'true'] }],
    });
    expect(await call()).toBe(1);
    expect(w.out()).toMatch(/✗ gate red: exit 3.*\n {4}why it is red\n✓ gate green/);
    expect(w.out()).toMatch(
      /HEAD does not hold: gate red is red, check US-1-1 is red \(of 2 gates, 2 checks of 1 passed story\)\.\n$/,
    );
    expectNothingLeft();
  });

  it('looks at HEAD, not at the working tree, but takes the PRD from there', async () => {
    commit({ config: { gates: ['grep -q good state'] }, stories: [{}], files: { state: 'bad' } });
    w.write('state', 'good');
    w.write('prd.json', w.read('prd.json').replace('"passes":false', '"passes":true,"checks":["grep -q bad state"]'));
    expect(await call()).toBe(1);
    expect(w.out()).toMatch(/Not verified, since not committed: state\n/);
    expect(w.out()).toMatch(/✓ check US-1-1/);
  });

  it('runs verify.setup first; without it nothing else is run', async () => {
    commit({ config: { gates: ['test -e made'], verify: { setup: 'touch made' } } });
    expect(await call()).toBe(0);
    expect(w.out()).toMatch(/✓ gate setup[^]*✓ gate/);
    commit({ config: { gates: [{ name: 'never', run: 'true' }], verify: { setup: 'echo no network; exit 7' } } });
    expect(await call()).toBe(1);
    expect(w.out()).toMatch(/no network[^]*HEAD does not hold: verify\.setup is red/);
    expect(w.out()).not.toMatch(/never/);
    expectNothingLeft();
  });

  it('names what the checkout has not, and the setting that brings it', async () => {
    commit({ config: { gates: ['test -e node_modules/x'] } });
    w.write('node_modules/x', '');
    w.write('.env', '');
    w.write('notes.txt', '');
    w.write('progress.txt', '');
    w.write('.ralph/prd-notes', '');
    expect(await call()).toBe(1);
    expect(w.out()).toMatch(/since git does not track it: notes\.txt\n/);
    expect(w.out()).toMatch(/since git ignores it: \.env, node_modules\/\n/);
    const [, setting = ''] = /ralph\.config\.json/.test(w.out())
      ? (/("verify": \{.*\}) in ralph/.exec(w.out()) ?? [])
      : [];
    const cured = JSON.parse(`{${setting}}`) as { verify: { setup: string } };
    commit({
      config: {
        gates: ['test -e node_modules/x'],
        verify: { setup: cured.verify.setup.replace('npm ci', 'mkdir node_modules; touch node_modules/x') },
      },
    });
    expect(await call()).toBe(0);
  });

  it('runs in the same subfolder', async () => {
    commit({ config: { gates: [{ name: 'here', run: 'test -e only-here' }] }, files: { 'pkg/a/only-here': '' } });
    w.write('pkg/a/prd.json', w.read('prd.json'));
    expect(await call(w.from('pkg/a'))).toBe(0);
    w.write('pkg/new/prd.json', w.read('prd.json'));
    expect(await call(w.from('pkg/new'))).toBe(1);
    expect(w.out()).toMatch(/the folder pkg\/new is not in it\. To have it in: git add pkg\/new\n/);
    expectNothingLeft();
  });

  it('says that the content of submodules is missing', async () => {
    w.shell('git init -q lib && cd lib && git commit -q --allow-empty -m x');
    commit({ config: { gates: ['test -e lib/.git'] } });
    expect(await call()).toBe(1);
    expect(w.out()).toMatch(/the content of the submodules: lib\n[^]*git submodule update --init/);
  });

  it('says that nothing was verified where there is nothing to run', async () => {
    commit({ config: { gates: [] } });
    expect(await call()).toBe(0);
    expect(w.out()).toMatch(/claimed, not verified/);
  });

  it('works on a detached HEAD and runs no hook of the repository', async () => {
    commit({ config: { gates: ['true'] } });
    w.git('switch', '--quiet', '--detach');
    w.write('.git/hooks/post-checkout', '#!/bin/sh\ntouch "$GIT_DIR/../PWNED" "$HOME/PWNED"\n');
    w.shell('chmod +x .git/hooks/post-checkout');
    expect(await call()).toBe(0);
    expect(w.exists('PWNED')).toBe(false);
  });

  it('a repository without a commit is exit 2, and the cure cures it', async () => {
    w.write('prd.json', '{"userStories":[{"id":"A","title":"T","passes":true}]}');
    const error: unknown = await call().catch((reason: unknown) => reason);
    expect(error).toMatchObject({ reason: 'usage' });
    const [cure = ''] = Object(error).cures as string[];
    w.shell(cure);
    expect(await call()).toBe(0);
  });
});

describe('ralph verify that is stopped', () => {
  let built: string;
  let main: string;
  const running: ChildProcess[] = [];
  beforeAll(() => {
    built = mkdtempSync(path.join(os.tmpdir(), 'ralph-build-'));
    main = buildInto(built, ['main.ts'])('main.ts');
  }, 60_000);
  afterAll(() => rmSync(built, { recursive: true, force: true }));
  afterEach(() => {
    for (const child of running.splice(0)) child.kill('SIGKILL');
  });

  const start = async (): Promise<ChildProcess> => {
    commit({ config: { gates: ['touch "$HOME/started"; exec sleep 100'] } });
    const env = { ...w.io.env, HOME: temp, TMPDIR: temp };
    const child = spawn(process.execPath, [main, 'verify'], { cwd: w.root, env, stdio: 'ignore' });
    running.push(child);
    await expect.poll(() => existsSync(path.join(temp, 'started')), { timeout: 30_000 }).toBe(true);
    rmSync(path.join(temp, 'started'));
    return child;
  };
  const ended = async (child: ChildProcess): Promise<number | null> =>
    new Promise((resolve) => {
      child.once('exit', resolve);
    });

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('by %s ends with %i and leaves nothing', async (signal, code) => {
    const child = await start();
    const end = ended(child);
    child.kill(signal);
    expect(await end).toBe(code);
    expectNothingLeft();
  });

  it('by KILL is tidied up by the next one, with what still ran in it', async () => {
    const child = await start();
    const end = ended(child);
    child.kill('SIGKILL');
    await end;
    expect(worktrees()).toHaveLength(2);
    const [mark = ''] = readdirSync(path.join(w.root, '.git/ralph/verify'));
    const id = path.basename(mark, '.json');
    expect(carriersOf(id)).not.toEqual([]);
    commit({ config: { gates: ['true'] } });
    expect(await call()).toBe(0);
    expectNothingLeft();
    expect(carriersOf(id)).toEqual([]);
  });
});

/** Processes with this RALPH_RUN_ID, where the system shows them. */
function carriersOf(id: string): string[] {
  if (!existsSync('/proc/self/environ'))
    return execFileSync('ps', ['-Eww', '-o', 'pid='])
      .toString()
      .split('\n')
      .filter((line) => line.includes(id));
  return readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/environ`, 'utf8').includes(id);
    } catch {
      return false;
    }
  });
}
