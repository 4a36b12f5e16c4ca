import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { writeDurably } from './write-durably.ts';

/** What is known of a commit directly before the branch moves to it. */
export interface CommitMark {
  readonly commit: string;
  /** Tells the user's index as it is then from any later one. */
  readonly index: string;
}

/**
 * Where an iteration is: nothing of it is accepted (`working`), the commit that the branch moves to is known (`committing`), or
 * its work was not accepted and is dealt with, and only the state files may still have to be written (`settled`).
 */
export type TurnPhase = { readonly phase: 'working' | 'settled' } | ({ readonly phase: 'committing' } & CommitMark);

/** The iteration under way, as the next run finds it after a kill. The snapshot is git's business and opaque here. */
export type TurnFile = TurnPhase & {
  readonly v: 1;
  readonly run: string;
  /** False in prompt mode, where the work stays as the agent left it. */
  readonly repairs: boolean;
  readonly prd: string | null;
  readonly progress: string | null;
  /** Where the state files point to that are links; absent in records of old. */
  readonly links?: { readonly prd: string | null; readonly progress: string | null };
  readonly snapshot: unknown;
};

const folderOf = (gitDir: string): string => path.join(gitDir, 'ralph', 'turn');
const indexedOf = (gitDir: string): string => path.join(folderOf(gitDir), 'indexed');
const fileOf = (gitDir: string): string => path.join(folderOf(gitDir), 'turn.json');

export interface StateBytes {
  readonly prd: Uint8Array | undefined;
  readonly progress: Uint8Array | undefined;
}

/** A state file as an undone turn goes back to it, as ralph itself wrote it in the turn, or as it was accepted. */
export type TurnStateName =
  | 'prd'
  | 'progress'
  | 'written-prd'
  | 'written-progress'
  | 'accepted-prd'
  | 'accepted-progress';

/** Writes down how to undo an iteration, with the bytes of the state files, before its agent starts. */
export function writeTurn(gitDir: string, turn: TurnFile, state: StateBytes): void {
  mkdirSync(folderOf(gitDir), { recursive: true });
  writeState(gitDir, '', state);
  // Last: a turn without this file has not begun.
  writeDurably(fileOf(gitDir), `${JSON.stringify(turn)}\n`);
}

/**
 * ralph is about to write these state files: what it wrote itself is nobody's tampering. `without`: the same without its
 * verdict, which an undone turn goes back to from now on. `settled`: the turn is not undone any more, its verdict stands.
 */
export function markWriting(
  gitDir: string,
  state: { phase: 'working' | 'settled'; without: StateBytes; written: StateBytes },
): void {
  const turn = readTurn(gitDir);
  if (turn === undefined) return;
  writeState(gitDir, '', state.without);
  writeState(gitDir, 'written-', state.written);
  if (state.phase === 'settled') writeDurably(fileOf(gitDir), `${JSON.stringify({ ...turn, phase: 'settled' })}\n`);
}

/** The branch is about to move to this commit, and these are the state files that belong to it. */
export function markCommitting(gitDir: string, mark: CommitMark, state: StateBytes): void {
  const turn = readTurn(gitDir);
  if (turn === undefined) return;
  writeState(gitDir, 'accepted-', state);
  writeDurably(fileOf(gitDir), `${JSON.stringify({ ...turn, phase: 'committing', ...mark })}\n`);
}

/** The index has followed the commit: from now on it is the user's alone. */
export function markIndexed(gitDir: string): void {
  if (existsSync(fileOf(gitDir))) writeFileSync(indexedOf(gitDir), '');
}

export function isIndexed(gitDir: string): boolean {
  return existsSync(indexedOf(gitDir));
}

/** The turn that a killed run left behind, or undefined. */
export function readTurn(gitDir: string): TurnFile | undefined {
  const file = fileOf(gitDir);
  if (!existsSync(file)) return undefined;
  return parseTurn(readFileSync(file, 'utf8'));
}

/** What a failing disk made unreadable can't be undone any more: the tree stays as it is. */
function parseTurn(text: string): TurnFile | undefined {
  try {
    const turn: unknown = JSON.parse(text);
    return isTurn(turn) ? turn : undefined;
  } catch {
    return undefined;
  }
}

function isTurn(value: unknown): value is TurnFile {
  if (typeof value !== 'object' || value === null) return false;
  return (
    'v' in value &&
    value.v === 1 &&
    'run' in value &&
    typeof value.run === 'string' &&
    'snapshot' in value &&
    'phase' in value
  );
}

function writeState(gitDir: string, prefix: '' | 'written-' | 'accepted-', state: StateBytes): void {
  for (const name of ['prd', 'progress'] as const) {
    const file = path.join(folderOf(gitDir), `${prefix}${name}`);
    const bytes = state[name];
    if (bytes === undefined) rmSync(file, { force: true });
    else if (!existsSync(file) || !readFileSync(file).equals(bytes)) writeDurably(file, bytes);
  }
}

export function readTurnState(gitDir: string, name: TurnStateName): Buffer | undefined {
  const file = path.join(folderOf(gitDir), name);
  return existsSync(file) ? readFileSync(file) : undefined;
}

/** The turn is settled. */
export function removeTurn(gitDir: string): void {
  rmSync(fileOf(gitDir), { force: true });
  rmSync(folderOf(gitDir), { recursive: true, force: true });
}
