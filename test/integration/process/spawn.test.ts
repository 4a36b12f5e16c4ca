import { closeSync, openSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { startChild } from '../../../src/process/spawn.ts';
import { nothing } from '../../../src/process/timers.ts';
import type { ChildSpec } from '../../../src/process/types.ts';
import { cleanEnvironment, createFolders } from './support.ts';

const folder = createFolders();

function spec(script: string, more: Partial<ChildSpec> = {}): ChildSpec {
  const sinks = { onStdout: () => {}, onStderr: () => {} };
  return { command: 'sh', args: ['-c', script], cwd: folder(), env: cleanEnvironment(), ...sinks, ...more };
}

describe('startChild', () => {
  it('does not gather output: memory stays flat', async () => {
    let bytes = 0;
    let peak = 0;
    const before = process.memoryUsage.rss();
    const onStdout = (chunk: Buffer): void => {
      bytes += chunk.length;
      peak = Math.max(peak, process.memoryUsage.rss() - before);
    };
    await startChild(spec('head -c 300000000 /dev/zero', { onStdout })).exit;
    expect(bytes).toBe(300_000_000);
    expect(peak).toBeLessThan(150_000_000);
  });

  it('fails, instead of throwing, when no file can be opened any more', async () => {
    const open: number[] = [];
    try {
      for (;;) open.push(openSync('/dev/null', 'r'));
    } catch {
      // as wanted
    }
    const child = startChild(spec('true', { input: 'x', cwd: '/' }));
    for (const descriptor of open) closeSync(descriptor);
    expect(child.pid).toBeUndefined();
    expect(await child.exit).toMatchObject({ kind: 'failed', code: 'EMFILE' });
  });

  it('fails for a value that the system can not take', async () => {
    const child = startChild(spec('true', { env: { X: 'a\0b' } }));
    expect(await child.exit).toMatchObject({ kind: 'failed' });
  });

  it('lets go of the pipes when told to', async () => {
    const started = Date.now();
    let exited = nothing;
    const gone = new Promise<void>((resolve) => {
      exited = resolve;
    });
    let pid = 0;
    const child = startChild(
      spec('sleep 20 & echo $!', { onExit: exited, onStdout: (chunk) => (pid = Number(chunk)) }),
    );
    await gone;
    child.release();
    expect(await child.exit).toEqual({ kind: 'exited', code: 0 });
    expect(Date.now() - started).toBeLessThan(1_500);
    process.kill(pid, 'SIGKILL');
  });
});
