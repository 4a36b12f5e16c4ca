import { spawn } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { identityOf } from '../../../src/process/identity.ts';
import { acquireLock, readLock } from '../../../src/run-folder/lock.ts';
import { createFakeTimers } from '../../unit/process/fake-timers.ts';
import { cleanEnvironment, createFolders, until } from '../process/support.ts';
import { buildInto } from './build.ts';

const newFolder = createFolders();
const lockOf = (gitDir: string): string => path.join(gitDir, 'ralph', 'lock');

/** Writes a lock of somebody else's, so many seconds old. */
function writeLock(gitDir: string, content: object | string, ageSeconds = 0): void {
  mkdirSync(path.join(gitDir, 'ralph'), { recursive: true });
  const text = typeof content === 'string' ? content : `${JSON.stringify(content)}\n`;
  writeFileSync(lockOf(gitDir), text);
  const time = Date.now() / 1_000 - ageSeconds;
  utimesSync(lockOf(gitDir), time, time);
}
const owner = (more: object = {}) => ({ v: 1, ...identityOf(), token: 't', at: '2026-01-01T00:00:00.000Z', ...more });
const dead = () => owner({ pid: 4_000_000 });

describe('acquireLock', () => {
  it('takes a free lock, leaves one file, and gives it back', async () => {
    const gitDir = newFolder();
    const lock = await acquireLock({ gitDir });
    expect(JSON.parse(readFileSync(lockOf(gitDir), 'utf8'))).toMatchObject({
      ...identityOf(),
      token: lock.owner.token,
    });
    expect(readLock(gitDir)).toEqual(lock.owner);
    expect(readdirSync(path.join(gitDir, 'ralph'))).toEqual(['lock']);
    lock.release();
    expect(readdirSync(path.join(gitDir, 'ralph'))).toEqual([]);
    expect(readLock(gitDir)).toBeUndefined();
  });

  it('refuses while the owner lives, however old the lock is, and names its pid', async () => {
    const gitDir = newFolder();
    writeLock(gitDir, owner(), 30 * 86_400);
    const refusal = acquireLock({ gitDir });
    await expect(refusal).rejects.toMatchObject({
      reason: 'locked',
      message: expect.stringContaining(`pid ${process.pid}`),
    });
    expect(readdirSync(path.join(gitDir, 'ralph'))).toEqual(['lock']);
  });

  it.each([
    ['a dead process', () => dead()],
    ['a pid that is somebody else’s by now', () => owner({ start: '1' })],
    ['this host before it was started anew', () => owner({ boot: 'earlier' }), 400 * 86_400],
    ['another host that has been silent for a minute', () => owner({ host: 'other', boot: 'other' }), 61],
    ['another container that has been silent for a minute', () => owner({ space: 'pid:[1]' }), 61],
  ])('takes over the lock of %s', async (_, content, age = 0) => {
    const gitDir = newFolder();
    writeLock(gitDir, content(), age);
    const lock = await acquireLock({ gitDir });
    expect(readLock(gitDir)).toEqual(lock.owner);
    expect(readdirSync(path.join(gitDir, 'ralph'))).toEqual(['lock']);
    lock.release();
  });

  it.each([
    ['host', { host: 'other', boot: 'other' }],
    ['container', { space: 'pid:[1]' }],
  ])('believes another %s while its heartbeat is fresh', async (_, more) => {
    const gitDir = newFolder();
    writeLock(gitDir, owner({ ...more, pid: 4_000_000 }), 50);
    await expect(acquireLock({ gitDir })).rejects.toMatchObject({ reason: 'locked' });
  });

  it.each([
    ['an empty file', ''],
    ['half a file', '{"v":1,"pid":12'],
    ['something else', '[1, 2]\n'],
  ])('takes over %s, but gives a writer time', async (_, content) => {
    const gitDir = newFolder();
    writeLock(gitDir, content, 10);
    (await acquireLock({ gitDir })).release();
    writeLock(gitDir, content);
    const started = Date.now();
    const taking = acquireLock({ gitDir });
    (await taking).release();
    expect(Date.now() - started).toBeGreaterThan(800);
  });

  it('takes over the takeover of a process that died in the middle of it', async () => {
    const gitDir = newFolder();
    writeLock(gitDir, dead());
    const first = acquireLock({ gitDir });
    const claim = readdirSync(path.join(gitDir, 'ralph')).find((name) => /^lock\.[0-9a-f]{12}$/.test(name));
    (await first).release();
    writeLock(gitDir, dead());
    if (claim !== undefined) writeFileSync(path.join(gitDir, 'ralph', claim), `${JSON.stringify(dead())}\n`);
    expect(claim).toBeDefined();
    const lock = await acquireLock({ gitDir });
    expect(readdirSync(path.join(gitDir, 'ralph'))).toEqual(['lock']);
    lock.release();
  });

  it('gives nothing back that is no longer its own', async () => {
    const gitDir = newFolder();
    const lock = await acquireLock({ gitDir });
    writeLock(gitDir, owner({ token: 'other' }));
    lock.release();
    expect(readLock(gitDir)?.token).toBe('other');
  });

  it('shows that it lives, puts a deleted lock back, and tells when it is lost', async () => {
    const gitDir = newFolder();
    const timers = createFakeTimers();
    let lost = 0;
    const lock = await acquireLock({ gitDir, timers, onLost: () => (lost += 1) });
    utimesSync(lockOf(gitDir), 1, 1);
    timers.advance(15_000);
    expect(Date.now() - statSync(lockOf(gitDir)).mtimeMs).toBeLessThan(10_000);
    rmSync(path.join(gitDir, 'ralph'), { recursive: true });
    timers.advance(15_000);
    expect(readLock(gitDir)).toEqual(lock.owner);
    expect(lost).toBe(0);
    writeLock(gitDir, owner({ token: 'other' }));
    timers.advance(60_000);
    expect(lost).toBe(1);
    expect(timers.waiting()).toBe(0);
  });

  it('says what to do where it can not write', async () => {
    const gitDir = newFolder();
    writeFileSync(path.join(gitDir, 'ralph'), 'a file');
    await expect(acquireLock({ gitDir })).rejects.toMatchObject({ reason: 'environment' });
  });

  it('names the host of an owner elsewhere', async () => {
    const gitDir = newFolder();
    writeLock(gitDir, owner({ host: 'big-machine', boot: 'other' }));
    await expect(acquireLock({ gitDir })).rejects.toThrow('on big-machine');
    expect(hostname()).not.toBe('big-machine');
  });
});

