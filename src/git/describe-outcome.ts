import type { Outcome } from '../loop/ports.ts';
import { displayPath } from './byte-path.ts';
import { isState } from './state-paths.ts';
import type { Desk, Left, Turn } from './desk.ts';
import { listWritten } from './own-commits.ts';
import { isSameEntry } from './tree-diff.ts';
import type { PathChange } from './tree-diff.ts';
import { findUnwanted, LARGEST_FILE } from './unwanted.ts';

/** What the loop hears of an agent's work. */
export async function describeOutcome(
  desk: Desk,
  turn: Turn,
  left: Left,
  remarks: readonly string[],
): Promise<Outcome> {
  const inner = left.innerEdits.map(displayPath);
  const changed = [...left.work.keys()].map(displayPath);
  const pending = [...left.pending.keys()].map(displayPath);
  return {
    changed: [...new Set([...changed, ...inner])],
    pending: [...new Set([...pending, ...inner])],
    commits: left.commits,
    violations: await findViolations(desk, left),
    remarks: [
      ...remarks,
      ...inner.map(
        (path) => `${path} is a repository of its own: what is uncommitted in it stays, and is not covered.`,
      ),
    ],
    ref: left.ref,
    userFiles: turn.snapshot.uncommitted.some((path) => !isState(desk.state, path)),
  };
}

/** What the agent's files or its own commits would bring into git and must not. */
async function findViolations(desk: Desk, left: Left): Promise<string[]> {
  const { git, root } = desk.repository;
  const users = new Set(
    [...left.uncommitted.values()].filter(({ before }) => before === undefined).map(({ path }) => path),
  );
  const committed = (await listWritten(git, left.commits)).filter(
    ({ path }) => !users.has(path) && !isState(desk.state, path),
  );
  const written = [...left.pending.values()].filter(({ after }) => after !== undefined);
  const isInHead = ({ path, before }: PathChange): boolean =>
    (left.uncommitted.has(path) ? left.uncommitted.get(path)?.before : before) !== undefined;
  const added = [
    ...written.filter((change) => !isInHead(change)).map(({ path }) => path),
    ...committed.filter(({ isNew }) => isNew).map(({ path }) => path),
  ];
  return findUnwanted(root, {
    added: [...new Set(added)],
    changed: written.filter(({ before, after }) => !isSameEntry(before, after)).map(({ path }) => path),
    large: committed.filter(({ bytes }) => bytes > LARGEST_FILE).map(({ path }) => path),
    dependencies: left.dependencies,
  });
}
