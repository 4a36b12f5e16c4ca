import { commandRows } from './config/command-rows.ts';
import { callRows, settingRows } from './config/option-rows.ts';
import { longNameOf } from './config/options.ts';
import { UsageError } from './errors.ts';

/** A command line, sorted before it is parsed: options may stand anywhere, also in front of the command. */
export interface ShapedArgv {
  /** The first word, if it is a command. */
  readonly command: string | undefined;
  /** Everything but the command and what stands behind `--`. */
  readonly args: readonly string[];
  /** What stands behind the first `--`; undefined without one. */
  readonly agentArgs: readonly string[] | undefined;
  /** Words that belong to no option; the command is not among them. */
  readonly words: readonly string[];
  /** Does `--max-iterations` or `--unlimited` stand behind the first of these words? The last one given wins. */
  readonly isLimitLast: boolean;
  readonly wantsHelp: boolean;
  readonly wantsVersion: boolean;
}

const valueOptions = new Set([
  '-C',
  '-o',
  '--agent',
  ...[...settingRows, ...callRows, ...commandRows].filter(hasValue).map(nameOf),
]);
const limits = new Set(['--max-iterations', '--unlimited']);

function hasValue({ flags }: { flags: string }): boolean {
  return flags.includes('<');
}

function nameOf({ flags }: { flags: string }): string {
  return longNameOf(flags);
}

/**
 * Throws UsageError for an option whose value is missing because another option or nothing follows: taking the next option
 * for the value would silently change what is run.
 */
export function shapeArgv(argv: readonly string[], commands: readonly string[]): ShapedArgv {
  const end = argv.indexOf('--');
  const own = end === -1 ? [...argv] : argv.slice(0, end);
  const wordAt = findWords(own);
  const first = wordAt[0] === undefined ? undefined : own[wordAt[0]];
  const command = first !== undefined && commands.includes(first) ? first : undefined;
  const args = command === undefined ? own : own.toSpliced(wordAt[0] ?? 0, 1);
  const rest = command === undefined ? wordAt : wordAt.slice(1);
  const limitAt = own.findLastIndex((arg) => limits.has(arg.split('=')[0] ?? ''));
  return {
    command,
    args,
    agentArgs: end === -1 ? undefined : argv.slice(end + 1),
    words: rest.flatMap((index) => own[index] ?? []),
    isLimitLast: limitAt > (rest[0] ?? -1),
    wantsHelp: own.includes('-h') || own.includes('--help'),
    wantsVersion: own.includes('-V') || own.includes('--version'),
  };
}

/** Places of the words that are neither options nor values of options. */
function findWords(args: readonly string[]): number[] {
  const places: number[] = [];
  for (let index = 0; index < args.length; index += 1) {
    const arg = args[index] ?? '';
    if (!isOption(arg)) places.push(index);
    else if (takesNext(arg)) {
      index += 1;
      verifyValue(arg, args[index]);
    }
  }
  return places;
}

/** `-` and negative numbers are words. */
function isOption(arg: string): boolean {
  return /^-[^\d.]/.test(arg);
}

/** Not with `--tool=x` or `-Cdir`; in `-qC dir` the last letter counts, and so does `-o file`. */
function takesNext(arg: string): boolean {
  return arg.startsWith('--') ? valueOptions.has(arg) : /^-[a-zA-Z]*[Co]$/.test(arg) && !/[Co]./.test(arg);
}

function verifyValue(option: string, value: string | undefined): void {
  if (value !== undefined && !valueOptions.has(value)) return;
  throw new UsageError(`${option} needs a value${value === undefined ? '' : `, and ${value} is the next option`}`, {
    cures: [`${option} <value>`, `ralph ${commandOf(option)} --help`],
  });
}

/** The command that alone has the option, else the one that has them all. */
function commandOf(option: string): string {
  return commandRows.find(({ flags }) => longNameOf(flags) === option)?.command ?? 'run';
}
