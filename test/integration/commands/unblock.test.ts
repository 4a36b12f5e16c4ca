import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { unblock } from '../../../src/commands/unblock.ts';
import { acquireLock } from '../../../src/run-folder/lock.ts';
import { createWorld, plain } from './world.ts';
import type { World } from './world.ts';

let w: World;
beforeEach(() => {
  w = createWorld();
  w.write('prd.json', text);
});
afterEach(() => w.dispose());

const options = { ...plain, given: {}, ids: [] };

const text = `\uFEFF{\r
\t"userStories": [\r
\t\t{ "id": "A", "title": "One", "passes": true, "ralph": { "attempts": 2, "verified": { "at": "2026-11-30T00:00:00Z", "run": "r" } } },\r
\t\t{ "id": "B", "title": "Gr\\u00f6\\u00dfe",   "passes": false, "ralph": { "attempts": 3, "blocked": "gate sound\\u001b[2J is red" } },\r
\t\t{ "id": "C", "title": "Three", "passes": false, "odd": [1,2], "ralph": { "attempts": 1, "of": "0123456789abcdef" } },\r
\t\t{ "id": "D", "title": "Four", "passes": false }\r
\t]\r
}\r
`;
const lineOf = (id: string): string =>
  w
    .read('prd.json')
    .split('\r\n')
    .find((line) => line.includes(`"id": "${id}"`)) ?? '';

const others = (prd: string): string[] => prd.split('\r\n').filter((line) => !/"id": "[ABC]"/.test(line));

describe('unblock', () => {
  it('forgets blocks and attempts of all stories and changes nothing else', async () => {
    expect(await unblock(options, w.io)).toBe(0);
    expect(lineOf('A')).toMatch(/"ralph": \{ .*"verified": \{ "at": "2026-11-30T00:00:00Z", "run": "r" \}/);
    expect(lineOf('A')).not.toMatch(/attempts/);
    expect(lineOf('B')).toBe('\t\t{ "id": "B", "title": "Gr\\u00f6\\u00dfe",   "passes": false },');
    expect(lineOf('C')).toBe('\t\t{ "id": "C", "title": "Three", "passes": false, "odd": [1,2] },');
    expect(others(w.read('prd.json'))).toEqual(others(text));
    expect(w.out()).toBe(
      'A: 2 attempts forgotten\nB: was blocked: gate sound is red; 3 attempts forgotten\nC: 1 attempt forgotten\n',
    );
  });

  it('takes only the given stories', async () => {
    await unblock({ ...options, ids: ['D', 'B'] }, w.io);
    expect(lineOf('B')).not.toMatch(/ralph/);
    expect([lineOf('A'), lineOf('C')].every((line) => line.includes('attempts'))).toBe(true);
    expect(w.out()).toMatch(/^B: was blocked.*\nD: not blocked, no attempts\n$/);
  });

  it('an unknown id is an error that names the known ones, and changes nothing', async () => {
    await expect(unblock({ ...options, ids: ['B', 'US-9', 'b'] }, w.io)).rejects.toMatchObject({
      reason: 'usage',
      message: 'prd.json has no story US-9, b',
      problems: ['its stories: A, B, C, D'],
    });
    expect(w.read('prd.json')).toBe(text);
  });

  it('says so where there is nothing to forget, and leaves every byte', async () => {
    await unblock(options, w.io);
    const before = w.read('prd.json');
    await unblock(options, w.io);
    expect(w.out()).toMatch(/No story is blocked, and none has attempts\.\n$/);
    expect(w.read('prd.json')).toBe(before);
  });

  it('refuses while a loop runs, and works again afterwards', async () => {
    const lock = await acquireLock({ gitDir: w.git('rev-parse', '--absolute-git-dir') });
    try {
      await expect(unblock(options, w.io)).rejects.toMatchObject({
        reason: 'locked',
        message: expect.stringContaining(String(process.pid)),
      });
      expect(w.read('prd.json')).toBe(text);
    } finally {
      lock.release();
    }
    expect(await unblock(options, w.io)).toBe(0);
    expect(w.exists('.git/ralph/lock')).toBe(false);
  });

  it('gives the lock back after an error', async () => {
    w.write('prd.json', '{');
    await expect(unblock(options, w.io)).rejects.toMatchObject({ reason: 'usage' });
    expect(w.exists('.git/ralph/lock')).toBe(false);
  });

  it('works from a subfolder with --prd', async () => {
    w.write('sub/x', '');
    const given = { prd: { value: '../prd.json', source: '--prd' } };
    expect(await unblock({ ...options, given }, w.from('sub'))).toBe(0);
    expect(lineOf('B')).not.toMatch(/ralph/);
  });
});
