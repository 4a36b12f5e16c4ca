import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Files, World } from './world.ts';

/** Everything of the user's that an iteration could touch. */
export interface State {
  readonly files: Files;
  /** Paths to `mode id stage`. */
  readonly index: ReadonlyMap<string, string>;
  readonly status: string;
  readonly refs: ReadonlyMap<string, string>;
  /** Ids, oldest first. */
  readonly stash: readonly string[];
  readonly head: string;
}

export async function look(world: World): Promise<State> {
  const [index, status, refs] = await Promise.all([
    world.git('ls-files', '-z', '--stage'),
    world.git('status', '--porcelain', '-z', '--untracked-files=all', '--no-renames', '--ignore-submodules=all'),
    world.git('for-each-ref', '--format=%(refname) %(objectname)'),
  ]);
  const names = new Map(linesOf(refs).map((line) => [line.split(' ')[0] ?? '', line.split(' ')[1] ?? '']));
  return {
    files: world.files(),
    index: new Map(fieldsOf(index).map((record) => [record.split('\t')[1] ?? '', record.split('\t')[0] ?? ''])),
    status,
    refs: names,
    stash: readLog(world, 'refs/stash').map(([, id]) => id),
    head: names.get('refs/heads/main') ?? '',
  };
}

/** The entries of a reflog: old and new id. */
export function readLog(world: World, name: string): [string, string][] {
  const file = path.join(world.root, '.git/logs', name);
  if (!existsSync(file)) return [];
  return linesOf(readFileSync(file, 'utf8')).map((line) => [line.split(' ')[0] ?? '', line.split(' ')[1] ?? '']);
}

export const linesOf = (text: string): string[] => text.split('\n').filter((line) => line !== '');
export const fieldsOf = (text: string): string[] => text.split('\0').filter((field) => field !== '');

/** Lines that stand for a piece of work. */
export function tokensIn(text: string): string[] {
  return text.match(/\b[UASO]\d+b?\./g) ?? [];
}

export interface Reachable {
  readonly ids: ReadonlySet<string>;
  readonly tokens: ReadonlySet<string>;
}

/** All that refs, the stash and the index lead to. */
export async function findReachable(world: World, { stash }: State): Promise<Reachable> {
  const from = ['--all', ...stash];
  const objects = await world.git('rev-list', '--objects', '--no-object-names', ...from, '--indexed-objects');
  const ids = new Set(linesOf(objects));
  const contents = await world.git('log', '-p', '-m', '--text', '--format=', '--root', ...from);
  return { ids, tokens: new Set(tokensIn(contents)) };
}
