import { prepareRun } from '../run/prepare.ts';
import { superviseRun } from '../run/supervise.ts';
import { showDryRun } from './dry-run.ts';
import type { CommandIo, RunOptions } from './types.ts';

/** `ralph run`: the loop. Returns the exit code of its stop reason. */
export async function run(options: RunOptions, io: CommandIo): Promise<number> {
  const prepared = await prepareRun(options, io, { needsAgent: !options.dryRun });
  return options.dryRun ? showDryRun(prepared, io) : superviseRun(prepared, options, io);
}
