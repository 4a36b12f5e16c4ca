import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Outcome } from '../../../../src/loop/ports.ts';
import type { SnapshotData } from '../../../../src/git/snapshot.ts';
import { fieldsOf, findReachable, linesOf, tokensIn } from './look.ts';
import type { State } from './look.ts';
import type { PlayedTurn } from './steps.ts';
import type { Files, World } from './world.ts';

export interface Played {
  readonly turn: PlayedTurn;
  readonly before: State;
  readonly snapshot: SnapshotData;
  /** As the agent left it. */
  readonly left: Files;
  /** Commits that HEAD was at meanwhile. */
  readonly visited: readonly string[];
  readonly after: State;
  /** What became of it in the end. */
  readonly settled: 'accepted' | 'rolled back' | 'kept';
  readonly outcome: Outcome | undefined;
  readonly remarks: readonly string[];
  /** Work of earlier turns lies in the tree, which the next accepted commit takes along. */
  readonly hasKept: boolean;
  /** Files that were moved into the run folder. */
  readonly aside: Files;
}

/** Everything that must hold after a turn; returns what does not. */
export async function findFaults(world: World, played: Played): Promise<string[]> {
  return [
    ...findLeftovers(world, played),
    ...findLostRefs(played),
    ...(await findLostContent(world, played)),
    ...(played.settled === 'rolled back' ? findNotRolledBack(played) : findTouched(played)),
    ...(played.settled === 'accepted' ? await findBadCommit(world, played) : []),
  ];
}

const isInner = (file: string): boolean => /inner U|inner A/.test(file);
const mentions = ({ agent }: PlayedTurn, text: string): boolean => agent.some(({ script }) => script.includes(text));

function isIgnored({ snapshot }: Played, file: string): boolean {
  const bytes = Buffer.from(file).toString('latin1');
  return [...snapshot.ignored, ...snapshot.dependencies].some(
    (folder) => bytes === folder || bytes.startsWith(folder.endsWith('/') ? folder : `${folder}/`),
  );
}

function findLeftovers(world: World, { after }: Played): string[] {
  const names = ['MERGE_HEAD', 'CHERRY_PICK_HEAD', 'rebase-merge', 'rebase-apply', 'BISECT_LOG', 'index.lock'];
  const left = [...names, 'refs/heads/main.lock'].filter((name) => existsSync(path.join(world.root, '.git', name)));
  const held = [...after.refs.keys()].filter((name) => /^refs\/worktree\/ralph\/(snapshot|held)/.test(name));
  return [...left, ...held].map((name) => `${name} was left behind`);
}

function findLostRefs({ before, after, turn }: Played): string[] {
  const faults: string[] = [];
  for (const [name, id] of before.refs) {
    if (name === 'refs/heads/main' || name === 'refs/stash' || /^refs\/(worktree|bisect)/.test(name)) continue;
    const now = after.refs.get(name);
    if (now === undefined) faults.push(`${name} is gone`);
    else if (now !== id && (!turn.agent.some(({ history }) => history) || name.startsWith('refs/ralph')))
      faults.push(`${name} was moved`);
  }
  if (before.stash.some((id, at) => after.stash[at] !== id)) faults.push('the stash is not as it was');
  return faults;
}

async function findLostContent(world: World, played: Played): Promise<string[]> {
  const { before, left, after, aside, turn } = played;
  const reachable = await findReachable(world, after);
  const faults: string[] = [];
  const wasPruned =
    turn.agent.some(({ prunes }) => prunes) || mentions(turn, '.git/index') || mentions(turn, '.git/ralph');
  const commits = [
    ...before.stash,
    ...[...before.refs].flatMap(([name, id]) => (name.startsWith('refs/worktree') ? [] : [id])),
  ];
  for (const id of [...commits, ...(wasPruned ? [] : played.visited)])
    if (!reachable.ids.has(id)) faults.push(`the object ${id} can't be reached`);
  if (played.settled !== 'accepted' && !mentions(turn, '.git/ralph'))
    for (const [file, entry] of before.index)
      if (
        !reachable.ids.has(entry.split(' ')[1] ?? '') &&
        !entry.startsWith('160000') &&
        !/e69de29|^100644 0/.test(entry)
      )
        faults.push(`what was staged of ${file} can't be reached`);
  const there = new Set([...after.files.values(), ...aside.values()].flatMap(tokensIn));
  const wanted = [
    ...[...before.files].filter(([file]) => !isIgnored(played, file) && !isInner(file)),
    ...[...left].filter(([file]) => !isInner(file)),
  ];
  for (const [file, content] of wanted)
    for (const token of tokensIn(content))
      if (!there.has(token) && !reachable.tokens.has(token)) faults.push(`${token} of ${file} is lost`);
  return faults;
}

