import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { identityOf } from '../../../src/process/identity.ts';
import { createChildRecord, stopLeftovers } from '../../../src/run-folder/child-record.ts';
import { cleanEnvironment, createFolders, isAlive, until } from '../process/support.ts';

const newFolder = createFolders();
const run = `record-${process.pid}`;

function start(env: NodeJS.ProcessEnv = {}): number {
  const child = spawn('sh', ['-c', 'sleep 50; :'], { env: cleanEnvironment(env), stdio: 'ignore', detached: true });
  if (child.pid === undefined) throw new Error('not started');
  return child.pid;
}

describe('stopLeftovers', () => {
  it('stops the recorded groups and what carries the id, and forgets them', async () => {
    const gitDir = newFolder();
    const [recorded, carrier] = [start(), start({ RALPH_RUN_ID: run })];
    createChildRecord(gitDir)([recorded]);
    const killed = await stopLeftovers(gitDir, run);
    expect(killed.map(({ pid }) => pid)).toEqual(expect.arrayContaining([recorded, carrier]));
    await until('both gone', () => !isAlive(recorded) && !isAlive(carrier));
    expect(existsSync(path.join(gitDir, 'ralph/children.json'))).toBe(false);
  });

  it('leaves a group alone whose number is somebody else’s by now', async () => {
    const gitDir = newFolder();
    const other = start();
    mkdirSync(path.join(gitDir, 'ralph'));
    writeFileSync(
      path.join(gitDir, 'ralph/children.json'),
      JSON.stringify([{ ...identityOf(other), start: '1' }, null, 7]),
    );
    expect(await stopLeftovers(gitDir, run)).toEqual([]);
    expect(isAlive(other)).toBe(true);
    process.kill(-other, 'SIGKILL');
  });

  it('has nothing to do without a file, or with half of one', async () => {
    const gitDir = newFolder();
    expect(await stopLeftovers(gitDir, run)).toEqual([]);
    createChildRecord(gitDir)([]);
    const file = path.join(gitDir, 'ralph/children.json');
    expect(readFileSync(file, 'utf8')).toBe('[]\n');
    writeFileSync(file, '[{"pid"');
    expect(await stopLeftovers(gitDir, run)).toEqual([]);
  });
});
