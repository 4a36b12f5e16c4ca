/**
 * The process: its streams, its exit code, and the boundary where errors become sentences. What answers at once
 * (`--version`) loads neither the command line nor a command.
 */
import { readFileSync } from 'node:fs';
import { messageOf, RalphError, systemCodeOf } from './errors.ts';
import { exitCodeOf } from './exit.ts';
import { packageFile } from './package-files.ts';
import { createWriter } from './reporters/writer.ts';
import type { Writer } from './reporters/writer.ts';

interface Package {
  readonly version: string;
  readonly reportAt: string;
}

const neutralReport = 'write to the maintainers of ralph';

function readPackage(): Package {
  const value: unknown = JSON.parse(readFileSync(packageFile('package.json'), 'utf8'));
  const fields = new Map<string, unknown>(Object.entries(Object(value)));
  const bugs = fields.get('bugs');
  const url: unknown = typeof bugs === 'object' && bugs !== null && 'url' in bugs ? bugs.url : bugs;
  return { version: String(fields.get('version')), reportAt: typeof url === 'string' ? url : neutralReport };
}

/** Options end at `--`; what follows is the agent's. */
function ownOptions(argv: readonly string[]): readonly string[] {
  const end = argv.indexOf('--');
  return end === -1 ? argv : argv.slice(0, end);
}

async function main(argv: readonly string[], writer: Writer): Promise<number> {
  const options = ownOptions(argv);
  if (options.includes('--version') || options.includes('-V')) {
    writer.out(`${readPackage().version}\n`);
    return 0;
  }
  const { runProgram } = await import('./program.ts');
  return runProgram(argv, { writer, env: process.env, cwd: process.cwd(), screen: process.stdout });
}

/** A system that is out of something is no bug in ralph, wherever it shows. */
const exhausted: ReadonlySet<string> = new Set(['EMFILE', 'ENFILE', 'ENOSPC', 'EDQUOT', 'ENOMEM', 'EAGAIN']);

function isExhausted(error: unknown): boolean {
  return exhausted.has(systemCodeOf(error) ?? '');
}

/** Says what went wrong; never throws, since Node would then end with 1, which means something else here. */
async function report(error: unknown, argv: readonly string[], writer: Writer): Promise<number> {
  if (isExhausted(error)) return reportPlainly(error, writer);
  try {
    return await reportFully(error, argv, writer);
  } catch (second) {
    return isExhausted(second) ? reportPlainly(second, writer) : exitCodeOf('internal');
  }
}

/** Without a file to be opened. */
function reportPlainly(error: unknown, writer: Writer): number {
  writer.err(`ralph: the system refuses: ${messageOf(error)}\n`);
  return exitCodeOf('environment');
}

async function reportFully(error: unknown, argv: readonly string[], writer: Writer): Promise<number> {
  const { printError } = await import('./reporters/print-error.ts');
  const isVerbose = ownOptions(argv).some((option) => option === '--verbose' || option === '-v');
  // The stack of a bug is for those who ask for it; its message is for everybody.
  const shown = error instanceof RalphError || isVerbose ? error : `${messageOf(error)} (--verbose shows where)`;
  printError(writer, shown, readPackage().reportAt);
  return exitCodeOf(error instanceof RalphError ? error.reason : 'internal');
}

const argv = process.argv.slice(2);
const writer = createWriter({ stdout: process.stdout, stderr: process.stderr });

/** Ends at once, since the state is unknown and going on could record what is not so; the next run puts it in order. */
async function endWith(error: unknown): Promise<void> {
  const code = await report(error, argv, writer);
  await writer.flush();
  process.exit(code);
}

// What is thrown where nobody waits for it. Node would end with 1, which means something else here.
process.once('uncaughtException', (error) => void endWith(error));

process.exitCode = await main(argv, writer).catch((error: unknown) => report(error, argv, writer));
await writer.flush();
