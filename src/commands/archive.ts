import { UsageError } from '../errors.ts';
import { describeArchive, listNames } from '../archive/list-archives.ts';
import { readLogBranch } from '../progress/log-text.ts';
import { renderArchives } from '../reporters/archive-text.ts';
import { lookAtScreen } from '../reporters/create-reporter.ts';
import { acquireLock } from '../run-folder/lock.ts';
import { readTurn } from '../run-folder/turn-file.ts';
import { findPlace, loadSettings } from '../project/place.ts';
import type { Place } from '../project/place.ts';
import { restorePair } from './restore-pair.ts';
import { findStatePlace } from './state-place.ts';
import { storePair } from './store-pair.ts';
import type { ArchiveOptions, CommandIo } from './types.ts';

/**
 * `ralph archive`, `archive list`, `archive restore <name>`. Throws UsageError where there is nothing to archive or no archive
 * of that name, and RalphError(locked) while a loop runs: the files are the loop's then.
 */
export async function archive(options: ArchiveOptions, io: CommandIo): Promise<number> {
  const { task } = options;
  const place = await findPlace(options.cwd, io);
  const resolved = await loadSettings(place, options.given, io.env);
  const state = await findStatePlace(place, resolved);
  if (task.kind === 'list') {
    const { archiveFolder } = state;
    const found = listNames(archiveFolder).map((name) => describeArchive(archiveFolder, name, readLogBranch));
    io.writer.out(renderArchives(found, state.archive, lookAtScreen(io.screen, io.env, options.noColor).columns()));
    return 0;
  }
  const lock = await acquireLock({ gitDir: place.repository.gitDir });
  try {
    verifySettled(place);
    const lines = task.kind === 'store' ? await storePair(place, state) : await restorePair(place, state, task.name);
    io.writer.out(lines.map((line) => `${line}\n`).join(''));
  } finally {
    lock.release();
  }
  return 0;
}

/** What a killed run left is put in order by the next one, which would bring the files back that are moved away here. */
function verifySettled({ repository: { gitDir } }: Place): void {
  const turn = readTurn(gitDir);
  if (turn === undefined || !turn.repairs) return;
  throw new UsageError(`run ${turn.run} was cut off, and its last iteration is not put in order yet`, {
    cures: ['put it in order and go on, then archive: ralph run'],
  });
}
