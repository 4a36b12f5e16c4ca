import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const cache = fileURLToPath(new URL('../../.cache/', import.meta.url));

/**
 * Fetches this major version of Node from the npm registry into `.cache/` (once), and returns the folder its `node` is in.
 * Throws with npm's own words where that can't be done: a test that can't run has failed.
 */
export function installNode(major: number): string {
  const prefix = path.join(cache, `node-${major}`);
  const name = `node-${process.platform}-${process.arch}`;
  const bin = path.join(prefix, 'node_modules', name, 'bin');
  if (majorOf(bin) === major) return bin;
  mkdirSync(prefix, { recursive: true });
  const flags = [
    '--engine-strict=false',
    '--ignore-scripts',
    '--no-save',
    '--no-package-lock',
    '--no-audit',
    '--no-fund',
  ];
  const npm = spawnSync('npm', ['install', '--prefix', prefix, ...flags, `${name}@${major}`], {
    encoding: 'utf8',
    timeout: 240_000,
  });
  if (majorOf(bin) === major) return bin;
  throw new Error(
    `Node ${major} can't be installed.\n${npm.stdout ?? ''}${npm.stderr ?? ''}${npm.error?.message ?? ''}`,
  );
}

function majorOf(bin: string): number | undefined {
  const { status, stdout } = spawnSync(path.join(bin, 'node'), ['--version'], { encoding: 'utf8', timeout: 30_000 });
  return status === 0 ? Number(/^v(\d+)/.exec(stdout)?.[1]) : undefined;
}
