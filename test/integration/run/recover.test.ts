import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { run } from '../../../src/commands/run.ts';
import { openRepository } from '../../../src/git/repository.ts';
import { openShadow } from '../../../src/git/shadow.ts';
import { takeSnapshot } from '../../../src/git/snapshot.ts';
import { acquireLock } from '../../../src/run-folder/lock.ts';
import { markCommitting, writeTurn } from '../../../src/run-folder/turn-file.ts';
import { createWorld, plain } from '../commands/world.ts';
import type { World } from '../commands/world.ts';

const dead = '20250101T000000000Z-dead';
const prd = `${JSON.stringify({ branchName: 'ralph/x', userStories: [{ id: 'A1', title: 'One', passes: false, checks: ['grep -qx A1 work.txt'] }] }, null, 2)}\n`;

let w: World;
beforeEach(() => {
  w = createWorld();
  const agents = { fake: { command: 'sh', args: ['-c', 'echo "$RALPH_STORY_ID" > work.txt; echo done'] } };
  w.write('ralph.config.json', JSON.stringify({ tool: 'fake', agents, gates: [], delay: '0' }));
  w.write('prd.json', prd);
  w.write('progress.txt', '# Ralph Progress Log\nBranch: ralph/x\nStarted: 2025\n---\n');
  w.git('add', '-A');
  w.git('commit', '--quiet', '-m', 'start');
  w.git('switch', '--quiet', '-c', 'ralph/x');
});
afterEach(() => w.dispose());

const bytes = (file: string): Buffer => readFileSync(path.join(w.root, file));
const passes = (): unknown => JSON.parse(w.read('prd.json'));
const given = (more: Record<string, string> = {}) =>
  Object.fromEntries(Object.entries(more).map(([key, value]) => [key, { value, source: `--${key}` }]));
const go = async (more?: Record<string, string>): Promise<unknown> => {
  const options = {
    ...plain,
    given: given(more),
    dryRun: false,
    nested: false,
    json: false,
    quiet: true,
    agentArgs: [],
  };
  return run(options, w.io).catch((error: unknown) => error);
};

/** An iteration is under way, and its ralph is no more. */
async function beginTurn(paths = { prd: 'prd.json', progress: 'progress.txt' }): Promise<string> {
  const repository = await openRepository(w.root, w.io.env);
  const snapshot = await takeSnapshot(repository, await openShadow(repository), { iteration: 1, try: 1 });
  const turn = { v: 1, run: dead, phase: 'working', repairs: true, ...paths, snapshot } as const;
  writeTurn(repository.gitDir, turn, { prd: bytes(paths.prd), progress: bytes(paths.progress) });
  return repository.gitDir;
}

