import { GitError } from './git.ts';
import type { Git } from './git.ts';
import type { Repository } from './repository.ts';

/**
 * Pushes one branch where `git push` would, without force and without asking anybody. Returns a warning where that does not
 * work; the next accepted story tries again.
 */
export async function pushBranch(
  { git }: Repository,
  branch: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { remote, target } = await findTarget(git, branch);
  const env = {
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: 'true',
    SSH_ASKPASS: 'true',
    GIT_SSH_COMMAND: await sshCommand(git),
  };
  const refspec = `refs/heads/${branch}:${target}`;
  const args = ['push', '--quiet', '--no-force', '--', remote, refspec];
  const words = await git.run(args, { env, accept: 'any', signal }).then(
    ({ code, stderr }) => (code === 0 ? undefined : stderr.trim().split('\n').slice(-3).join(' ')),
    // A remote that does not answer, or the run being ended meanwhile, is no reason to fail either.
    (error: unknown) => (error instanceof GitError ? error.problems.join(' ') : Promise.reject(error)),
  );
  if (words === undefined) return undefined;
  const byHand = `git push ${remote} ${branch}`;
  return `the branch ${branch} could not be pushed to ${remote}: ${words} (tried again after the next story; by hand: ${byHand})`;
}

/** The remote in git's order of precedence; another name there only where the user wants the upstream one to be pushed to. */
async function findTarget(git: Git, branch: string): Promise<{ remote: string; target: string }> {
  const read = async (key: string): Promise<string> =>
    (await git.run(['config', '--get', key], { accept: [1] })).stdout.toString('utf8').trim();
  const upstream = await read(`branch.${branch}.remote`);
  const remotes = [await read(`branch.${branch}.pushRemote`), await read('remote.pushDefault'), upstream];
  // A dot is this repository: the branch follows another branch here.
  const remote = remotes.find((name) => name !== '' && name !== '.') ?? 'origin';
  const followed = await read(`branch.${branch}.merge`);
  const isUpstream = ['upstream', 'tracking'].includes(await read('push.default'));
  const target = isUpstream && remote === upstream && followed !== '' ? followed : `refs/heads/${branch}`;
  return { remote, target };
}

/** ssh asks for passwords on the terminal whatever git says, unless it is told not to. */
async function sshCommand(git: Git): Promise<string> {
  const configured = await git.run(['config', '--get', 'core.sshCommand'], { accept: [1] });
  const own = git.env['GIT_SSH_COMMAND'] ?? (configured.stdout.toString('utf8').trim() || git.env['GIT_SSH']);
  return `${own ?? 'ssh'} -o BatchMode=yes`;
}
