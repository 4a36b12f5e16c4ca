import type { Command } from 'commander';
import type { ArchiveTask, CommandIo, Commands } from './commands/types.ts';
import { commandRows } from './config/command-rows.ts';
import { didYouMean } from './config/suggest.ts';
import { UsageError } from './errors.ts';
import { archiveNotes, doctorNotes, verifyNotes } from './help-notes.ts';
import { addCommon, addSettings, commonOf, flagsOf, optionOf, textOf } from './program-options.ts';
import type { Collected } from './program-options.ts';
import type { ShapedArgv } from './shape-argv.ts';

/** Runs the command that the line asks for. */
export type Invoke = (call: (commands: Commands, io: CommandIo) => Promise<number>) => Promise<void>;

/** Declares every command but the loop itself, in the order of the help. */
export function addCommands(program: Command, shaped: ShapedArgv, invoke: Invoke): void {
  addInit(program, invoke);
  addPrd(program, shaped, invoke);
  addConvert(program, shaped, invoke);
  addCheck(program, invoke);
  addStatus(program, invoke);
  addLogs(program, invoke);
  addStop(program, invoke);
  addUnblock(program, invoke);
  addArchive(program, invoke);
  addVerify(program, invoke);
  addDoctor(program, invoke);
  addClean(program, invoke);
  addCommon(program.command('demo'))
    .description('a complete run in a scratch repository, with a scripted agent')
    .action((_, command: Command) => invoke((commands, io) => commands.demo(commonOf(command), io)));
}

function addInit(program: Command, invoke: Invoke): void {
  addRows(addCommon(program.command('init')), 'init')
    .description('set a repository up: prd.json, ralph.config.json and the skills')
    .action((_, command: Command) =>
      invoke((commands, io) => commands.init({ ...commonOf(command), skills: textOf(command, 'skills') }, io)),
    );
}

function addPrd(program: Command, { agentArgs = [] }: ShapedArgv, invoke: Invoke): void {
  const given: Collected = {};
  const command = addRows(addCommon(program.command('prd [idea...]')), 'prd');
  addSettings(command, given, ['tool', 'model'])
    .usage('"<idea>" [options] [-- <arguments for the agent…>]')
    .description('from an idea to a PRD document: an agent asks in this terminal, and writes tasks/prd-<feature>.md')
    .action((idea: string[]) => {
      const [answers, { yes }] = [textOf(command, 'answers'), flagsOf(command)];
      return invoke((commands, io) => commands.prd({ ...commonOf(command), given, idea, answers, yes, agentArgs }, io));
    });
}

function addConvert(program: Command, { agentArgs = [] }: ShapedArgv, invoke: Invoke): void {
  const given: Collected = {};
  const command = addRows(addCommon(program.command('convert <file>')), 'convert');
  addSettings(command, given, ['tool', 'model'])
    .usage('<file> [options] [-- <arguments for the agent…>]')
    .description('from a PRD document, or the list of another tool, to prd.json')
    .action((file: string) => {
      const { dryRun, withAgent } = flagsOf(command);
      const output = textOf(command, 'output');
      const options = { ...commonOf(command), given, file, output, dryRun, withAgent, agentArgs };
      return invoke((commands, io) => commands.convert(options, io));
    });
}

function addCheck(program: Command, invoke: Invoke): void {
  const given: Collected = {};
  const command = addRows(addCommon(program.command('check [file]')), 'check');
  addSettings(command, given, ['prd'])
    .description('look at prd.json as an agent without memory will: what is wrong, why, and how to mend it')
    .action((file: string | undefined) => {
      const { json, strict } = flagsOf(command);
      return invoke((commands, io) => commands.check({ ...commonOf(command), given, file, json, strict }, io));
    });
}

function addStatus(program: Command, invoke: Invoke): void {
  const given: Collected = {};
  addSettings(addCommon(program.command('status')), given, ['prd'])
    .description('stories, the next one, blocked ones and why, the last or current run; writes nothing')
    .option('--json', 'as one JSON document')
    .action((_, command: Command) =>
      invoke((commands, io) => commands.status({ ...commonOf(command), given, json: flagsOf(command).json }, io)),
    );
}

