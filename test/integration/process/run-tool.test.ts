import { describe, expect, it } from 'vitest';
import { runTool } from '../../../src/process/run-tool.ts';
import type { ToolOptions } from '../../../src/process/run-tool.ts';
import { cleanEnvironment, createFolders } from './support.ts';

const folder = createFolders();
const sh = (script: string, more: Partial<ToolOptions> = {}) =>
  runTool('sh', ['-c', script], { cwd: folder(), env: cleanEnvironment(), ...more });

describe('runTool', () => {
  it('returns the exact bytes of stdout, the text of stderr and the exit code', async () => {
    const { code, stdout, stderr } = await sh(String.raw`printf 'a\000\377\n\n'; echo oh >&2; exit 3`);
    expect({ code, stderr }).toEqual({ code: 3, stderr: 'oh\n' });
    expect([...stdout]).toEqual([0x61, 0, 0xff, 0x0a, 0x0a]);
  });

  it('hands input over, large input too, and has none otherwise', async () => {
    const input = Buffer.alloc(3_000_000, 'x');
    expect((await sh('wc -c', { input })).stdout.toString().trim()).toBe('3000000');
    expect((await sh('wc -c')).stdout.toString().trim()).toBe('0');
  });

  it('does not mind a helper that ends without reading', async () => {
    expect(await sh('exit 0', { input: Buffer.alloc(3_000_000) })).toMatchObject({ code: 0 });
  });

  it('has exactly the given environment', async () => {
    const { stdout } = await runTool('env', [], { cwd: folder(), env: { PATH: process.env['PATH'], ONLY: 'this' } });
    expect(stdout.toString().split('\n').sort()).toEqual(['', 'ONLY=this', `PATH=${process.env['PATH']}`]);
  });

  it('gives a death by a signal as 128+n', async () => {
    expect(await sh('kill -KILL $$')).toMatchObject({ code: 137 });
  });

  it('takes arguments as data', async () => {
    const args = ['%s\\n', '$(id) `id` "q" \'q\' ; * ü\n', ''];
    expect((await runTool('printf', args, { cwd: folder(), env: cleanEnvironment() })).stdout.toString()).toBe(
      '$(id) `id` "q" \'q\' ; * ü\n\n\n',
    );
  });

  it.each([
    ['a command that is not there', 'no-such-command', [], 'ENOENT'],
    ['one that can not be executed', '/', [], 'EACCES'],
    ['an argument that is too long', 'true', ['x'.repeat(3_000_000)], 'E2BIG'],
  ])('rejects with the code of the system for %s', async (_, command, args, code) => {
    await expect(runTool(command, args, { cwd: folder(), env: cleanEnvironment() })).rejects.toMatchObject({ code });
  });

  it('names a folder that is not there', async () => {
    const run = runTool('true', [], { cwd: '/no/such/folder', env: cleanEnvironment() });
    await expect(run).rejects.toThrow('/no/such/folder');
  });

  it('stops a helper that takes too long, with what it started', async () => {
    const started = Date.now();
    await expect(sh('sleep 50 & sleep 50', { timeoutMs: 100 })).rejects.toMatchObject({ code: 'ETIMEDOUT' });
    expect(Date.now() - started).toBeLessThan(2_000);
  });

  it('stops at an abort, and does not start after one', async () => {
    const controller = new AbortController();
    const run = sh('sleep 50', { signal: controller.signal });
    controller.abort();
    await expect(run).rejects.toMatchObject({ code: 'ABORT_ERR' });
    await expect(sh('true', { signal: controller.signal })).rejects.toMatchObject({ code: 'ABORT_ERR' });
  });

  it('is done in bounded time, though a grandchild holds its output', async () => {
    const started = Date.now();
    const { stdout } = await sh('sleep 20 & echo $!');
    expect(Date.now() - started).toBeLessThan(4_000);
    process.kill(Number(stdout.toString()), 'SIGKILL');
  });
});
