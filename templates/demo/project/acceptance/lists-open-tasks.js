import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = mkdtempSync(path.join(tmpdir(), 'tasks-'));
try {
  const file = path.join(folder, 'tasks.json');
  writeFileSync(
    file,
    JSON.stringify([
      { title: 'Buy milk', tags: ['shop'], done: false },
      { title: 'Call home', tags: [], done: true },
    ]),
  );
  const cli = fileURLToPath(new URL('../src/cli.js', import.meta.url));
  assert.equal(execFileSync(process.execPath, [cli, file], { encoding: 'utf8' }), '- Buy milk (shop)\n');
} finally {
  rmSync(folder, { recursive: true, force: true });
}
