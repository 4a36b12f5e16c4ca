/** Command lines with commands that only note how they were called. */
import type { CommandIo, CommandName, Commands } from '../../../src/commands/types.ts';
import { resolveSettings } from '../../../src/config/resolve.ts';
import type { Given } from '../../../src/config/resolve.ts';
import { UsageError } from '../../../src/errors.ts';
import { runProgram } from '../../../src/program.ts';

export interface Call {
  name: CommandName;
  options: Record<string, unknown>;
}

export interface Outcome {
  calls: Call[];
  out: string;
  err: string;
  code: number | undefined;
  error: UsageError | undefined;
}

/** Runs a command line with commands that only note how they were called, and end with 42. */
export async function call(...argv: string[]): Promise<Outcome> {
  const calls: Call[] = [];
  const texts = { out: '', err: '' };
  const note = (name: CommandName) => async (options: object) => {
    calls.push({ name, options: { ...options } });
    return Promise.resolve(42);
  };
  const commands: Commands = {
    run: note('run'),
    init: note('init'),
    prd: note('prd'),
    convert: note('convert'),
    check: note('check'),
    status: note('status'),
    unblock: note('unblock'),
    logs: note('logs'),
    stop: note('stop'),
    archive: note('archive'),
    verify: note('verify'),
    doctor: note('doctor'),
    clean: note('clean'),
    demo: note('demo'),
  };
  const io: CommandIo = {
    writer: {
      out: (text) => {
        texts.out += text;
      },
      outBytes: () => true,
      err: (text) => {
        texts.err += text;
      },
      flush: async () => Promise.resolve(),
    },
    env: {},
    cwd: '/nowhere',
    screen: {},
  };
  try {
    const code = await runProgram(argv, io, commands);
    return { calls, ...texts, code, error: undefined };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return { calls, ...texts, code: undefined, error };
  }
}

/** What a run was called with: values of settings by key. */
export async function given(...argv: string[]): Promise<Record<string, unknown>> {
  const { calls, error } = await call(...argv);
  if (error !== undefined) throw error;
  if (calls.length !== 1 || calls[0]?.name !== 'run') throw new Error('it was not one call of run');
  const settings: Given = Object(calls[0]?.options['given']);
  resolveSettings({ given: settings, env: {}, file: undefined });
  return Object.fromEntries(Object.entries(settings).map(([key, entry]) => [key, entry?.value]));
}
