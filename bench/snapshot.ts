// How long a snapshot takes in a large working tree: npm run bench:snapshot [files].
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { openRepository } from '../src/git/repository.ts';
import { openShadow } from '../src/git/shadow.ts';
import { releaseSnapshot, takeSnapshot, takeTree } from '../src/git/snapshot.ts';

const files = Number(process.argv[2] ?? 50_000);
const root = mkdtempSync(path.join(os.tmpdir(), 'ralph-bench-'));
const env = { ...process.env, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: os.devNull };
const git = (...args: readonly string[]): Buffer =>
  execFileSync('git', ['-c', 'user.name=Bench', '-c', 'user.email=bench@localhost', '-c', 'gc.auto=0', ...args], {
    cwd: root,
    env,
  });
const say = (text: string): boolean => process.stdout.write(`${text}\n`);
const time = async <T>(what: string, step: () => Promise<T>): Promise<T> => {
  const start = performance.now();
  const result = await step();
  say(`${what}: ${Math.round(performance.now() - start)} ms`);
  return result;
};

try {
  for (let at = 0; at < files; at += 1) {
    if (at % 100 === 0) mkdirSync(path.join(root, `d${at / 100}`));
    writeFileSync(path.join(root, `d${Math.floor(at / 100)}/f${at}.txt`), `file ${at}\n`);
  }
  git('init', '--quiet', '--initial-branch=main');
  git('add', '-A');
  git('commit', '--quiet', '-m', 'Start');
  git('repack', '-a', '-d', '--quiet');
  const repository = await openRepository(root, env);
  const shadow = await time('open', () => openShadow(repository));
  for (const kind of ['cold', 'warm', 'warm', 'warm']) {
    const snapshot = await time(`snapshot of ${files} files, ${kind}`, () =>
      takeSnapshot(repository, shadow, { iteration: 1, try: 1 }),
    );
    writeFileSync(path.join(root, 'd0/f0.txt'), `${performance.now()}\n`);
    await time('look at the tree again', () => takeTree(repository, shadow, snapshot));
    await releaseSnapshot(repository);
  }
} finally {
  rmSync(root, { recursive: true, force: true });
}
