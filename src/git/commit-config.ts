import { join } from 'node:path';
import { markOf } from './file-at.ts';
import type { Git } from './git.ts';
import type { Repository } from './repository.ts';

/** What of the configuration a commit depends on. */
export interface CommitConfig {
  /** Does the user sign commits? Then ralph's are signed as well, or not made. */
  readonly signs: boolean;
  /** Absolute path of the folder with the hooks. */
  readonly hooks: string;
}

const known = new WeakMap<Git, { state: string; config: Promise<CommitConfig> }>();

/** Read anew when the repository's configuration was written since: an agent may install hooks. */
export function readCommitConfig(repository: Repository): Promise<CommitConfig> {
  const { git, gitDir, commonDir } = repository;
  const state = [join(commonDir, 'config'), join(gitDir, 'config.worktree')]
    .map((file) => markOf(file) ?? 'none')
    .join('; ');
  const last = known.get(git);
  if (last?.state === state) return last.config;
  const config = readNow(git);
  known.set(git, { state, config });
  config.catch(() => known.delete(git));
  return config;
}

async function readNow(git: Git): Promise<CommitConfig> {
  const [signs, hooks] = await Promise.all([
    git.run(['config', '--type=bool', '--get', 'commit.gpgSign'], { accept: [1] }),
    git.text('rev-parse', '--path-format=absolute', '--git-path', 'hooks'),
  ]);
  return { signs: signs.stdout.toString('utf8').trim() === 'true', hooks };
}
