/** What makes the tests quicker, and changes nothing that they see. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const ROOM = 1e9;

/** Where a file system in memory is at hand: the folder for temporary files. Half of the time of a test of git is the disk's. */
export function quickFolder(folder = '/dev/shm'): { TMPDIR?: string } {
  let probe: string | undefined;
  try {
    const { bavail, bsize } = statfsSync(folder);
    if (bavail * bsize < ROOM) return {};
    probe = mkdtempSync(path.join(folder, 'ralph-probe-'));
    const program = path.join(probe, 'program');
    writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 });
    // Containers often forbid to run what lies there.
    return spawnSync(program).status === 0 ? { TMPDIR: folder } : {};
  } catch {
    return {};
  } finally {
    if (probe !== undefined) rmSync(probe, { recursive: true });
  }
}

/**
 * Takes the certificates of a proxy out of the environment, and returns them for those tests that install something: Node
 * reads all of them at each start, which takes twice as long then.
 */
export function takeCertificates(env: NodeJS.ProcessEnv): { NODE_EXTRA_CA_CERTS?: string } {
  const { NODE_EXTRA_CA_CERTS } = env;
  delete env['NODE_EXTRA_CA_CERTS'];
  return NODE_EXTRA_CA_CERTS === undefined ? {} : { NODE_EXTRA_CA_CERTS };
}
