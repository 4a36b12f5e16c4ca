/** A command line of ralph, run in this process, and the commands that its messages name. */
import { RalphError } from '../../src/errors.ts';
import { exitCodeOf } from '../../src/exit.ts';
import { runProgram } from '../../src/program.ts';
import { printError } from '../../src/reporters/print-error.ts';

export interface Typed {
  readonly code: number;
  readonly text: string;
  /** Throws, with all that was printed, if the exit code is another one. */
  exits(code: number): Typed;
}

export interface Place {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Runs `ralph` with these words. */
export async function typeLine(words: readonly string[], place: Place): Promise<Typed> {
  let text = '';
  const take = (part: string | Uint8Array): void => void (text += Buffer.from(part).toString());
  const outBytes = (bytes: Uint8Array): boolean => (take(bytes), true);
  const writer = { out: take, outBytes, err: take, flush: async () => Promise.resolve() };
  const code = await runProgram(words, { writer, screen: {}, ...place }).catch((error: unknown) => {
    printError(writer, error, 'nowhere');
    return exitCodeOf(error instanceof RalphError ? error.reason : 'internal');
  });
  const typed: Typed = {
    code,
    text,
    exits(wanted) {
      if (code === wanted) return typed;
      throw new Error(`exit ${code} in place of ${wanted}:\n${text}`);
    },
  };
  return typed;
}

/** The command of that beginning: it is the whole of a line, or stands behind the words that explain it and a colon. */
export function findCure(text: string, beginning: string): string {
  const lines = text.split('\n').flatMap((line) => /^\s*(?:Try|Next|Mend): +(.*)$/u.exec(line)?.[1] ?? []);
  const commands = lines.flatMap((line) => [line, ...line.split(': ').slice(1)]);
  const found = commands.find((command) => command.startsWith(beginning));
  if (found === undefined) throw new Error(`no command "${beginning}…" in\n${text}`);
  return found;
}