describe('acquireLock, raced for by processes', () => {
  const RACERS = 4;
  let folder: string;
  let racer: string;
  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'ralph-race-'));
    const out = buildInto(folder, ['run-folder/lock.ts']);
    racer = path.join(folder, 'racer.js');
    // For each folder: waits for the starting shot without a pause, tries, and keeps what it gets.
    writeFileSync(
      racer,
      `import { existsSync } from 'node:fs';
       import { acquireLock } from ${JSON.stringify(out('run-folder/lock.ts'))};
       for (const gitDir of process.argv.slice(2)) {
         process.stdout.write('ready\\n');
         while (!existsSync(gitDir + '/shot'));
         try {
           await acquireLock({ gitDir });
           process.stdout.write('won\\n');
         } catch (error) {
           process.stdout.write(error.reason + '\\n');
         }
       }
       process.stdin.resume();
       process.stdin.on('end', () => process.exit());`,
    );
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('has exactly one winner for a free lock, the lock of a dead process, and an empty one', async () => {
    const rounds = Array.from({ length: 15 }, (_, round) => ({ gitDir: newFolder(), kind: round % 3 }));
    for (const { gitDir, kind } of rounds) {
      if (kind === 1) writeLock(gitDir, dead());
      if (kind === 2) writeLock(gitDir, '', 60);
    }
    const dirs = rounds.map(({ gitDir }) => gitDir);
    const racers = Array.from({ length: RACERS }, () => {
      const child = spawn(process.execPath, [racer, ...dirs], {
        env: cleanEnvironment(),
        stdio: ['pipe', 'pipe', 'inherit'],
      });
      const state = { child, text: '' };
      child.stdout.on('data', (chunk: Buffer) => (state.text += chunk.toString()));
      return state;
    });
    const said = (line: number) => racers.map(({ text }) => text.split('\n').slice(0, -1)[line]);
    for (const [round, { gitDir }] of rounds.entries()) {
      await until('all are ready', () => said(2 * round).every((word) => word === 'ready'));
      writeFileSync(path.join(gitDir, 'shot'), '');
      await until('all have tried', () => said(2 * round + 1).every((word) => word !== undefined));
      const results = said(2 * round + 1);
      expect(results.filter((result) => result === 'won')).toHaveLength(1);
      expect(results.filter((result) => result === 'locked')).toHaveLength(RACERS - 1);
      const winner = racers[results.indexOf('won')]?.child.pid;
      expect(JSON.parse(readFileSync(lockOf(gitDir), 'utf8'))).toMatchObject({ pid: winner });
    }
    for (const { child } of racers) child.stdin.end();
  });
});
