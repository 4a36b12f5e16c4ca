import { readFileSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createKilledRun, prd } from './killed-run.ts';
import type { KilledRun } from './killed-run.ts';

let w: KilledRun;
beforeEach(() => {
  w = createKilledRun();
});
afterEach(() => w.dispose());

describe('a start behind a kill', () => {
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
      expect(await w.go()).toBe(0);
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
      const gitDir = await w.beginTurn();
      const file = path.join(gitDir, 'ralph/turn/turn.json');
      const links = { prd: 'real.json', progress: null };
      writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), links }));
      const config = w.read('ralph.config.json');
      w.shell(meddle);
      expect(await w.go()).toBe(0);
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
    const gitDir = await w.beginTurn();
    const file = path.join(gitDir, 'ralph/turn/turn.json');
    const links = { prd: 'plans/real.json', progress: null };
    writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), links }));
    const other = w.read('plans/other.json');
    w.shell(meddle);
    expect(await w.go()).toBe(0);
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
    expect(await w.go()).toBe(0);
    expect(w.read('victim.txt')).toBe(before);
    expect(w.passes()).toMatchObject({ userStories: [{ title: 'One', passes: true }] });
  });
});
