import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { cleanEnvironment, createFolders } from '../process/support.ts';
import { buildInto } from './build.ts';

const newFolder = createFolders();

// Files of at most 64 KiB: beyond it the system refuses, as it does on a full disk.
const script = (module: string, root: string) => `
  import { createRunFolder } from ${JSON.stringify(module)};
  const folder = createRunFolder({ root: ${JSON.stringify(root)}, clock: { now: () => Date.now() } });
  let seen = 0;
  folder.onEvent(() => (seen += 1));
  const log = folder.openLog(1, 'output.log');
  for (let i = 0; i < 100; i += 1) log.write(Buffer.alloc(1000, 'x'));
  log.close();
  const afterLog = folder.problem()?.code;
  for (let i = 0; i < 100; i += 1) folder.emit({ type: 'agent.text', text: 'x'.repeat(1000) }, { iteration: 1 });
  process.stdout.write(JSON.stringify({ path: folder.path, seen, afterLog, problem: folder.problem()?.code }));
`;

describe('a full disk', () => {
  it('is remembered, and stops neither the events on their way to the screen nor ralph', () => {
    const [built, root] = [newFolder(), newFolder()];
    const out = buildInto(built, ['run-folder/run-folder.ts']);
    writeFileSync(path.join(built, 'full.js'), script(out('run-folder/run-folder.ts'), root));
    // The unit of ulimit -f is 512 bytes in a POSIX shell, 1024 in bash.
    const limited = ['-c', 'ulimit -f 64; exec "$0" full.js', process.execPath];
    const { stdout, stderr, status } = spawnSync('sh', limited, {
      cwd: built,
      env: cleanEnvironment(),
      encoding: 'utf8',
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const result: { path: string } = JSON.parse(stdout);
    expect(result).toMatchObject({ seen: 100, afterLog: 'EFBIG', problem: 'EFBIG' });
    const lines = readFileSync(path.join(result.path, 'events.jsonl'), 'utf8').split('\n');
    expect(lines.length).toBeGreaterThan(10);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ type: 'agent.text' });
  });
});
