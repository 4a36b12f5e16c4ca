import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { listIn, processesWith, userFiles } from './world.ts';
import type { World } from './world.ts';

/** What must still be so at the end as it was when the user had left the tree to ralph. */
export interface Promised {
  readonly staged: string;
  readonly stash: readonly string[];
  readonly refs: ReadonlyMap<string, string>;
  /** Accepted commits so far. */
  readonly accepted: Set<string>;
}

export function lookAt(world: World): Promised {
  return { staged: stagedBy(world), stash: stashOf(world), refs: refsOf(world), accepted: new Set() };
}

/** Holds at any moment, also directly after a kill: each returned line is a fault. */
export function checkAlways(world: World): string[] {
  return runFiles(world).flatMap((file) => parseFault(file));
}

/** Holds whenever ralph has ended by itself. */
export function checkSettled(world: World, promised: Promised): string[] {
  return [
    ...checkAlways(world),
    ...parseFault(path.join(world.repo, 'prd.json')),
    ...checkUserFiles(world),
    ...checkGit(world, promised),
    ...checkAccepted(world, promised),
    ...checkLeftovers(world),
    ...checkStories(world),
    ...checkBytes(world),
  ];
}

/** All whole JSON files of ralph's own; drafts (`.new`) are nobody's input. */
function runFiles({ repo }: World): string[] {
  const own = path.join(repo, '.git/ralph');
  const files = existsSync(own) ? readdirSync(own, { recursive: true, encoding: 'utf8' }) : [];
  const runs = listIn(path.join(repo, '.ralph/runs')).map((run) => path.join(repo, '.ralph/runs', run, 'run.json'));
  return [...files.filter((file) => file.endsWith('.json')).map((file) => path.join(own, file)), ...runs];
}

function parseFault(file: string): string[] {
  if (!existsSync(file)) return [];
  try {
    JSON.parse(readFileSync(file, 'utf8'));
    return [];
  } catch (error) {
    return [`${file} does not parse: ${String(error)}`];
  }
}

function checkUserFiles({ repo }: World): string[] {
  return Object.entries({ ...userFiles, 'ignored/keep.txt': 'ignored\n' }).flatMap(([file, text]) => {
    const there = existsSync(path.join(repo, file)) ? readFileSync(path.join(repo, file), 'utf8') : undefined;
    return there === text ? [] : [`${file} of the user is ${JSON.stringify(there)}`];
  });
}

function stagedBy(world: World): string {
  return world.git('diff', '--cached', '--no-renames', 'HEAD');
}

function stashOf(world: World): string[] {
  return world.git('stash', 'list', '--format=%H').split('\n').filter(Boolean);
}

function refsOf(world: World): Map<string, string> {
  const lines = world.git('for-each-ref', '--format=%(refname) %(objectname)').trim().split('\n');
  return new Map(lines.map((line) => [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)]));
}

function checkGit(world: World, promised: Promised): string[] {
  const faults: string[] = [];
  if (stagedBy(world) !== promised.staged) faults.push(`the index holds other changes: ${stagedBy(world)}`);
  const stash = new Set(stashOf(world));
  faults.push(...promised.stash.filter((id) => !stash.has(id)).map((id) => `the stash ${id} is gone`));
  const refs = refsOf(world);
  for (const [name, id] of promised.refs) {
    const own = name.startsWith('refs/worktree/') || name === 'refs/heads/ralph/chaos' || name === 'refs/stash';
    if (!own && refs.get(name) !== id) faults.push(`${name} is at ${refs.get(name) ?? 'nothing'} instead of ${id}`);
  }
  if (refs.has('refs/worktree/ralph/snapshot')) faults.push('the ref on the snapshot is still there');
  const branch = world.git('rev-parse', '--abbrev-ref', 'HEAD').trim();
  if (branch !== 'ralph/chaos') faults.push(`the branch ${branch} is checked out`);
  return faults;
}

