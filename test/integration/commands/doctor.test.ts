import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { doctor } from '../../../src/commands/doctor.ts';
import type { CommandIo } from '../../../src/commands/types.ts';
import { settingRows } from '../../../src/config/option-rows.ts';
import type { Given } from '../../../src/config/resolve.ts';
import { acquireLock } from '../../../src/run-folder/lock.ts';
import { createWorld, plain } from './world.ts';
import type { World } from './world.ts';

let w: World;
let env: NodeJS.ProcessEnv;
beforeEach(() => {
  w = createWorld();
  w.write('.gitignore', 'bin/\n');
  w.write('prd.json', prd);
  w.write('ralph.config.json', '{ "gates": ["touch PWNED"], "maxAttempts": 7 }');
  w.git('add', '-A');
  w.git('commit', '--quiet', '-m', 'start');
  const bin = path.join(w.root, 'bin');
  mkdirSync(bin);
  for (const tool of ['git', 'sh', 'node']) symlinkSync(which(tool), path.join(bin, tool));
  env = { PATH: bin, IS_SANDBOX: '1' };
  addAgent('claude', '2.1.0 (Claude Code)', '{"loggedIn": true}');
});
afterEach(() => w.dispose());

const prd = JSON.stringify({
  branchName: 'ralph/x',
  userStories: [{ id: 'A', title: 'T', passes: false, acceptanceCriteria: ['x'], checks: ['touch PWNED'] }],
});

function which(tool: string): string {
  return execFileSync('sh', ['-c', `command -v ${tool}`], { encoding: 'utf8' }).trim();
}

function addAgent(name: string, version: string, login: string): void {
  const file = path.join(w.root, 'bin', name);
  const answers = `case "$*" in --version) echo '${version}';; 'auth status') echo '${login}';; *) touch "$PWD/STARTED";; esac`;
  writeFileSync(file, `#!/bin/sh\n${answers}\n`);
  chmodSync(file, 0o755);
}

const io = (more: NodeJS.ProcessEnv = {}, folder = '.'): CommandIo => w.from(folder, { ...env, ...more });
const call = async (given: Given = {}, at = io()): Promise<number> => doctor({ ...plain, given }, at);
/** The output of one call. */
async function ask(given: Given = {}, at = io()): Promise<{ code: number; text: string }> {
  const before = w.out().length;
  const code = await call(given, at);
  return { code, text: w.out().slice(before) };
}

/** Everything in the tree and in the git folder. */
function picture(folder = w.root): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .map((file) => `${file} ${statSync(file).mtimeMs}`)
    .sort();
}