function addUnblock(program: Command, invoke: Invoke): void {
  const given: Collected = {};
  addSettings(addCommon(program.command('unblock [ids...]')), given, ['prd'])
    .description('forget blocks and attempts of these stories, or of all')
    .action((ids: string[], _, command: Command) =>
      invoke((commands, io) => commands.unblock({ ...commonOf(command), given, ids }, io)),
    );
}

function addLogs(program: Command, invoke: Invoke): void {
  addRows(addCommon(program.command('logs [n]')), 'logs')
    .description("an iteration's output, readable; of the newest one unless a number says another")
    .action((number: string | undefined, _, command: Command) => {
      const { raw, follow } = flagsOf(command);
      const run = textOf(command, 'run');
      return invoke((commands, io) => commands.logs({ ...commonOf(command), number, run, raw, follow }, io));
    });
}

function addStop(program: Command, invoke: Invoke): void {
  addRows(addCommon(program.command('stop')), 'stop')
    .description('ask the running loop to end after this iteration')
    .action((_, command: Command) =>
      invoke((commands, io) => commands.stop({ ...commonOf(command), now: flagsOf(command).now }, io)),
    );
}

function addArchive(program: Command, invoke: Invoke): void {
  const given: Collected = {};
  addSettings(addCommon(program.command('archive [action] [name]')), given, ['prd'])
    .usage('[list | restore <name>] [options]')
    .addHelpText('after', archiveNotes)
    .description('put PRD and log into the archive and start a fresh log; list what is there; restore a pair')
    .action((action: string | undefined, name: string | undefined, _, command: Command) => {
      const task = readArchiveTask(action, name);
      return invoke((commands, io) => commands.archive({ ...commonOf(command), given, task }, io));
    });
}

function readArchiveTask(action: string | undefined, name: string | undefined): ArchiveTask {
  if (action === undefined) return { kind: 'store' };
  if (action === 'restore' && name !== undefined) return { kind: 'restore', name };
  if (action === 'restore') {
    throw new UsageError('archive restore needs the name of an archive', {
      cures: ['ralph archive list', 'ralph archive restore <name>'],
    });
  }
  if (action === 'list' && name === undefined) return { kind: 'list' };
  const problem =
    action === 'list' ? `archive list takes no name, and ${name} is one` : `archive has no action ${action}`;
  const cures =
    action === 'list'
      ? ['ralph archive list', `ralph archive restore ${name}`]
      : ['ralph archive list', 'ralph archive restore <name>'];
  throw new UsageError(`${problem}${action === 'list' ? '' : didYouMean(action, ['list', 'restore'])}`, { cures });
}

function addVerify(program: Command, invoke: Invoke): void {
  const given: Collected = {};
  addSettings(addCommon(program.command('verify')), given, ['prd', 'gates', 'gateTimeout'])
    .addHelpText('after', verifyNotes)
    .description('run gates and the checks of passed stories on HEAD, in a clean checkout')
    .action((_, command: Command) => invoke((commands, io) => commands.verify({ ...commonOf(command), given }, io)));
}

function addDoctor(program: Command, invoke: Invoke): void {
  const given: Collected = {};
  addSettings(addCommon(program.command('doctor')), given)
    .addHelpText('after', doctorNotes)
    .description('check git, agents, config and PRD, show every setting and its source; writes nothing')
    .action((_, command: Command) => invoke((commands, io) => commands.doctor({ ...commonOf(command), given }, io)));
}

function addClean(program: Command, invoke: Invoke): void {
  addRows(addCommon(program.command('clean')), 'clean')
    .description('remove old run folders and their rescue refs')
    .action((_, command: Command) => {
      const { dryRun } = flagsOf(command);
      const older = textOf(command, 'older');
      return invoke((commands, io) => commands.clean({ ...commonOf(command), older, dryRun }, io));
    });
}

/** The options that only this command has. */
function addRows(command: Command, name: string): Command {
  for (const row of commandRows) if (row.command === name) command.addOption(optionOf(row));
  return command;
}
