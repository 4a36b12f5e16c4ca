import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Of a repository: that of the working tree, and the one that all its working trees share. */
interface Folders {
  readonly gitDir: string;
  readonly commonDir: string;
}

/**
 * The branch that is checked out and its tip, read from git's own files: a question that is asked in each iteration, and
 * nearly always answered with what is known. undefined where it takes git to tell: a packed ref, a detached HEAD, a reftable.
 */
export function peekHead({ gitDir, commonDir }: Folders): { branch: string; tip: string } | undefined {
  try {
    const [, branch] = /^ref: refs\/heads\/(.+)\n$/.exec(readFileSync(join(gitDir, 'HEAD'), 'utf8')) ?? [];
    if (branch === undefined) return undefined;
    const [, tip] = /^([0-9a-f]{40,64})\n$/.exec(readFileSync(join(commonDir, 'refs/heads', branch), 'latin1')) ?? [];
    return tip === undefined ? undefined : { branch, tip };
  } catch {
    return undefined;
  }
}
