import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { run } from '../../../src/commands/run.ts';
import { openRepository } from '../../../src/git/repository.ts';
import { openShadow } from '../../../src/git/shadow.ts';
import { readIndexMark } from '../../../src/git/user-index.ts';
import { takeSnapshot } from '../../../src/git/snapshot.ts';
import { acquireLock } from '../../../src/run-folder/lock.ts';
import { markCommitting, markIndexed, markWriting, writeTurn } from '../../../src/run-folder/turn-file.ts';
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

/** The events of the newest run. */
function events(): { type: string; [key: string]: unknown }[] {
  const runs = path.join(w.root, '.ralph/runs');
  const [newest = ''] = readdirSync(runs)
    .filter((name) => name !== '.gitignore')
    .toSorted()
    .reverse();
  const lines = readFileSync(path.join(runs, newest, 'events.jsonl'), 'utf8')
    .trim()
    .split('\n');
  return lines.map((line) => JSON.parse(line));
}
const typesOf = (): string[] => events().map(({ type }) => type);

/** What ralph writes into the state files before the hooks, and it is killed then. */
function writeVerdict(gitDir: string, notes = ''): void {
  const texts = (passed: boolean): { prd: Buffer; progress: Buffer } => {
    const document = JSON.parse(prd);
    Object.assign(document.userStories[0], { notes }, passed ? { passes: true, ralph: { attempts: 0 } } : {});
    const verdict = passed ? '\n## iteration 1\n- verdict of ralph: passed\n---\n' : '';
    return {
      prd: Buffer.from(JSON.stringify(document, null, 2)),
      progress: Buffer.from(`${w.read('progress.txt')}\n## half way\n- learnt\n---\n${verdict}`),
    };
  };
  const written = texts(true);
  markWriting(gitDir, { phase: 'working', without: texts(false), written });
  w.write('prd.json', written.prd.toString());
  w.write('progress.txt', written.progress.toString());
}

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

  it('takes what ralph wrote itself for no tampering, and its verdict back', async () => {
    writeVerdict(await beginTurn(), 'of the agent');
    expect(await go({ maxIterations: '1' })).toBe(0);
    expect(typesOf()).toEqual(expect.arrayContaining(['run.recovered']));
    expect(typesOf()).not.toContain('state.restored');
    expect(passes()).toMatchObject({ userStories: [{ passes: true, notes: 'of the agent' }] });
    const log = w.read('progress.txt');
    expect(log.match(/verdict of ralph: \w+/g)).toEqual(['verdict of ralph: interrupted', 'verdict of ralph: passed']);
    expect(log.match(/half way/g)).toHaveLength(1);
  });

  it('still finds what somebody else changed after ralph wrote', async () => {
    writeVerdict(await beginTurn());
    w.write('prd.json', w.read('prd.json').replace('One', 'Another'));
    expect(await go()).toBe(0);
    expect(events().find(({ type }) => type === 'state.restored')).toMatchObject({ file: 'prd.json' });
    expect(passes()).toMatchObject({ userStories: [{ title: 'One' }] });
  });

  it('keeps what was noted in the file that ralph wrote', async () => {
    writeVerdict(await beginTurn());
    w.write('prd.json', w.read('prd.json').replace('"notes": ""', '"notes": "of the user"'));
    expect(await go()).toBe(0);
    expect(typesOf()).not.toContain('state.restored');
    expect(passes()).toMatchObject({ userStories: [{ notes: 'of the user' }] });
  });

  it('says of a killed iteration once what came of it, if the recovery is killed itself', async () => {
    await beginTurn();
    const turn = path.join(w.root, '.git/ralph/turn');
    const kept = readFileSync(path.join(turn, 'turn.json'));
    expect(await go()).toBe(0);
    const [, entry = ''] =
      /(\n## [^\n]*iteration 1\n- verdict of ralph: interrupted[^]*?---\n)/.exec(w.read('progress.txt')) ?? [];
    w.git('reset', '--quiet', '--hard', 'HEAD~1');
    // As a recovery leaves it that gets no further than the state files.
    const start = w.read('progress.txt');
    await beginTurn();
    writeFileSync(path.join(turn, 'turn.json'), kept);
    writeFileSync(path.join(turn, 'written-progress'), `${start}${entry}`);
    w.write('progress.txt', `${start}${entry}`);
    expect(await go()).toBe(0);
    expect(w.read('progress.txt').match(/verdict of ralph: interrupted/g)).toHaveLength(1);
  });

  it.each<[string, (rejected: string) => void]>([
    ['before the file was written', () => {}],
    ['after the file was written', (rejected) => w.write('prd.json', rejected)],
  ])('counts an attempt that was settled once: killed %s', async (_, write) => {
    const gitDir = await beginTurn();
    const log = w.read('progress.txt');
    const rejected = prd.replace('"passes": false', '"passes": false, "ralph": { "attempts": 1 }');
    w.write('prd.json', prd.replace('"passes": false', '"passes": true'));
    const entry = '\n## iteration 1\n- verdict of ralph: rejected\n---\n';
    markWriting(gitDir, {
      phase: 'settled',
      without: { prd: Buffer.from(prd), progress: Buffer.from(log) },
      written: { prd: Buffer.from(rejected), progress: Buffer.from(log + entry) },
    });
    write(rejected);
    w.write('mine.txt', 'written after the kill\n');
    expect(await go({ maxIterations: '1' })).toBe(0);
    expect(passes()).toMatchObject({ userStories: [{ passes: true, ralph: { attempts: 2 } }] });
    expect(w.read('progress.txt').match(/verdict of ralph: \w+/g)).toEqual([
      'verdict of ralph: rejected',
      'verdict of ralph: passed',
    ]);
    expect(w.read('mine.txt')).toBe('written after the kill\n');
    expect(typesOf().filter((type) => ['run.recovered', 'state.restored'].includes(type))).toEqual([]);
  });

  it('leaves a story ticked that the user ticks after an attempt was settled', async () => {
    const gitDir = await beginTurn();
    const progress = bytes('progress.txt');
    const rejected = prd.replace('"passes": false', '"passes": false, "ralph": { "attempts": 1 }');
    markWriting(gitDir, {
      phase: 'settled',
      without: { prd: Buffer.from(prd), progress },
      written: { prd: Buffer.from(rejected), progress },
    });
    w.write('work.txt', 'A1\n');
    w.write('prd.json', rejected.replace('"passes": false', '"passes": true'));
    expect(await go()).toBe(0);
    expect(typesOf()).not.toContain('iteration.started');
  });

  it('opens what the killed iteration opened, and begins with that count', async () => {
    const passed = prd.replace('}', '}, { "id": "B1", "title": "Two", "passes": true }');
    expect(JSON.parse(passed)).toMatchObject({ userStories: [{ id: 'A1' }, { id: 'B1' }] });
    w.write('prd.json', passed);
    w.git('commit', '--quiet', '-am', 'two');
    await beginTurn();
    w.write('prd.json', passed.replace('"passes": true', '"passes": false'));
    expect(await go({ maxIterations: '1' })).toBe(1);
    expect(events()[0]).toMatchObject({ type: 'run.started', stories: 2, passed: 0 });
    expect(events().find(({ type }) => type === 'claim.withdrawn')).toMatchObject({ story: 'B1' });
    expect(passes()).toMatchObject({ userStories: [{ passes: true }, { passes: false }] });
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
    const repository = await openRepository(w.root, w.io.env);
    const mark = { commit: w.git('rev-parse', 'HEAD').trim(), index: readIndexMark(repository) };
    markCommitting(gitDir, mark, { prd: Buffer.from(done), progress: bytes('progress.txt') });
    w.write('prd.json', prd);
    writeFileSync(path.join(gitDir, 'index.lock'), '');
    expect(await go()).toBe(0);
    expect(w.read('prd.json')).toBe(done);
    expect(w.git('status', '--porcelain', '--', 'prd.json', 'work.txt')).toBe('');
    expect(w.git('log', '--format=%s').match(/A1/g)).toHaveLength(1);
    expect(events()[0]).toMatchObject({ type: 'run.started', stories: 1, passed: 1 });
    expect(readdirSync(gitDir).filter((name) => name.endsWith('.lock'))).toEqual([]);
  });

  it.each([
    ['before the index had followed', () => {}],
    ['when the index had followed', (gitDir: string) => markIndexed(gitDir)],
  ])('leaves staged what the user stages between a commit and the next start: killed %s', async (_, follow) => {
    w.write('mine.txt', 'one\n');
    w.write('work.txt', 'before\n');
    w.git('add', '-A');
    w.git('commit', '--quiet', '-m', 'files');
    const gitDir = await beginTurn();
    const done = prd.replace('"passes": false', '"passes": true');
    w.write('work.txt', 'A1\n');
    w.write('prd.json', done);
    const before = bytes('.git/index');
    w.git('add', 'work.txt', 'prd.json');
    w.git('commit', '--quiet', '-m', 'feat: [A1] - One');
    const followed = bytes('.git/index');
    writeFileSync(path.join(gitDir, 'index'), before);
    const repository = await openRepository(w.root, w.io.env);
    const mark = { commit: w.git('rev-parse', 'HEAD').trim(), index: readIndexMark(repository) };
    markCommitting(gitDir, mark, { prd: Buffer.from(done), progress: bytes('progress.txt') });
    follow(gitDir);
    if (existsSync(path.join(gitDir, 'ralph/turn/indexed'))) writeFileSync(path.join(gitDir, 'index'), followed);
    w.write('mine.txt', 'two\n');
    w.write('new.txt', 'new\n');
    w.git('add', 'mine.txt', 'new.txt');
    w.write('mine.txt', 'three\n');
    expect(await go()).toBe(0);
    expect(w.git('status', '--porcelain', '--', 'mine.txt', 'new.txt', 'work.txt').split('\n')).toEqual([
      'MM mine.txt',
      'A  new.txt',
    ]);
    expect(w.git('show', ':mine.txt')).toBe('two');
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

  describe('where prd.json is a link', () => {
    beforeEach(() => {
      w.git('mv', 'prd.json', 'real.json');
      symlinkSync('real.json', path.join(w.root, 'prd.json'));
      w.git('add', '-A');
      w.git('commit', '--quiet', '-m', 'link');
    });
    const verifyLink = (): void => {
      expect(readlinkSync(path.join(w.root, 'prd.json'))).toBe('real.json');
      expect(JSON.parse(w.read('real.json'))).toMatchObject({
        userStories: [{ id: 'A1', title: 'One', passes: true }],
      });
      expect(w.git('ls-tree', 'HEAD', 'prd.json')).toMatch(/^120000 /);
      expect(w.git('status', '--porcelain', '--', 'prd.json', 'real.json')).toBe('');
    };
    const replaced = 'sed "s/false/true/; s/\\[\\]/[]/" real.json > new.json; mv new.json prd.json';

    it.each([
      ['replaced by a file', replaced],
      ['removed', 'rm prd.json'],
      ['replaced by another link', 'ln -sf ralph.config.json prd.json'],
    ])('is one again behind an agent: %s', async (_, meddle) => {
      const args = ['-c', `${meddle}; echo "$RALPH_STORY_ID" > work.txt; echo done`];
      w.write(
        'ralph.config.json',
        JSON.stringify({ tool: 'fake', agents: { fake: { command: 'sh', args } }, gates: [], delay: '0' }),
      );
      const config = w.read('ralph.config.json');
      expect(await go()).toBe(0);
      verifyLink();
      expect(w.read('ralph.config.json')).toBe(config);
      expect(w.git('show', '--format=', '--name-only', 'HEAD').split('\n').toSorted()).toEqual([
        'progress.txt',
        'real.json',
        'work.txt',
      ]);
    });

    it.each([
      ['replaced by a file', replaced],
      ['removed', 'rm prd.json'],
      ['replaced by another link', 'ln -sf ralph.config.json prd.json'],
    ])('is one again behind a kill: %s', async (_, meddle) => {
      const gitDir = await beginTurn();
      const file = path.join(gitDir, 'ralph/turn/turn.json');
      const links = { prd: 'real.json', progress: null };
      writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), links }));
      const config = w.read('ralph.config.json');
      w.shell(meddle);
      expect(await go()).toBe(0);
      verifyLink();
      expect(w.read('ralph.config.json')).toBe(config);
    });
  });

  it.each([
    ['replaced by a file', 'cp plans/real.json new.json; mv new.json prd.json'],
    ['removed', 'rm prd.json'],
    ['replaced by another link', 'ln -sf plans/other.json prd.json'],
  ])('makes a link that git ignores one again: %s', async (_, meddle) => {
    w.git('rm', '--quiet', '--cached', 'prd.json', 'progress.txt');
    w.write('.gitignore', 'prd.json\nprogress.txt\nplans/\n');
    w.write('plans/real.json', prd);
    w.write('plans/other.json', prd.replace('One', 'mine'));
    rmSync(path.join(w.root, 'prd.json'));
    symlinkSync('plans/real.json', path.join(w.root, 'prd.json'));
    w.git('add', '-A');
    w.git('commit', '--quiet', '-m', 'ignored');
    const gitDir = await beginTurn();
    const file = path.join(gitDir, 'ralph/turn/turn.json');
    const links = { prd: 'plans/real.json', progress: null };
    writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), links }));
    const other = w.read('plans/other.json');
    w.shell(meddle);
    expect(await go()).toBe(0);
    expect(readlinkSync(path.join(w.root, 'prd.json'))).toBe('plans/real.json');
    expect(JSON.parse(w.read('plans/real.json'))).toMatchObject({ userStories: [{ title: 'One', passes: true }] });
    expect(w.read('plans/other.json')).toBe(other);
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