/** Commits that ralph has accepted stay on the branch, and each story has one. */
function checkAccepted(world: World, promised: Promised): string[] {
  const format = '--format=%H %(trailers:key=Ralph-Story,valueonly,separator=%x2C)';
  const lines = world.git('log', format, 'ralph/chaos').trim().split('\n');
  const now = new Map(lines.map((line) => line.split(' ')).map(([id = '', story = '']) => [id, story]));
  const faults = [...promised.accepted].filter((id) => !now.has(id)).map((id) => `the accepted commit ${id} is gone`);
  const seen = new Set<string>();
  for (const [id, accepted] of now) {
    for (const story of accepted.split(',').filter(Boolean)) {
      if (seen.has(story)) faults.push(`${story} was committed twice`);
      seen.add(story);
      promised.accepted.add(id);
    }
  }
  return faults;
}

function checkLeftovers(world: World): string[] {
  const { repo } = world;
  const own = listIn(path.join(repo, '.git/ralph'));
  const faults = own
    .filter((name) => ['lock', 'turn', 'children.json', 'index-before', 'index-next'].includes(name))
    .map((name) => `.git/ralph/${name} is still there`);
  const locks = readdirSync(path.join(repo, '.git'), { recursive: true, encoding: 'utf8' });
  faults.push(...locks.filter((name) => name.endsWith('.lock')).map((name) => `.git/${name} is still there`));
  const drafts = listIn(repo).filter((name) => name.endsWith('.ralph-draft'));
  faults.push(...drafts.map((name) => `${name} is still there`));
  for (const run of world.runs())
    for (const mark of [`RALPH_RUN_ID=${run}`, `RALPH_HELPER_OF=${run}`])
      faults.push(...processesWith(mark).map(({ pid, command }) => `${mark} is alive: ${pid} ${command}`));
  return faults;
}

interface Story {
  readonly id: string;
  readonly passes: boolean;
}

export function storiesOf({ repo }: World): Story[] {
  const prd: { userStories: Story[] } = JSON.parse(readFileSync(path.join(repo, 'prd.json'), 'utf8'));
  return prd.userStories;
}

/** No story passes whose check is false on the commit that is checked out; and prd.json still asks for the same. */
function checkStories(world: World): string[] {
  const folder = mkdtempSync(path.join(world.root, 'clean-'));
  try {
    const archive = execFileSync('git', ['archive', 'HEAD'], { cwd: world.repo, maxBuffer: 100_000_000 });
    execFileSync('tar', ['-x'], { cwd: folder, input: archive });
    return storiesOf(world).flatMap(({ id, passes }) => {
      const check = spawnSync('grep', ['-qx', `${id} ok`, `done/${id}.txt`], { cwd: folder });
      return passes && check.status !== 0 ? [`${id} passes, but its check is red on HEAD`] : [];
    });
  } catch (error) {
    return [`prd.json can't be judged: ${String(error)}`];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Write {
  readonly call: number;
  readonly file: string;
  readonly what: 'wrote' | 'logged' | 'gone';
  readonly id: string;
}

/** What agents wrote and did not throw away themselves is in the tree, in git under a ref, or in a run folder. */
function checkBytes(world: World): string[] {
  const wanted = readWrites(world);
  const there = new Set(world.git('rev-list', '--all', '--objects').split(/[\s]/));
  for (const file of filesBelow(world.repo)) there.add(blobIdOf(readFileSync(file)));
  const log = existsSync(path.join(world.repo, 'progress.txt'))
    ? readFileSync(path.join(world.repo, 'progress.txt'), 'utf8')
    : '';
  return wanted.flatMap(({ call, file, what, id }) => {
    if (what === 'logged') return log.includes(id) ? [] : [`the log has lost "${id}"`];
    return there.has(id) ? [] : [`what call ${call} wrote to ${file} (${id}) is lost`];
  });
}

function readWrites(world: World): Write[] {
  const file = path.join(world.records, 'writes.jsonl');
  const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
  let standing: Write[] = [];
  for (const line of lines) {
    const write: Write = JSON.parse(line);
    if (write.what !== 'gone') standing.push(write);
    else standing = standing.filter(({ call, file: name }) => call !== write.call || ![name, '*'].includes(write.file));
  }
  return standing;
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const file = path.join(folder, entry.name);
    if (entry.name === '.git') return [];
    return entry.isDirectory() ? filesBelow(file) : entry.isFile() ? [file] : [];
  });
}

function blobIdOf(data: Buffer): string {
  return createHash('sha1').update(`blob ${data.length}\0`).update(data).digest('hex');
}
