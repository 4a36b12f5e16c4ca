import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Git } from './git.ts';
import type { RefState } from './refs.ts';
import type { Repository } from './repository.ts';

const fileOf = ({ gitDir }: Repository): string => join(gitDir, 'logs', 'HEAD');

/** In bytes; 0 where none is kept. */
export function sizeOfReflog(repository: Repository): number {
  return existsSync(fileOf(repository)) ? statSync(fileOf(repository)).size : 0;
}

/**
 * Commits that HEAD was at since the reflog had this size and that nothing leads to any more: what an agent committed and
 * then amended or reset away.
 */
export async function findDropped(
  repository: Repository,
  since: number,
  states: readonly RefState[],
): Promise<string[]> {
  const visited = readIds(repository, since);
  const known = new Set(states.flatMap(({ refs, elsewhere, head }) => [...ids(refs), ...ids(elsewhere), head ?? '']));
  if (visited.every((id) => known.has(id))) return [];
  return findTips(
    repository.git,
    visited,
    [...known].filter((id) => id !== ''),
  );
}

const ids = (refs: Readonly<Record<string, string>>): string[] => Object.values(refs);

function readIds(repository: Repository, since: number): string[] {
  if (!existsSync(fileOf(repository))) return [];
  const log = readFileSync(fileOf(repository));
  // A shorter one was expired or rewritten: all of it may be new.
  const lines = (log.length < since ? log : log.subarray(since)).toString('latin1').split('\n');
  const found = lines.flatMap((line) => line.split(' ', 2)).filter((id) => /^[0-9a-f]{40,64}$/.test(id));
  return [...new Set(found)].filter((id) => !/^0+$/.test(id));
}

/** Of these commits, those that neither the known ones nor each other lead to. */
async function findTips(git: Git, candidates: readonly string[], known: readonly string[]): Promise<string[]> {
  const input = Buffer.from([...candidates, ...known.map((id) => `^${id}`)].map((line) => `${line}\n`).join(''));
  const args = ['rev-list', '--parents', '--ignore-missing', '--stdin'];
  // 128: one of them was pruned; then nothing of it can be kept.
  const { stdout } = await git.run(args, { input, accept: [128] });
  const lines = stdout
    .toString('latin1')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.split(' '));
  const parents = new Set(lines.flatMap(([, ...rest]) => rest));
  return lines.flatMap(([id]) => (id === undefined || parents.has(id) ? [] : [id]));
}