/** Files and index exactly as before the agent. */
function findNotRolledBack(played: Played): string[] {
  const { before, after, turn } = played;
  const faults: string[] = [];
  for (const [file, content] of before.files)
    if (after.files.get(file) !== content && !isIgnored(played, file) && !isInner(file))
      faults.push(
        `${file} is ${JSON.stringify(after.files.get(file))?.slice(0, 200)}, it was ${JSON.stringify(content).slice(0, 200)}`,
      );
  if (after.head !== before.head) faults.push('main is not where it was');
  if (mentions(turn, '.git/ralph')) return faults;
  const [was, is] = [before, after].map(({ status }) =>
    fieldsOf(status)
      .filter((record) => !isIgnored(played, record.slice(3)))
      .join('\n'),
  );
  if (was !== is) faults.push(`status is ${JSON.stringify(is)}, it was ${JSON.stringify(was)}`);
  const changed = [...new Set([...before.index.keys(), ...after.index.keys()])].filter(
    (file) => before.index.get(file) !== after.index.get(file),
  );
  return [...faults, ...changed.map((file) => `the index of ${file} is not as it was`)];
}

/** Files of the user's after work that stays in the tree. */
function findTouched(played: Played): string[] {
  const { before, after, turn, snapshot } = played;
  const faults: string[] = [];
  // What is there of kept work is no file of the user's.
  const isLoose = played.hasKept || [' other', 'chmod', 'stash pop'].some((text) => mentions(turn, text));
  for (const bytes of snapshot.uncommitted) {
    const file = Buffer.from(bytes, 'latin1').toString('utf8');
    const content = before.files.get(file);
    if (content === undefined || isInner(file)) continue;
    const isOverwritten = turn.agent.some(
      ({ overwrites }) =>
        overwrites !== undefined &&
        (file === overwrites || file.startsWith(`${overwrites}/`) || overwrites.startsWith(`${file}/`)),
    );
    if (isOverwritten || turn.agent.some(({ script }) => script.includes(`'${file}/`) || file === 'dir')) continue;
    // Both wrote the same lines or the same new file: the user is told, and his version is kept.
    const isNamed = /^(.*)(: lines that the user had changed were|was not committed, and the agent)/;
    if (played.remarks.some((remark) => isNamed.exec(remark)?.[1]?.trim() === file)) continue;
    const now = after.files.get(file);
    for (const token of tokensIn(content))
      if (token.startsWith('U') && !tokensIn(now ?? '').includes(token))
        faults.push(`${token} of the user's is not in ${file} any more`);
    if (!mentions(turn, `'${file}'`) && !isLoose && now !== content) faults.push(`${file} of the user's was changed`);
  }
  return faults;
}

async function findBadCommit(world: World, played: Played): Promise<string[]> {
  const { before, after, left, turn, remarks } = played;
  const faults: string[] = [];
  const own = new Set([...before.files.values()].flatMap(tokensIn).filter((token) => token.startsWith('U')));
  const patch = await world.git(
    '-c',
    'core.quotePath=false',
    'log',
    '-p',
    '-m',
    '--first-parent',
    '--text',
    '--format=',
    `${before.head}..${after.head}`,
  );
  const whole = remarks
    .filter((remark) => /committed whole|holds kept work and changes of yours/.test(remark))
    .join('\n');
  const old = new Set(tokensIn(await world.git('log', '-p', '-m', '--text', '--format=', '--root', before.head)));
  let file = '';
  for (const line of patch.split('\n')) {
    if (line.startsWith('+++ ')) file = line.slice('+++ b/'.length).replace(/\t$/, '');
    else if (line.startsWith('+'))
      for (const token of tokensIn(line))
        if (own.has(token) && !old.has(token) && !whole.includes(file))
          faults.push(`${token} of the user's was committed with ${file}`);
  }
  const isPlain = !played.hasKept && !turn.agent.some((step) => step.history === true);
  const names = fieldsOf(await world.git('diff', '--name-only', '-z', '--no-renames', before.head, after.head));
  if (isPlain)
    for (const name of names)
      // A file in the place of a folder, or the other way round, leaves no room for what HEAD has there.
      if (
        left.get(name) === before.files.get(name) &&
        !names.some((other) => name.startsWith(`${other}/`) || other.startsWith(`${name}/`))
      )
        faults.push(`${name} was committed, and the agent did not change it`);
  return [...faults, ...(await findBadIndex(world, played, new Set(names)))];
}

async function findBadIndex(
  world: World,
  { before, after, turn }: Played,
  committed: ReadonlySet<string>,
): Promise<string[]> {
  if (mentions(turn, '.git/ralph')) return [];
  const faults: string[] = [];
  const [old, now] = await Promise.all([readTree(world, before.head), readTree(world, after.head)]);
  for (const file of new Set([...before.index.keys(), ...after.index.keys()])) {
    const [was, is] = [before.index.get(file), after.index.get(file)];
    if (!committed.has(file) && was !== is) faults.push(`the index of ${file} is not as it was`);
    if (committed.has(file) && was === old.get(file) && is !== now.get(file))
      faults.push(`the index of ${file} does not follow HEAD`);
  }
  return faults;
}

async function readTree(world: World, commit: string): Promise<Map<string, string>> {
  const records = fieldsOf(await world.git('ls-tree', '-r', '-z', commit));
  return new Map(
    records.map((record) => {
      const [facts = '', file = ''] = record.split('\t');
      const [mode, , id] = facts.split(' ');
      return [file, `${mode} ${id} 0`];
    }),
  );
}

export const describePlayed = (faults: readonly string[]): string =>
  linesOf(faults.join('\n')).slice(0, 12).join('\n  ');
