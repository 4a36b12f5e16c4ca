import { suggest } from '../config/suggest.ts';
import { UsageError } from '../errors.ts';
import type { PrdReading } from '../loop/ports.ts';
import type { StoryChange, StoryRecord } from '../prd/types.ts';
import { cleanLine } from '../reporters/clean-text.ts';
import { quoteWord } from '../shell-words.ts';
import { acquireLock } from '../run-folder/lock.ts';
import { requirePrdFile } from '../project/find-prd-file.ts';
import { findPlace, loadSettings } from '../project/place.ts';
import { readRecords } from './read-records.ts';
import type { CommandIo, UnblockOptions } from './types.ts';

/**
 * Forgets blocks and attempts of the given stories, or of all; nothing else in the file changes. Throws UsageError for an
 * unknown id, and RalphError(locked) while a loop runs: the file is the loop's then.
 */
export async function unblock(options: UnblockOptions, io: CommandIo): Promise<number> {
  const place = await findPlace(options.cwd, io);
  const resolved = await loadSettings(place, options.given, io.env);
  const file = await requirePrdFile(place, resolved);
  const lock = await acquireLock({ gitDir: place.repository.gitDir });
  try {
    const reading = await file.read();
    verifyIds(options.ids, reading, file.path);
    const found = listRecords(reading, options.ids);
    await file.write(file.edit(reading, found.map(toChange)));
    io.writer.out(describe(found, options.ids));
  } finally {
    lock.release();
  }
  return 0;
}

interface Found {
  readonly id: string;
  readonly record: StoryRecord;
}

function verifyIds(ids: readonly string[], { prd }: PrdReading, path: string): void {
  const known = prd.stories.map((story) => story.id);
  const unknown = ids.filter((id) => !known.includes(id));
  if (unknown.length === 0) return;
  throw new UsageError(`${path} has no story ${unknown.join(', ')}`, {
    problems: [`its stories: ${known.join(', ')}`],
    cures: [
      ...unknown.flatMap((id) => {
        const meant = suggest(id, known);
        return meant === undefined ? [] : [`ralph unblock ${quoteWord(meant)}`];
      }),
      'of all of them: ralph unblock',
    ],
  });
}

/** The stories with something to forget, in file order. */
function listRecords(reading: PrdReading, ids: readonly string[]): Found[] {
  return [...readRecords(reading)]
    .map(([id, record]) => ({ id, record }))
    .filter(({ id }) => ids.length === 0 || ids.includes(id))
    .filter(({ record }) => record.blocked !== undefined || (record.attempts ?? 0) > 0);
}

/** That a story was verified stays on record. */
function toChange({ id, record: { verified } }: Found): StoryChange {
  return { id, ralph: verified === undefined ? null : { verified } };
}

function describe(found: readonly Found[], ids: readonly string[]): string {
  const lines = found.map(({ id, record: { blocked, attempts = 0 } }) => {
    const forgotten = [
      ...(blocked === undefined ? [] : [`was blocked: ${blocked}`]),
      ...(attempts === 0 ? [] : [`${attempts} ${attempts === 1 ? 'attempt' : 'attempts'} forgotten`]),
    ];
    return `${id}: ${forgotten.join('; ')}`;
  });
  const idle = ids.filter((id) => found.every((story) => story.id !== id));
  lines.push(...idle.map((id) => `${id}: not blocked, no attempts`));
  if (lines.length === 0) lines.push('No story is blocked, and none has attempts.');
  return lines.map((line) => `${cleanLine(line)}\n`).join('');
}
