import { Command, CommanderError } from 'commander';
import type { CommandIo, CommandName } from './commands/types.ts';
import { callRows, settingRows } from './config/option-rows.ts';
import { longNameOf } from './config/options.ts';
import { didYouMean, suggest } from './config/suggest.ts';
import { UsageError } from './errors.ts';
import { rootNotes, runNotes } from './help-notes.ts';
import { lazyCommands } from './load-commands.ts';
import { addCommands } from './program-commands.ts';
import type { Invoke } from './program-commands.ts';
import { addSetting, commonOf, flagsOf, optionOf } from './program-options.ts';
import type { Collected } from './program-options.ts';
import { shapeArgv } from './shape-argv.ts';
import type { ShapedArgv } from './shape-argv.ts';

export const commandNames: readonly CommandName[] = [
  'run',
  'init',
  'prd',
  'convert',
  'check',
  'status',
  'logs',
  'stop',
  'unblock',
  'archive',
  'verify',
  'doctor',
  'clean',
  'demo',
];

/**
 * Parses a command line (without node and script) and runs its command. Returns the exit code.
 * Throws UsageError for what makes no sense, and RalphError as the command does.
 */
export async function runProgram(argv: readonly string[], io: CommandIo, commands = lazyCommands): Promise<number> {
  const shaped = shapeArgv(argv, [...commandNames, 'help']);
  let code = 0;
  const program = createProgram(shaped, async (call) => {
    code = await call(commands, io);
  });
  if (shaped.wantsHelp || shaped.command === 'help') {
    io.writer.out(helpOf(program, shaped));
    return 0;
  }
  verifyNoTypo(shaped, { leading: true });
  verifyNoStray(shaped);
  try {
    await program.parseAsync([shaped.command ?? 'run', ...shaped.args], { from: 'user' });
  } catch (error) {
    throw error instanceof CommanderError ? translate(error, program, shaped.command ?? 'run') : error;
  }
  return code;
}

/** The declarations of all commands and options. */
export function createProgram(shaped: ShapedArgv, invoke: Invoke): Command {
  const program = new Command('ralph')
    .description(
      'Runs a coding agent in a loop until every user story has passed, and commits only what it has checked.',
    )
    .usage('[command] [options]')
    .option('-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command')
    .addHelpText('after', rootNotes)
    .configureHelp({ helpWidth: 110 })
    .configureOutput({ writeOut: ignore, writeErr: ignore })
    .exitOverride();
  addRun(program, shaped, invoke);
  addCommands(program, shaped, invoke);
  return program;
}

function addRun(program: Command, shaped: ShapedArgv, invoke: Invoke): void {
  const run = program
    .command('run [iterations]')
    .description('run the loop: an agent per iteration until every story has passed; without a command, too')
    .usage('[iterations] [options] [-- <arguments for the agent…>]')
    .addHelpText('after', runNotes);
  const given: Collected = {};
  for (const row of settingRows) addSetting(run, row, given);
  for (const row of callRows) run.addOption(optionOf(row));
  run.action((iterations: string | undefined, _, command: Command) => {
    if (shaped.command === undefined) verifyNoTypo(shaped, { leading: false });
    if (iterations !== undefined) takeIterations(iterations, shaped, given);
    const { dryRun, nested, json, quiet } = flagsOf(command);
    const { agentArgs = [] } = shaped;
    return invoke((commands, io) =>
      commands.run({ ...commonOf(command), given, dryRun, nested, json, quiet, agentArgs }, io),
    );
  });
}

/** `[iterations]` is one more name of the limit; it is checked also where an option behind it wins. */
function takeIterations(text: string, { isLimitLast }: ShapedArgv, given: Collected): void {
  const source = '[iterations]';
  if (!isLimitLast) {
    delete given.unlimited;
    given.maxIterations = { value: text, source };
  } else if (!/^0*[1-9]\d*$/.test(text)) {
    throw new UsageError('a setting has a bad value', {
      problems: [`${source}: must be a whole number above 0, not ${JSON.stringify(text)}`],
    });
  }
}

/** The help of the command that is named, of `run` where only its options are, else of the whole. */
function helpOf(program: Command, { command, words, args }: ShapedArgv): string {
  const named = command === 'help' ? words[0] : command;
  const asked = named ?? (command !== 'help' && args.length > 1 ? 'run' : undefined);
  return renderHelp(program.commands.find((candidate) => candidate.name() === asked) ?? program);
}

function renderHelp(command: Command): string {
  let text = '';
  command.configureOutput({ writeOut: (part) => (text += part) });
  command.outputHelp();
  return text;
}

/** A word where a number belongs is a mistyped command, unless an option in front of it is what was mistyped. */
function verifyNoTypo({ command, words, args }: ShapedArgv, { leading }: { leading: boolean }): void {
  const [word] = words;
  if (command !== undefined || word === undefined || !/^[^-+.\d]/.test(word)) return;
  if (leading && args[0] !== word) return;
  const meant = suggest(word, commandNames);
  throw new UsageError(`unknown command ${word}${didYouMean(word, commandNames)}`, {
    cures: [...(meant === undefined ? [] : [`ralph ${meant}`]), 'ralph --help'],
  });
}

function verifyNoStray({ command = 'run', agentArgs = [] }: ShapedArgv): void {
  if (command === 'run' || command === 'prd' || command === 'convert' || agentArgs.length === 0) return;
  throw new UsageError(`${command} starts no agent: nothing can stand behind --`, {
    cures: [`ralph ${command} --help`],
  });
}

/** Commander's own errors in our words; the flag or word it speaks of is the part in quotes. */
function translate(error: CommanderError, program: Command, name: string): UsageError {
  const command = program.commands.find((candidate) => candidate.name() === name);
  const [, quoted = ''] = /'(.*)'/s.exec(error.message) ?? [];
  const cures = [`ralph ${name} --help`];
  if (error.code === 'commander.unknownOption') {
    const known = [...(command?.options ?? []).flatMap((option) => option.long ?? []), '--help', '--version'];
    const [flag = '', ...value] = quoted.split('=');
    if (value.length > 0 && known.includes(flag)) return takesNoValue(name, flag, value.join('='), error);
    return new UsageError(`unknown option ${flag}${didYouMean(flag, known)}`, { cures, cause: error });
  }
  return new UsageError(error.message.replace(/^error: /, ''), { cures, cause: error });
}

const off: ReadonlySet<string> = new Set(['false', '0', 'no', 'off']);

/** `--push=false`: a flag is on where it stands. What turns it off is to leave it out, or its variable where the config has it. */
function takesNoValue(name: string, flag: string, value: string, cause: CommanderError): UsageError {
  const isSetting = settingRows.some(({ flags }) => longNameOf(flags) === flag);
  const variable = `RALPH_${flag.slice(2).toUpperCase().replaceAll('-', '_')}`;
  const isOff = off.has(value.toLowerCase());
  const cure = isOff ? `leave it out: ralph ${name}` : `ralph ${name} ${flag}`;
  return new UsageError(`${flag} takes no value, and here it has ${JSON.stringify(value)}`, {
    cures: [
      cure,
      ...(isOff && isSetting ? [`or, where the config has turned it on: ${variable}=0 ralph ${name}`] : []),
    ],
    cause,
  });
}

function ignore(): void {}