describe('a start behind a kill', () => {
  it.each([
    ['is gone', () => rmSync(path.join(w.root, 'prd.json'))],
    ['is half written', () => w.write('prd.json', prd.slice(0, 40))],
    ['names another branch', () => w.write('prd.json', prd.replace('ralph/x', 'ralph/elsewhere'))],
    ['is a folder', () => (rmSync(path.join(w.root, 'prd.json')), w.write('prd.json/inside.txt', 'inside\n'))],
    ['is ticked', () => w.write('prd.json', prd.replace('false', 'true'))],
  ])('goes on with the PRD as it was where it %s', async (_, spoil) => {
    await beginTurn();
    spoil();
    expect(await go()).toBe(0);
    expect(w.git('rev-parse', '--abbrev-ref', 'HEAD').trim()).toBe('ralph/x');
    expect(passes()).toMatchObject({ branchName: 'ralph/x', userStories: [{ id: 'A1', passes: true }] });
    expect(w.git('show', 'HEAD:work.txt').trim()).toBe('A1');
  });

  it('reads the config as it was, not as the agent left it', async () => {
    await beginTurn();
    w.write('ralph.config.json', '{ "gates": ["false"], "tool": "nobody"');
    expect(await go()).toBe(0);
  });

  it.each([
    ['a detached HEAD', () => w.git('checkout', '--quiet', '--detach')],
    ['a merge under way', () => writeFileSync(path.join(w.root, '.git/MERGE_HEAD'), w.git('rev-parse', 'HEAD'))],
    ['another branch', () => w.git('checkout', '--quiet', '-b', 'agent')],
  ])('is not stopped by %s that the agent left', async (_, leave) => {
    await beginTurn();
    leave();
    expect(await go()).toBe(0);
    expect(w.git('rev-parse', '--abbrev-ref', 'HEAD').trim()).toBe('ralph/x');
  });

  it('puts the state files of the killed run back, not those of this one', async () => {
    await beginTurn();
    const other = prd.replaceAll('A1', 'B1').replace('ralph/x', 'ralph/y');
    mkdirSync(path.join(w.root, 'other'));
    rmSync(path.join(w.root, 'prd.json'));
    // Outside of the repository, so that the recovery has no business with it.
    const file = path.join(path.dirname(w.root), `${path.basename(w.root)}-other.json`);
    writeFileSync(file, other);
    await go({ prd: file, maxIterations: '1' });
    expect(readFileSync(file, 'utf8')).toContain('"B1"');
    expect(readFileSync(file, 'utf8')).not.toContain('"A1"');
    expect(w.read('prd.json')).toBe(prd);
    rmSync(file);
    rmSync(path.join(path.dirname(file), 'progress.txt'), { force: true });
  });

  it('keeps log entries of the killed iteration and says what came of it', async () => {
    await beginTurn();
    writeFileSync(path.join(w.root, 'progress.txt'), `${w.read('progress.txt')}\n## half way\n- learnt\n---\n`);
    expect(await go()).toBe(0);
    expect(w.read('progress.txt')).toMatch(
      /half way[^]*iteration 1\n- verdict of ralph: interrupted[^]*verdict of ralph: passed/,
    );
  });

  it('leaves everything as it was where the start itself is refused', async () => {
    await beginTurn();
    w.write('work.txt', 'half\n');
    expect(await go({ tool: 'nobody' })).toBeInstanceOf(Error);
    expect(w.read('work.txt')).toBe('half\n');
    expect(existsSync(path.join(w.root, '.git/ralph/turn/turn.json'))).toBe(true);
  });

  it('finishes what was accepted: the tick stands again, and a lock of ours is gone', async () => {
    const gitDir = await beginTurn();
    const done = prd.replace('"passes": false', '"passes": true');
    w.write('work.txt', 'A1\n');
    w.write('prd.json', done);
    w.git('add', '-A');
    w.git('commit', '--quiet', '-m', 'feat: [A1] - One');
    markCommitting(gitDir, w.git('rev-parse', 'HEAD').trim(), {
      prd: Buffer.from(done),
      progress: bytes('progress.txt'),
    });
    w.write('prd.json', prd);
    writeFileSync(path.join(gitDir, 'index.lock'), '');
    expect(await go()).toBe(0);
    expect(w.read('prd.json')).toBe(done);
    expect(w.git('status', '--porcelain', '--', 'prd.json', 'work.txt')).toBe('');
    expect(w.git('log', '--format=%s').match(/A1/g)).toHaveLength(1);
    expect(readdirSync(gitDir).filter((name) => name.endsWith('.lock'))).toEqual([]);
  });

  it('says that the tree is locked where the agent of a loop that lives has just taken the PRD away', async () => {
    const lock = await acquireLock({ gitDir: await beginTurn() });
    rmSync(path.join(w.root, 'prd.json'));
    expect(await go()).toMatchObject({ reason: 'locked' });
    lock.release();
    expect(await go()).toBe(0);
  });

  it('takes a record that a failing disk made unreadable for none', async () => {
    const gitDir = await beginTurn();
    writeFileSync(path.join(gitDir, 'ralph/turn/turn.json'), '\0\0\0');
    expect(await go()).toBe(0);
  });

  it('does not write through a link that the agent put in the place of prd.json', async () => {
    w.write('victim.txt', prd.replace('One', 'mine'));
    const agents = {
      fake: {
        command: 'sh',
        args: ['-c', 'rm prd.json; ln -s victim.txt prd.json; echo "$RALPH_STORY_ID" > work.txt; echo done'],
      },
    };
    w.write('ralph.config.json', JSON.stringify({ tool: 'fake', agents, gates: [], delay: '0' }));
    const before = w.read('victim.txt');
    expect(await go()).toBe(0);
    expect(w.read('victim.txt')).toBe(before);
    expect(passes()).toMatchObject({ userStories: [{ title: 'One', passes: true }] });
  });
});
