import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const cache = fileURLToPath(new URL('../../.cache/', import.meta.url));

/**
 * Installs this version of the Claude Code CLI from the npm registry into `.cache/` (once), and returns the folder that its
 * `claude` is in. Throws with npm's own words where that can't be done: a test that can't run has failed.
 */
export function installClaude(version: string): string {
  const prefix = path.join(cache, `claude-${version}`);
  const bin = path.join(prefix, 'node_modules', '.bin');
  if (installedVersion(bin) === version) return bin;
  mkdirSync(prefix, { recursive: true });
  // The newest CLI asks for Node 22 and runs on 20; its binary is put in place by its install script.
  const flags = [
    '--engine-strict=false',
    '--ignore-scripts=false',
    '--no-save',
    '--no-package-lock',
    '--no-audit',
    '--no-fund',
  ];
  const npm = spawnSync('npm', ['install', '--prefix', prefix, ...flags, `@anthropic-ai/claude-code@${version}`], {
    encoding: 'utf8',
    timeout: 240_000,
  });
  const found = installedVersion(bin);
  if (found === version) return bin;
  throw new Error(
    `Claude Code ${version} can't be installed (found: ${found ?? 'nothing that runs'}).\n${npm.stdout ?? ''}${npm.stderr ?? ''}${npm.error?.message ?? ''}`,
  );
}

/** What `claude --version` says, or undefined where it doesn't run. */
function installedVersion(bin: string): string | undefined {
  const { status, stdout } = spawnSync(path.join(bin, 'claude'), ['--version'], { encoding: 'utf8', timeout: 30_000 });
  return status === 0 ? /^\S+/.exec(stdout)?.[0] : undefined;
}