describe('ralph doctor', () => {
  it('is 0 where a run could start; starts and writes nothing', async () => {
    const before = picture();
    const { code, text } = await ask();
    expect(code).toBe(0);
    expect(text).toMatch(/All is well: a run can start\.\n$/);
    expect(text).toMatch(/✓ claude +2\.1\.0 \(Claude Code\) · logged in · \S+bin\/claude · this one is used/);
    expect(text).toMatch(/· amp +the agent amp can't be started: not on PATH/);
    expect(text).toMatch(/branch +ralph\/x \(now on main\)/);
    expect(text).toMatch(/PRD +prd\.json · 0 of 1 passed/);
    expect(text).toMatch(/Gates \(not run\)\n {2}\S+ +touch PWNED/);
    expect(picture()).toEqual(before);
  });

  it('shows every effective value with its source on one line', async () => {
    const given = { maxCost: { value: '2.5', source: '--max-cost' } };
    const { text } = await ask(given, io({ RALPH_MAX_STALLS: '4', RALPH_IDLE_TIMEOUT: '90m' }));
    for (const row of [
      /^ {2}maxAttempts +7 +ralph\.config\.json$/m,
      /^ {2}maxStalls +4 +RALPH_MAX_STALLS$/m,
      /^ {2}maxFailures +5 +default$/m,
      /^ {2}maxCost +2\.5 +--max-cost$/m,
      /^ {2}idleTimeout +90m +RALPH_IDLE_TIMEOUT$/m,
      /^ {2}gateTimeout +10m +default$/m,
      /^ {2}maxIterations +10 +default$/m,
      /^ {2}tool +claude +default$/m,
      /^ {2}prd +prd\.json +default$/m,
      /^ {2}gates +\S+ +ralph\.config\.json$/m,
      /^ {2}hooks +true +default$/m,
      /^ {2}verify +no setup +default$/m,
      /^ {2}baseBranch +the current HEAD +default$/m,
    ]) {
      expect(text).toMatch(row);
    }
    for (const { key } of settingRows) if (key !== 'unlimited') expect(text).toMatch(new RegExp(`^  ${key} +\\S`, 'm'));
    expect((await ask({ unlimited: { value: true, source: '--unlimited' } })).text).toMatch(
      /^ {2}maxIterations +unlimited +--unlimited$/m,
    );
  });

  it('shows the gates that it would detect', async () => {
    w.write('ralph.config.json', '{}');
    w.write('package.json', '{"scripts":{"test":"node --test"}}');
    const { text } = await ask();
    expect(text).toMatch(/^ {2}test +npm (?:run )?test/m);
    expect(text).toMatch(/^ {2}gates +detected: test +default$/m);
  });

  it('is 4 without an agent, with one that is not logged in, and with a chosen one that is missing', async () => {
    expect(await ask({ tool: { value: 'amp', source: '--tool' } })).toMatchObject({
      code: 4,
      text: expect.stringMatching(/✗ amp/),
    });
    addAgent('claude', '2', '{"loggedIn": false}');
    const { code, text } = await ask();
    expect([code, text]).toEqual([4, expect.stringMatching(/nobody is logged in[^]*Try: [^]*would end with exit 4/)]);
    rmSync(path.join(w.root, 'bin/claude'));
    expect(await ask()).toMatchObject({ code: 4, text: expect.stringMatching(/neither claude nor amp is on PATH/) });
    expect(existsSync(path.join(w.root, 'STARTED'))).toBe(false);
  });

  it('another agent that can not be used is no cause', async () => {
    addAgent('amp', '1', '');
    writeFileSync(path.join(w.root, 'bin/amp'), '#!/bin/sh\nexit 1\n');
    expect((await ask()).code).toBe(0);
  });

  it.each<[string, () => void, RegExp]>([
    ['a bad PRD', () => w.write('prd.json', '{ "userStories": [] }'), /userStories/],
    ['no PRD', () => rmSync(path.join(w.root, 'prd.json')), /there is no prd\.json/],
    ['a bad config', () => w.write('ralph.config.json', '{ "maxAttempt": 1 }'), /maxAttempts/],
    ['a merge under way', () => w.write('.git/MERGE_HEAD', `${w.git('rev-parse', 'HEAD')}\n`), /merge/],
    ['a detached HEAD', () => w.git('switch', '--quiet', '--detach'), /detached/],
    [
      'a branch that is checked out elsewhere',
      () => w.git('worktree', 'add', '--quiet', '-b', 'ralph/x', `${w.root}/bin/tree`),
      /checked out in another working tree/,
    ],
    ['a branch that is in the way of the name', () => w.git('branch', 'ralph'), /can't have a branch ralph\/x/],
    ['a missing base branch', () => w.write('ralph.config.json', '{ "baseBranch": "nope" }'), /no branch nope/],
    ['an unknown agent', () => w.write('ralph.config.json', '{ "tool": "cluade" }'), /did you mean claude/],
    ['a missing prompt', () => w.write('ralph.config.json', '{ "prompt": "nope.md" }'), /nope\.md/],
  ])('is 2 for %s, as a run', async (_, spoil, words) => {
    spoil();
    const { code, text } = await ask();
    expect([code, text]).toEqual([2, expect.stringMatching(words)]);
    expect(text).toMatch(/A run started now would end with exit 2\.\n$/);
    if (words.source !== 'userStories') expect(text).toMatch(/Try: /);
  });

  it('is 2 where changes of the user are in the way of the branch, and not for state files', async () => {
    w.git('switch', '--quiet', '-c', 'ralph/x');
    w.write('file', 'theirs');
    w.write('prd.json', `${prd}\n`);
    w.git('add', '-A');
    w.git('commit', '--quiet', '-m', 'x');
    w.git('switch', '--quiet', 'main');
    w.write('prd.json', ` ${prd}`);
    expect((await ask()).code).toBe(0);
    w.write('file', 'mine');
    expect(await ask()).toMatchObject({
      code: 2,
      text: expect.stringMatching(/changes of yours are in the way[^]*file/),
    });
  });

  it('is 2 where the archive that would be needed can not be written', async () => {
    w.write('.ralph/active/prd.json', prd.replace('ralph/x', 'ralph/old'));
    w.write('archive', 'a file');
    expect(await ask()).toMatchObject({ code: 2, text: expect.stringMatching(/archive can't be written/) });
    rmSync(path.join(w.root, 'archive'));
    expect((await ask()).code).toBe(0);
  });

  it('names all causes at once; 2 wins', async () => {
    w.write('prd.json', '{ "userStories": [{ "id": "A", "title": "" }] }');
    w.write('ralph.config.json', '{ "maxStalls": 0 }');
    rmSync(path.join(w.root, 'bin/claude'));
    const { code, text } = await ask({ maxCost: { value: 'x', source: '--max-cost' } }, io({ RALPH_DELAY: 'soon' }));
    expect(code).toBe(2);
    for (const words of [/maxStalls/, /--max-cost/, /RALPH_DELAY/, /userStories\[0\]\.title/])
      expect(text).toMatch(words);
  });

  it('inside an iteration it is 2, as a run', async () => {
    expect(await ask({}, io({ RALPH_RUN_ID: 'x' }))).toMatchObject({
      code: 2,
      text: expect.stringMatching(/inside an iteration/),
    });
  });

  it('with a prompt and no PRD it is 0', async () => {
    rmSync(path.join(w.root, 'prd.json'));
    w.write('p.md', 'do it');
    expect(await ask({ prompt: { value: 'p.md', source: '--prompt' } })).toMatchObject({
      code: 0,
      text: expect.stringMatching(/PRD +none/),
    });
  });

  it('tells of a running loop, and of warnings', async () => {
    w.write('prd.json', prd.replace('"passes":false,', ''));
    const lock = await acquireLock({ gitDir: path.join(w.root, '.git') });
    const { code, text } = await ask();
    lock.release();
    expect(code).toBe(0);
    expect(text).toMatch(new RegExp(`pid ${process.pid} works in this tree`));
    expect(text).toMatch(/Warning: .*userStories\[0\]\.passes/);
  });

  it('without a repository, or without a commit, is 2 with the cure, which cures it', async () => {
    const other = createWorld({ repository: false });
    try {
      other.write('prd.json', prd);
      expect(await doctor({ ...plain, given: {} }, { ...other.io, env: { ...other.io.env, ...env } })).toBe(2);
      const [, cure = ''] = /Try: (git init .*)/.exec(other.out()) ?? [];
      other.shell(cure);
      expect(await doctor({ ...plain, given: {} }, { ...other.io, env: { ...other.io.env, ...env } })).toBe(0);
    } finally {
      other.dispose();
    }
  });

  it('says which folder it looks at', async () => {
    w.write('pkg/prd.json', prd);
    const { code, text } = await ask({}, io({}, 'pkg'));
    expect(code).toBe(0);
    expect(text).toMatch(/start folder +\S+\/pkg\n/);
    expect(text).toMatch(/PRD +pkg\/prd\.json/);
    expect(readFileSync(path.join(w.root, 'pkg/prd.json'), 'utf8')).toBe(prd);
  });
});
