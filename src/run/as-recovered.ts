import { realpath } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { readConfig } from '../config/read.ts';
import { CONFIG_FILE, parseConfig } from '../config/parse-config.ts';
import type { Values } from '../config/schema.ts';
import { bytePath, isWithin } from '../git/byte-path.ts';
import type { Repository } from '../git/repository.ts';
import { isSnapshotData } from '../git/snapshot.ts';
import type { SnapshotData } from '../git/snapshot.ts';
import { decodeUtf8 } from '../json/read-file.ts';
import type { PrdReading } from '../loop/ports.ts';
import { prdPlaces } from '../prd/find.ts';
import { createPrdFile } from '../prd/store.ts';
import { readLock } from '../run-folder/lock.ts';
import { readTurn } from '../run-folder/turn-file.ts';
import type { TurnFile } from '../run-folder/turn-file.ts';
import { findTurnEnd } from './turn-end.ts';
import type { TurnEnd } from './turn-end.ts';
import { readTurnPrd } from './turn-state.ts';

/**
 * What a run is validated against where a killed one left an iteration under way: not the files as an agent left them, but
 * as they will be once that is undone. Nothing is written before the lock is taken, so this is read from the snapshot.
 */
export interface DeadTurn {
  /** What the next run does with it. */
  readonly end: TurnEnd['kind'];
  /** The branch that will be checked out; undefined: the one that is. */
  readonly branch: string | undefined;
  readonly config: () => Promise<Values | undefined>;
  /** The path from the root of the PRD that is meant (`named`: by an option, from the start folder), where it is the turn's. */
  readonly findPrd: (start: string, named: string | undefined) => Promise<string | undefined>;
  /** Will there be such a file? An absolute path. */
  readonly holds: (file: string) => Promise<boolean>;
  /** The PRD at that path as it will be; undefined where the turn kept nothing of it. */
  readonly read: (path: string) => Promise<PrdReading | undefined>;
}

/** The iteration that a killed run left behind; undefined where there is none, its run lives, or it stays as it is. */
export async function findDeadTurn(repository: Repository): Promise<DeadTurn | undefined> {
  return readLock(repository.gitDir) === undefined ? findOpenTurn(repository) : undefined;
}

/** The same of a run that may live: what would become of it if it were killed now. */
export async function findOpenTurn(repository: Repository): Promise<DeadTurn | undefined> {
  const { gitDir } = repository;
  const turn = readTurn(gitDir);
  if (turn === undefined || !turn.repairs || !isSnapshotData(turn.snapshot)) return undefined;
  const { snapshot } = turn;
  const end = await findTurnEnd(repository, turn);
  const isUndone = end.kind === 'undone';
  return {
    end: end.kind,
    branch: isUndone ? snapshot.branch : undefined,
    config: async () => (isUndone ? readConfigThen(repository, snapshot) : readConfig(repository.root)),
    findPrd: async (start, named) => findPrdOf(repository.root, turn, start, named),
    holds: async (file) => {
      if (!isUndone) return false;
      const path = relative(repository.root, file).split(sep).join('/');
      const args = ['cat-file', '-e', `${snapshot.tree}:${path}`];
      return (await repository.git.run(args, { accept: [1, 128] })).code === 0;
    },
    read: async (path) => {
      const file = path === turn.prd ? createPrdFile({ root: repository.root, path }) : undefined;
      return file === undefined ? undefined : (await readTurnPrd(file, gitDir, end))?.reading;
    },
  };
}

/** An ignored config is in no snapshot, and nothing puts it back: then the file counts as it is. */
async function readConfigThen({ git, root }: Repository, snapshot: SnapshotData): Promise<Values | undefined> {
  if (snapshot.ignored.some((folder) => isWithin(bytePath(CONFIG_FILE), folder))) return readConfig(root);
  const blob = await git.run(['cat-file', 'blob', `${snapshot.tree}:${CONFIG_FILE}`], { accept: [128] });
  if (blob.code !== 0) return undefined;
  const text = decodeUtf8(blob.stdout);
  return text === undefined ? undefined : parseConfig(text);
}

async function findPrdOf(
  root: string,
  { prd }: TurnFile,
  start: string,
  named: string | undefined,
): Promise<string | undefined> {
  if (prd === null) return undefined;
  const toPath = (file: string): string => relative(root, file);
  if (named === undefined) return prdPlaces.some((place) => toPath(join(start, place)) === prd) ? prd : undefined;
  const file = resolve(start, named);
  const folder = await realpath(dirname(file)).catch(() => dirname(file));
  return toPath(join(folder, basename(file))) === prd ? prd : undefined;
}
