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
  // Not --all: in rescue refs and stashes lies what was never accepted.
  const history = ['--branches', '--tags', '--remotes', 'HEAD'];
  const args = ['--literal-pathspecs', 'log', ...history, '--format=%H', `--max-count=${MOST}`, '--', path];
  const { stdout } = await git.run(args, { accept: [128] });
  for (const commit of stdout.toString('latin1').split('\n')) {
    if (commit === '') continue;
    const version = await git.run(['cat-file', 'blob', `${commit}:${path}`], { accept: [128] });
    if (version.code === 0 && isWanted(version.stdout.toString('utf8'))) return version.stdout;
  }
  return undefined;
}
