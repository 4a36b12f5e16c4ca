import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { identityOf } from '../../../src/process/identity.ts';
import { createChildRecord } from '../../../src/run-folder/child-record.ts';
import { cleanEnvironment, createFolders, isAlive, until } from '../process/support.ts';

const newFolder = createFolders();
const dead = `record-${process.pid}`;
const fileOf = (gitDir: string): string => path.join(gitDir, 'ralph/children.json');
const read = (gitDir: string): { runs: string[]; groups: unknown[] } =>
  JSON.parse(readFileSync(fileOf(gitDir), 'utf8'));

function start(env: NodeJS.ProcessEnv = {}): number {
  const child = spawn('sh', ['-c', 'sleep 50; :'], { env: cleanEnvironment(env), stdio: 'ignore', detached: true });
  if (child.pid === undefined) throw new Error('not started');
  return child.pid;
}

describe('stopLeftovers', () => {
  it('stops the recorded groups, what carries the id, and the git of a dead run', async () => {
    const gitDir = newFolder();
    const [recorded, carrier, helper] = [start(), start({ RALPH_RUN_ID: dead }), start({ RALPH_HELPER_OF: dead })];
    createChildRecord(gitDir, dead).write([recorded]);
    const killed = await createChildRecord(gitDir, 'now').stopLeftovers();
    expect(killed.map(({ pid }) => pid)).toEqual(expect.arrayContaining([recorded, carrier, helper]));
    await until('all gone', () => [recorded, carrier, helper].every((pid) => !isAlive(pid)));
    expect(read(gitDir)).toEqual({ runs: ['now'], groups: [] });
  });

  it('tells which runs had died while they are still recorded: a kill at that moment forgets none', async () => {
    const gitDir = newFolder();
    createChildRecord(gitDir, dead).write([]);
    const told: unknown[] = [];
    await createChildRecord(gitDir, 'now').stopLeftovers(`${dead}-known`, (runs) => told.push(runs, read(gitDir).runs));
    expect(told).toEqual([
      [dead, `${dead}-known`],
      [dead, `${dead}-known`, 'now'],
    ]);
  });

  it('knows the run of the iteration under way without the file', async () => {
    const carrier = start({ RALPH_RUN_ID: `${dead}-known` });
    const killed = await createChildRecord(newFolder(), 'now').stopLeftovers(`${dead}-known`);
    expect(killed.map(({ pid }) => pid)).toContain(carrier);
  });

  it('leaves a group alone whose number is somebody else’s by now', async () => {
    const gitDir = newFolder();
    const other = start();
    mkdirSync(path.join(gitDir, 'ralph'));
    writeFileSync(
      fileOf(gitDir),
      JSON.stringify({ runs: [], groups: [{ ...identityOf(other), start: '1' }, null, 7] }),
    );
    expect(await createChildRecord(gitDir, 'now').stopLeftovers()).toEqual([]);
    expect(isAlive(other)).toBe(true);
    process.kill(-other, 'SIGKILL');
  });

  it('has nothing to do without a file, or with half of one', async () => {
    const gitDir = newFolder();
    const record = createChildRecord(gitDir, 'now');
    expect(await record.stopLeftovers()).toEqual([]);
    for (const text of ['{"runs"', '[]', '7', 'null']) {
      writeFileSync(fileOf(gitDir), text);
      expect(await record.stopLeftovers()).toEqual([]);
    }
    record.remove();
    expect(existsSync(fileOf(gitDir))).toBe(false);
  });
});
