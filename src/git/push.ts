import type { Repository } from './repository.ts';

/**
 * Pushes one branch to its own remote (else `origin`), without force and without asking anybody. Returns a warning where
 * that does not work; the next accepted story tries again.
 */
export async function pushBranch({ git }: Repository, branch: string): Promise<string | undefined> {
  const configured = await git.run(['config', '--get', `branch.${branch}.remote`], { accept: [1] });
  const remote = configured.stdout.toString('utf8').trim() || 'origin';
  const refspec = `refs/heads/${branch}:refs/heads/${branch}`;
  const env = {
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: 'true',
    SSH_ASKPASS: 'true',
    GIT_SSH_COMMAND: sshCommand(git.env),
  };
  const result = await git.run(['push', '--quiet', '--no-force', '--', remote, refspec], { env, accept: [1, 128] });
  if (result.code === 0) return undefined;
  const words = result.stderr.trim().split('\n').slice(-3).join(' ');
  return `the branch ${branch} could not be pushed to ${remote}: ${words} (tried again after the next story; by hand: git push ${remote} ${branch})`;
}

/** ssh asks for passwords on the terminal whatever git says, unless it is told not to. */
function sshCommand(env: NodeJS.ProcessEnv): string {
  return `${env['GIT_SSH_COMMAND'] ?? env['GIT_SSH'] ?? 'ssh'} -o BatchMode=yes`;
}
