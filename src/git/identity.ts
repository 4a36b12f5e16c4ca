import type { Repository } from './repository.ts';

/**
 * The environment for commits in the user's name; where no name and address are configured, ralph's own instead of failing.
 */
export async function readIdentity({ git }: Repository): Promise<NodeJS.ProcessEnv> {
  const { stdout } = await git.run(['config', '--get-regexp', '^(user|author|committer)\\.(name|email)$'], {
    accept: [1],
  });
  const set = new Set(
    stdout
      .toString('utf8')
      .split('\n')
      .map((line) => line.split(' ')[0]?.toLowerCase()),
  );
  const has = (role: string, part: string): boolean =>
    set.has(`user.${part}`) ||
    set.has(`${role}.${part}`) ||
    hasValue(git.env[`GIT_${role.toUpperCase()}_${part.toUpperCase()}`]) ||
    (part === 'email' && hasValue(git.env['EMAIL']));
  const isComplete = ['author', 'committer'].every((role) => has(role, 'name') && has(role, 'email'));
  if (isComplete) return {};
  return {
    GIT_AUTHOR_NAME: 'Ralph',
    GIT_AUTHOR_EMAIL: 'ralph@localhost',
    GIT_COMMITTER_NAME: 'Ralph',
    GIT_COMMITTER_EMAIL: 'ralph@localhost',
  };
}

const hasValue = (value: string | undefined): boolean => value !== undefined && value !== '';
