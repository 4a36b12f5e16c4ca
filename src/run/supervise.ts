import { verifyAgent } from '../agent/preflight.ts';
import { systemClock } from '../clock.ts';
import type { Parts } from '../compose.ts';
import { createGit } from '../git/git.ts';
import { findStatePaths } from '../git/state-paths.ts';
import type { Cut } from '../loop/ports.ts';
import { HELPER_MARK } from '../process/child-environment.ts';
import { installInterrupt } from '../process/interrupt.ts';
import { createChildRegistry } from '../process/registry.ts';
import { runTool } from '../process/run-tool.ts';
import { createReporter, lookAtScreen } from '../reporters/create-reporter.ts';
import { systemClock as reporterClock } from '../reporters/reporter.ts';
import { createChildRecord } from '../run-folder/child-record.ts';
import { acquireLock } from '../run-folder/lock.ts';
import { createRunFolder } from '../run-folder/run-folder.ts';
import { prepareRun } from './prepare.ts';
import type { PreparedRun } from './prepare.ts';
import { runToEnd } from './run-to-end.ts';
import type { RunSetup } from './run-to-end.ts';
import { watchLimits } from './watch-limits.ts';
import type { CommandIo, RunOptions } from './types.ts';

/**
 * Runs a prepared loop from preflight to its last event: lock, recovery, branch, gates, the loop itself. Returns the exit
 * code; throws RalphError for a start that failed, after the lock is free again and the end is on record.
 */
export async function superviseRun(prepared: PreparedRun, options: RunOptions, io: CommandIo): Promise<number> {
  const { place, spec } = prepared;
  const { gitDir, root } = place.repository;
  await verifyAgent(spec, { cwd: place.start, env: io.env, uid: process.getuid?.(), runTool });
  const controller = new AbortController();
  const lock = await acquireLock({ gitDir, onLost: () => controller.abort({ kind: 'stop' } satisfies Cut) });
  try {
    const folder = createRunFolder({
      root,
      clock: systemClock,
      tool: spec.name,
      branch: prepared.branch,
      ...(prepared.prd === undefined ? {} : { prd: prepared.prd.path }),
    });
    const children = createChildRecord(gitDir, folder.run);
    const registry = createChildRegistry(children.write);
    const interrupt = installInterrupt({ controller, registry, run: () => folder.run });
    const limits = watchLimits(controller, folder, prepared.options.deadline);
    const reporter = createReporter({
      ...lookAtScreen(io.screen, io.env, options.noColor),
      json: options.json,
      quiet: options.quiet,
      verbose: options.verbose,
      writer: io.writer,
      clock: reporterClock,
    });
    const unlisten = folder.onEvent((event) => reporter.handle(event));
    try {
      const git = createGit(root, { ...io.env, [HELPER_MARK]: folder.run });
      const shared = { repository: { ...place.repository, git }, env: io.env, folder, registry };
      const setUp = (run: PreparedRun, state: Parts['state']): RunSetup => ({
        prepared: run,
        parts: { ...run, ...shared, start: run.place.start, state, cut: controller.signal },
      });
      const complete = async (hasRecovered: boolean): Promise<RunSetup> => {
        const run = hasRecovered ? await prepareAgain(prepared, options, io) : prepared;
        return setUp(run, await findState(run));
      };
      return await runToEnd(setUp(prepared, undefined), { children, complete });
    } finally {
      reporter.close();
      unlisten();
      limits();
      interrupt.uninstall();
      children.remove();
      folder.close();
    }
  } finally {
    lock.release();
  }
}

/** The files are others by now; the time that the run may take began with it. */
async function prepareAgain(prepared: PreparedRun, options: RunOptions, io: CommandIo): Promise<PreparedRun> {
  const again = await prepareRun(options, io);
  return { ...again, options: { ...again.options, deadline: prepared.options.deadline } };
}

async function findState({ place, prd, log, archive }: PreparedRun): Promise<Parts['state']> {
  return prd === undefined || log === undefined
    ? undefined
    : findStatePaths(place.repository, prd.path, log.path, archive);
}
