import type { Repository } from './repository.ts';

/** Commits to look at; a PRD is rarely older than that in its own history. */
const MOST = 200;

/** The newest committed version of a file that the question says yes to, over all branches. `path` is from the root. */
export async function findVersion(
  repository: Repository,
  path: string,
  isWanted: (text: string) => boolean,
): Promise<Buffer | undefined> {
  const { git } = repository;
  const { stdout } = await git.run(['log', '--all', '--format=%H', `--max-count=${MOST}`, '--', path], {
    accept: [128],
  });
  for (const commit of stdout.toString('latin1').split('\n')) {
    if (commit === '') continue;
    const version = await git.run(['cat-file', 'blob', `${commit}:${path}`], { accept: [128] });
    if (version.code === 0 && isWanted(version.stdout.toString('utf8'))) return version.stdout;
  }
  return undefined;
}
