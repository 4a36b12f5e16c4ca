import { finderAmong, fromBytes, joinNul, splitNul } from './byte-path.ts';
import type { BytePath } from './byte-path.ts';
import type { Desk, Turn } from './desk.ts';
import { moveAside } from './move-aside.ts';
import { notOwn } from './shadow.ts';

/**
 * What only the agent's ignore rules had hidden, and the dependency folders that it brought, move into the run folder. Call
 * it when the tree is that of the snapshot again: the rules in it are the user's.
 */
export async function moveHidden(desk: Desk, { snapshot }: Turn, dependencies: readonly BytePath[]): Promise<void> {
  desk.shadow.followRules();
  const inner = snapshot.inner.map(({ path }) => path);
  const find = finderAmong([...snapshot.ignored, ...snapshot.dependencies, ...dependencies, ...inner]);
  const isNew = (path: BytePath): boolean => find(path) === undefined;
  for (const path of dependencies) moveAside(desk, path, snapshot.iteration);
  for (const path of (await findRules(desk)).filter(isNew)) moveAside(desk, path, snapshot.iteration);
  for (const path of (await desk.shadow.untracked()).filter(isNew)) moveAside(desk, path, snapshot.iteration);
}

/**
 * Rules that hide themselves (`*` in a `.gitignore`) are in no tree and still there. Those that a rule of the user's hides
 * with the folder they are in stay.
 */
async function findRules({ repository, shadow }: Desk): Promise<BytePath[]> {
  const { stdout } = await shadow.run(['ls-files', '-z', '--others', '--', ':(glob)**/.gitignore', ...notOwn]);
  const files = splitNul(stdout);
  if (files.length === 0) return [];
  const args = ['check-ignore', '-z', '--stdin', '--verbose', '--non-matching', '--no-index'];
  const answer = await repository.git.run(args, { input: joinNul(files), accept: [1] });
  const fields = splitNul(answer.stdout);
  const known = new Set(files);
  // Four fields a file: where the rule stands, its line, the rule, the file.
  return files.filter((_, at) => known.has(fromBytes(fields[at * 4] ?? '')));
}
