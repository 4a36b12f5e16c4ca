import { Command, CommanderError, Option } from 'commander';
import type { CommandIo, CommandName, Commands } from './commands/types.ts';
import { callRows, settingRows } from './config/option-rows.ts';
import type { SettingRow } from './config/option-rows.ts';
import { longNameOf } from './config/options.ts';
import type { OptionKey } from './config/options.ts';
import type { GivenValue } from './config/resolve.ts';
import { didYouMean } from './config/suggest.ts';
import { UsageError } from './errors.ts';
import { rootNotes, runNotes } from './help-notes.ts';
import { lazyCommands } from './load-commands.ts';
import { shapeArgv } from './shape-argv.ts';
import type { ShapedArgv } from './shape-argv.ts';

export const commandNames: readonly CommandName[] = ['run', 'init', 'status', 'unblock', 'demo'];

/** Runs the command that the line asks for. */
type Invoke = (call: (commands: Commands, io: CommandIo) => Promise<number>) => Promise<void>;

/** The settings that were given on the command line, filled while it is parsed. */
type Collected = { [Key in OptionKey]?: GivenValue };

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
  addCommon(program.command('init'))
    .description('set a repository up: prd.json and ralph.config.json')
    .action((_, command: Command) => invoke((commands, io) => commands.init(commonOf(command), io)));
  addStatus(program, invoke);
  addUnblock(program, invoke);
  addCommon(program.command('demo'))
    .description('a complete run in a scratch repository, with a scripted agent')
    .action((_, command: Command) => invoke((commands, io) => commands.demo(commonOf(command), io)));
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

/** Options are taken in the order in which they stand, so that the last one wins, also among several names of one setting. */
function addSetting(command: Command, row: SettingRow & { key: OptionKey }, given: Collected): void {
  const take = (option: string, set: (text: string | undefined) => void): void => {
    command.on(`option:${option.slice(2)}`, set);
  };
  const name = longNameOf(row.flags);
  command.addOption(optionOf(row));
  if (row.key === 'gates') {
    command.addOption(optionOf({ flags: '--no-gates', help: 'no gates at all', group: row.group }));
    take(name, (text = '') => {
      const before = Array.isArray(given.gates?.value) ? given.gates.value : [];
      given.gates = { value: [...before, text], source: name };
    });
    take('--no-gates', () => {
      given.gates = { value: [], source: '--no-gates' };
    });
    return;
  }
  if (row.key === 'tool')
    command.addOption(optionOf({ flags: '--agent <name>', help: 'the same as --tool', group: row.group }));
  for (const source of row.key === 'tool' ? [name, '--agent'] : [name]) {
    take(source, (text) => {
      // One setting with two keys: the later of the two stands alone.
      if (row.key === 'unlimited') delete given.maxIterations;
      if (row.key === 'maxIterations') delete given.unlimited;
      given[row.key] = { value: text ?? true, source };
    });
  }
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

function addStatus(program: Command, invoke: Invoke): void {
  const given: Collected = {};
  addPrd(addCommon(program.command('status')), given)
    .description('stories, the next one, blocked ones and why, the last or current run; writes nothing')
    .option('--json', 'as one JSON document')
    .action((_, command: Command) =>
      invoke((commands, io) => commands.status({ ...commonOf(command), given, json: flagsOf(command).json }, io)),
    );
}

function addUnblock(program: Command, invoke: Invoke): void {
  const given: Collected = {};
  addPrd(addCommon(program.command('unblock [ids...]')), given)
    .description('forget blocks and attempts of these stories, or of all')
    .action((ids: string[], _, command: Command) =>
      invoke((commands, io) => commands.unblock({ ...commonOf(command), given, ids }, io)),
    );
}

function addCommon(command: Command): Command {
  for (const row of callRows) {
    if (row.key === 'cwd' || row.key === 'verbose' || row.key === 'color')
      command.addOption(optionOf(row).helpGroup('Options:'));
  }
  return command;
}

function addPrd(command: Command, given: Collected): Command {
  for (const row of settingRows) if (row.key === 'prd') addSetting(command, row, given);
  return command;
}

type Shown = Pick<SettingRow, 'flags' | 'help' | 'group' | 'default' | 'otherwise'>;

function optionOf({ flags, help, group, ...row }: Shown): Option {
  const fallback = row.default ?? row.otherwise ?? false;
  return new Option(flags, fallback === false ? help : `${help} (default: ${String(fallback)})`).helpGroup(group);
}

function flagsOf(command: Command): Record<'dryRun' | 'nested' | 'json' | 'quiet' | 'verbose', boolean> {
  const isOn = (name: string): boolean => command.getOptionValue(name) === true;
  return {
    dryRun: isOn('dryRun'),
    nested: isOn('nested'),
    json: isOn('json'),
    quiet: isOn('quiet'),
    verbose: isOn('verbose'),
  };
}

function commonOf(command: Command): { cwd: string | undefined; noColor: boolean; verbose: boolean } {
  const cwd: unknown = command.getOptionValue('cwd');
  return {
    cwd: typeof cwd === 'string' ? cwd : undefined,
    noColor: command.getOptionValue('color') === false,
    verbose: flagsOf(command).verbose,
  };
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
  throw new UsageError(`unknown command ${word}${didYouMean(word, commandNames)}`, { cures: ['ralph --help'] });
}

function verifyNoStray({ command = 'run', agentArgs = [] }: ShapedArgv): void {
  if (command === 'run' || agentArgs.length === 0) return;
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
    const [flag = ''] = quoted.split('=');
    return new UsageError(`unknown option ${flag}${didYouMean(flag, known)}`, { cures, cause: error });
  }
  return new UsageError(error.message.replace(/^error: /, ''), { cures, cause: error });
}

function ignore(): void {}
