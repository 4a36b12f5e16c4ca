import { chmodSync, existsSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { archive } from '../../../src/commands/archive.ts';
import { run } from '../../../src/commands/run.ts';
import { dateOf } from '../../../src/archive/slug.ts';
import { createWorld, plain } from '../commands/world.ts';
import type { World } from '../commands/world.ts';

let w: World;
beforeEach(() => {
  w = createWorld();
  w.write('.agent/agent.sh', 'echo "work on $RALPH_STORY_ID" >> work.txt; echo done\n');
  const agents = { fake: { command: 'sh', args: [path.join(w.root, '.agent/agent.sh')] } };
  w.write('ralph.config.json', JSON.stringify({ tool: 'fake', agents, gates: [], delay: '0' }));
  w.write('.gitignore', '.agent/\n');
  w.git('add', '-A');
  w.git('commit', '--quiet', '-m', 'start');
});
afterEach(() => w.dispose());

const names = (folder = 'archive'): string[] => (w.exists(folder) ? readdirSync(path.join(w.root, folder)).sort() : []);
const day = dateOf(Date.now());
const prdOf = (branchName: string | undefined, ids: string[]): string =>
  JSON.stringify({ branchName, userStories: ids.map((id) => ({ id, title: id, passes: false, checks: ['true'] })) });
const go = async (iterations = 1, file = 'prd.json'): Promise<unknown> => {
  const given = {
    maxIterations: { value: String(iterations), source: '--max-iterations' },
    prd: { value: file, source: '--prd' },
  };
  const options = { ...plain, given, dryRun: false, nested: false, json: false, quiet: true, agentArgs: [] };
  return run(options, w.io).catch((error: unknown) => error);
};
const store = async (): Promise<number> => archive({ ...plain, given: {}, task: { kind: 'store' } }, w.io);
const restore = async (name: string): Promise<number> =>
  archive({ ...plain, given: {}, task: { kind: 'restore', name } }, w.io);

describe('a change of feature', () => {
  it('archives the old one once', async () => {
    w.write('prd.json', prdOf('ralph/a', ['A1', 'A2']));
    expect(await go()).toBe(1);
    w.write('prd.json', prdOf('ralph/b', ['B1', 'B2', 'B3']));
    expect(await go()).toBe(1);
    expect(await go()).toBe(1);
    expect(names()).toEqual([`${day}-a`]);
    expect(w.read(`archive/${day}-a/prd.json`)).toMatch(/"ralph\/a"[^]*"passes":true/);
    expect(w.read('progress.txt')).toMatch(/^# Ralph Progress Log\nBranch: ralph\/b\n/);
  });

  it('behind ralph archive there is nothing left to archive, also where .last-branch still tells and .ralph is gone', async () => {
    w.write('.last-branch', 'ralph/a\n');
    w.write('prd.json', prdOf('ralph/a', ['A1', 'A2']));
    expect(await go()).toBe(1);
    expect(await store()).toBe(0);
    rmSync(path.join(w.root, '.ralph'), { recursive: true });
    w.write('prd.json', prdOf('ralph/b', ['B1', 'B2', 'B3']));
    expect(await go()).toBe(1);
    expect(names()).toEqual([`${day}-a`]);
    expect(w.read('progress.txt')).toMatch(/^# Ralph Progress Log\nBranch: ralph\/b\nStarted: .*\n---\n/);
    expect(w.read('progress.txt')).not.toMatch(/none yet|A1/);
  });

  it('a restored feature goes on without being archived again', async () => {
    w.write('prd.json', prdOf('ralph/a', ['A1', 'A2', 'A3']));
    expect(await go()).toBe(1);
    await store();
    w.write('prd.json', prdOf('ralph/b', ['B1', 'B2']));
    expect(await go()).toBe(1);
    await restore(`${day}-a`);
    expect(names()).toEqual([`${day}-a`, `${day}-b`]);
    expect(await go()).toBe(1);
    expect(names()).toEqual([`${day}-a`, `${day}-b`]);
    expect(w.read('progress.txt')).toMatch(/A1[^]*A2/);
    expect(w.read('prd.json').match(/"passes":true/g)).toHaveLength(2);
  });

  it('a start that fails leaves no archive, and the next one makes it', async () => {
    w.write('prd.json', prdOf('ralph/a', ['A1', 'A2']));
    await go();
    const config = w.read('ralph.config.json');
    w.write('prd.json', prdOf('ralph/b', ['B1', 'B2']));
    w.write('ralph.config.json', config.replace('"gates":[]', '"gates":["false"]'));
    const log = w.read('progress.txt');
    expect(await go()).toMatchObject({ reason: 'usage' });
    expect(names()).toEqual([]);
    expect(w.read('progress.txt')).toBe(log);
    w.write('ralph.config.json', config);
    expect(await go()).toBe(1);
    expect(names()).toEqual([`${day}-a`]);
  });

  it.each([
    ['got its name', ['progress.txt', '.ralph/active/prd.json', '.ralph/active/progress.txt']],
    ['got its name and the fresh log began', ['.ralph/active/prd.json', '.ralph/active/progress.txt']],
  ])('a start that is killed when the archive %s is finished by the next one', async (_, behind) => {
    w.write('prd.json', prdOf('ralph/a', ['A1', 'A2']));
    await go();
    const before = behind.map((file) => [file, w.read(file)] as const);
    w.write('prd.json', prdOf('ralph/b', ['B1', 'B2', 'B3']));
    expect(await go()).toBe(1);
    // As the kill leaves it: what comes behind is as it was.
    for (const [file, text] of before) w.write(file, text);
    if (!behind.includes('progress.txt'))
      w.write('progress.txt', '# Ralph Progress Log\nBranch: ralph/b\nStarted: x\n---\n');
    w.write('.git/ralph/archiving', '');
    expect(await go()).toBe(1);
    expect(names()).toEqual([`${day}-a`]);
    expect(w.read(`archive/${day}-a/progress.txt`)).toMatch(/A1/);
    expect(w.read('progress.txt')).toMatch(/Branch: ralph\/b\n/);
    expect(w.read('progress.txt')).not.toMatch(/A1/);
    expect(w.exists('.git/ralph/archiving')).toBe(false);
  });

  it('a log that is the new feature its own already is kept, and the old one is archived from its copy', async () => {
    w.write('prd.json', prdOf('ralph/a', ['A1', 'A2']));
    await go();
    w.write('prd.json', prdOf('ralph/b', ['B1', 'B2']));
    w.write(
      'progress.txt',
      '# Ralph Progress Log\nBranch: ralph/b\nStarted: x\n---\n\n## before\n- an entry of b\n---\n',
    );
    expect(await go()).toBe(1);
    expect(w.read(`archive/${day}-a/progress.txt`)).toMatch(/A1/);
    expect(w.read('progress.txt')).toMatch(/an entry of b[^]*B1/);
  });

  it('a PRD without branchName is not archived by itself, and does not push out the copy of one that is', async () => {
    w.write('prd.json', prdOf('ralph/a', ['A1', 'A2']));
    await go();
    w.write('prd.json', prdOf(undefined, ['X1', 'X2']));
    expect(await go()).toBe(1);
    expect(names()).toEqual([]);
    w.write('prd.json', prdOf('ralph/b', ['B1', 'B2']));
    expect(await go()).toBe(1);
    expect(w.read(`archive/${day}-a/prd.json`)).toMatch(/A1/);
  });

  it('a PRD without branchName is archived from its copy once a named one begins', async () => {
    w.write('prd.json', prdOf(undefined, ['X1', 'X2']));
    expect(await go()).toBe(1);
    w.write('prd.json', prdOf('ralph/b', ['B1', 'B2']));
    expect(await go()).toBe(1);
    expect(names()).toEqual([`${day}-main`]);
    expect(w.read(`archive/${day}-main/prd.json`)).toMatch(/X1/);
  });

  it('works with the places of ralph.sh', async () => {
    w.write('scripts/ralph/prd.json', prdOf('ralph/a', ['A1', 'A2']));
    w.write('scripts/ralph/.last-branch', 'ralph/older');
    w.write('scripts/ralph/progress.txt', '# Ralph Progress Log\nStarted: x\n---\n\n## x\n- older entry\n---\n');
    expect(await go(1, 'scripts/ralph/prd.json')).toBe(1);
    expect(names('scripts/ralph/archive')).toEqual([`${day}-older`]);
    expect(w.read(`scripts/ralph/archive/${day}-older/progress.txt`)).toMatch(/older entry/);
    expect(w.exists(`scripts/ralph/archive/${day}-older/prd.json`)).toBe(false);
  });
});

describe('the setting "hooks"', () => {
  it.each([
    [true, false],
    [false, true],
  ])('%s: a red pre-commit hook lets a story pass: %s', async (hooks, passes) => {
    const hook = path.join(w.root, '.git/hooks/pre-commit');
    w.write('.git/hooks/pre-commit', '#!/bin/sh\nexit 1\n');
    chmodSync(hook, 0o755);
    w.write('ralph.config.json', JSON.stringify({ ...JSON.parse(w.read('ralph.config.json')), hooks }));
    w.write('prd.json', prdOf('ralph/a', ['A1', 'A2']));
    expect(await go()).toBe(1);
    expect(/"passes":true/.test(w.read('prd.json'))).toBe(passes);
    expect(existsSync(hook)).toBe(true);
  });
});
