import { chmodSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createArchiveWorld, logOf, patterns, prdOf, restore, store, today } from './archive-world.ts';
import type { ArchiveWorld } from './archive-world.ts';

let w: ArchiveWorld;
beforeEach(() => {
  w = createArchiveWorld();
});
afterEach(() => w.dispose());

describe('ralph archive restore', () => {
  const name = (): string => `${today()}-one`;
  beforeEach(() => {
    w.write('prd.json', prdOf('ralph/one'));
    w.write('progress.txt', logOf('ralph/one', undefined, patterns));
  });

  it('brings the pair back byte for byte, makes it the feature under way and keeps the archive', async () => {
    const before = [w.copy('prd.json'), w.copy('progress.txt')];
    await w.call(store);
    expect(await w.call(restore(name()))).toBe(0);
    expect([w.copy('prd.json'), w.copy('progress.txt')]).toEqual(before);
    expect([w.copy('.ralph/active/prd.json'), w.copy('.ralph/active/progress.txt')]).toEqual(before);
    expect(w.git('status', '--porcelain')).not.toMatch(/\.ralph/);
    expect(w.names()).toEqual([name()]);
  });

  it('archives a PRD in place and a log with entries first', async () => {
    await w.call(store);
    w.write('prd.json', prdOf('ralph/two'));
    w.write('progress.txt', logOf('ralph/two', '## x\n- two\n'));
    await w.call(restore(name()));
    expect(w.names()).toEqual([name(), `${today()}-two`]);
    expect(w.read(`archive/${today()}-two/prd.json`)).toBe(prdOf('ralph/two'));
    expect(w.read(`archive/${today()}-two/progress.txt`)).toMatch(/- two/);
    expect(w.read('prd.json')).toBe(prdOf('ralph/one'));
    expect(w.out()).toMatch(new RegExp(`First archived: archive/${today()}-two`));
  });

  it('archives a log with entries first where there is no PRD', async () => {
    await w.call(store);
    w.write('progress.txt', logOf('ralph/three'));
    await w.call(restore(name()));
    expect(w.names()).toEqual([name(), `${today()}-three`]);
  });

  it('keeps patterns that were written into the fresh log', async () => {
    await w.call(store);
    w.write('progress.txt', w.read('progress.txt').replace('UTC', 'local time'));
    await w.call(restore(name()));
    expect(
      w.names().some((other) => other !== name() && w.read(`archive/${other}/progress.txt`).includes('local time')),
    ).toBe(true);
  });

  it('changes nothing where the pair is in place already', async () => {
    await w.call(store);
    await w.call(restore(name()));
    await w.call(restore(name()));
    expect(w.names()).toEqual([name()]);
    expect(w.out()).toMatch(/in place already: nothing was changed\n$/);
  });

  it.each(['nope', '../x', '..', '.', '', '/etc', 'archive'])(
    'the name %j is refused, and the known ones are named',
    async (wrong) => {
      await w.call(store);
      mkdirSync(path.join(w.root, 'x'));
      w.write('x/prd.json', '{}');
      await expect(w.call(restore(wrong))).rejects.toMatchObject({
        reason: 'usage',
        message: `archive has no archive ${JSON.stringify(wrong)}`,
        problems: [`the newest ones: ${name()}`],
      });
      expect(w.exists('prd.json')).toBe(false);
    },
  );

  it('a log alone comes back alone, and that is said', async () => {
    await w.call(store);
    rmSync(path.join(w.root, 'archive', name(), 'prd.json'));
    await w.call(restore(name()));
    expect(w.read('progress.txt')).toMatch(/learnt/);
    expect(w.exists('prd.json')).toBe(false);
    expect(w.out()).toMatch(/holds no prd\.json/);
  });

  it('a PRD alone gets a fresh log of its branch', async () => {
    await w.call(store);
    rmSync(path.join(w.root, 'archive', name(), 'progress.txt'));
    await w.call(restore(name()));
    expect(w.read('progress.txt')).toMatch(/^# Ralph Progress Log\nBranch: ralph\/one\n[^]*UTC/);
  });

  it('where the archive for what is in place can not be written, nothing is changed', async () => {
    if (process.getuid?.() === 0) return;
    await w.call(store);
    w.write('prd.json', prdOf('ralph/two'));
    chmodSync(path.join(w.root, 'archive'), 0o500);
    await expect(w.call(restore(name()))).rejects.toMatchObject({ reason: 'usage' });
    chmodSync(path.join(w.root, 'archive'), 0o700);
    expect(w.read('prd.json')).toBe(prdOf('ralph/two'));
  });
});
