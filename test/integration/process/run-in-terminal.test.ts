import { EventEmitter } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { runInTerminal } from '../../../src/process/run-in-terminal.ts';
import { cleanEnvironment, createFolders, numberIn } from './support.ts';

const makeFolder = createFolders();

function node(code: string, cwd = makeFolder()) {
  return { command: process.execPath, args: ['-e', code], cwd, env: cleanEnvironment({ MARK: 'here' }) };
}

describe('runInTerminal', () => {
  it('runs in the same group, with exactly this environment, and tells the exit code', async () => {
    const spec = node(
      `const fs = require('node:fs'); const stat = fs.readFileSync('/proc/self/stat', 'utf8');
       fs.writeFileSync('group', stat.slice(stat.lastIndexOf(')')).split(' ')[3] + '\\n');
       process.exit(process.env.MARK === 'here' ? 3 : 4);`,
    );
    expect(await runInTerminal(spec)).toEqual({ exit: { kind: 'exited', code: 3 }, signal: undefined });
    if (process.platform !== 'linux') return;
    const own = readFileSync('/proc/self/stat', 'utf8');
    expect(await numberIn(path.join(spec.cwd, 'group'))).toBe(Number(own.slice(own.lastIndexOf(')')).split(' ')[3]));
  });

  it('tells what can not be started', async () => {
    const folder = makeFolder();
    const spec = { ...node('', folder), command: path.join(folder, 'nothing') };
    expect((await runInTerminal(spec)).exit).toMatchObject({ kind: 'failed', code: 'ENOENT' });
    const nul = { ...node('', folder), args: ['a\0b'] };
    expect((await runInTerminal(nul)).exit).toMatchObject({ kind: 'failed' });
  });

  it('leaves Ctrl-C to the program, and hands TERM on', async () => {
    const source = new EventEmitter();
    const spec = node(
      `process.on('SIGINT', () => process.exit(9)); setInterval(() => {}, 1e6);
       require('node:fs').writeFileSync('ready', process.pid + '\\n');`,
    );
    const end = runInTerminal(spec, source);
    await numberIn(path.join(spec.cwd, 'ready'));
    source.emit('SIGINT');
    source.emit('SIGTERM');
    expect(await end).toEqual({ exit: { kind: 'signalled', signal: 'SIGTERM' }, signal: 'SIGTERM' });
    expect(source.eventNames()).toEqual([]);
  });
});
