import { tmpdir } from 'node:os';
import type { Commands } from './commands/types.ts';

/** Each command is loaded when it is called, so that help and errors of the command line cost nothing more. */
export const lazyCommands: Commands = {
  run: async (options, io) => (await import('./commands/run.ts')).run(options, io),
  init: async (options, io) => (await import('./commands/init.ts')).init(options, io),
  prd: async (options, io) => (await import('./commands/prd.ts')).prd(options, io),
  convert: async (options, io) => (await import('./commands/convert.ts')).convert(options, io),
  check: async (options, io) => (await import('./commands/check.ts')).check(options, io),
  status: async (options, io) => (await import('./commands/status.ts')).status(options, io),
  unblock: async (options, io) => (await import('./commands/unblock.ts')).unblock(options, io),
  logs: async (options, io) => (await import('./commands/logs.ts')).logs(options, io),
  stop: async (options, io) => (await import('./commands/stop.ts')).stop(options, io),
  archive: async (options, io) => (await import('./commands/archive.ts')).archive(options, io),
  verify: async (options, io) => (await import('./commands/verify.ts')).verify(options, io),
  doctor: async (options, io) => (await import('./commands/doctor.ts')).doctor(options, io),
  clean: async (options, io) => (await import('./commands/clean.ts')).clean(options, io),
  demo: async (options, io) => {
    const [{ runDemo }, { run }] = await Promise.all([import('./commands/demo.ts'), import('./commands/run.ts')]);
    const plain = { given: {}, dryRun: false, nested: false, json: false, quiet: false, agentArgs: [] };
    return runDemo({
      out: io.writer.out,
      env: io.env,
      tempFolder: tmpdir(),
      runLoop: ({ cwd, env }) => run({ ...options, ...plain, cwd: undefined }, { ...io, cwd, env }),
    });
  },
};
