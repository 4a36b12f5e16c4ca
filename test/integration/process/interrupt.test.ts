import { EventEmitter } from 'node:events';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { agentLadder, commandLadder } from '../../../src/process/group.ts';
import { installInterrupt } from '../../../src/process/interrupt.ts';
import { createChildRegistry } from '../../../src/process/registry.ts';
import { runWatched } from '../../../src/process/run-watched.ts';
import { cleanEnvironment, createFolders, isAlive, numberIn } from './support.ts';

const newFolder = createFolders();
const deaf = `trap "" INT TERM HUP; echo $$ > NAME; while :; do sleep 0.05; done`;

describe('installInterrupt', () => {
  it.each([
    ['an agent', agentLadder],
    ['a gate', commandLadder],
  ])('ends %s and what left its group at the second signal, whatever they ignore', async (name, ladder) => {
    const folder = newFolder();
    const run = `interrupt-${process.pid}-${name.replace(' ', '-')}`;
    const source = new EventEmitter();
    const controller = new AbortController();
    const registry = createChildRegistry();
    const interrupt = installInterrupt({ controller, registry, run: () => run, source });
    const script = `setsid sh -c '${deaf.replace('NAME', 'far')}' & ${deaf.replace('NAME', 'near')}`;
    const sinks = { onStdout: () => {}, onStderr: () => {} };
    const env = cleanEnvironment({ RALPH_RUN_ID: run });
    const end = runWatched(
      { command: 'sh', args: ['-c', script], cwd: folder, env, ...sinks },
      { ladder, signal: controller.signal, run, registry },
    );
    const [near, far] = await Promise.all(['near', 'far'].map((file) => numberIn(path.join(folder, file))));
    const started = Date.now();
    source.emit('SIGINT', 'SIGINT');
    source.emit('SIGINT', 'SIGINT');
    expect(await end).toMatchObject({ stopped: 'interrupted', exit: { kind: 'signalled', signal: 'SIGKILL' } });
    interrupt.uninstall();
    expect(Date.now() - started).toBeLessThan(3_000);
    expect([near, far].map((pid) => isAlive(pid ?? 0))).toEqual([false, false]);
  });
});
