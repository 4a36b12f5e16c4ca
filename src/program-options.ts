import { Option } from 'commander';
import type { Command } from 'commander';
import type { CommonOptions } from './commands/types.ts';
import { callRows, settingRows } from './config/option-rows.ts';
import type { SettingRow } from './config/row-types.ts';
import { longNameOf } from './config/options.ts';
import type { OptionKey } from './config/options.ts';
import type { GivenValue } from './config/resolve.ts';

/** The settings that were given on the command line, filled while it is parsed. */
export type Collected = { [Key in OptionKey]?: GivenValue };

/** Options are taken in the order in which they stand, so that the last one wins, also among several names of one setting. */
export function addSetting(command: Command, row: SettingRow & { key: OptionKey }, given: Collected): void {
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

/** The options that every command takes. */
export function addCommon(command: Command): Command {
  for (const row of callRows) {
    if (row.key === 'cwd' || row.key === 'verbose' || row.key === 'color')
      command.addOption(optionOf(row).helpGroup('Options:'));
  }
  return command;
}

/** These settings, as `run` takes them; without names all of them. */
export function addSettings(command: Command, given: Collected, keys?: readonly OptionKey[]): Command {
  for (const row of settingRows) if (keys === undefined || keys.includes(row.key)) addSetting(command, row, given);
  return command;
}

type Shown = Pick<SettingRow, 'flags' | 'help' | 'group' | 'default' | 'otherwise'>;

export function optionOf({ flags, help, group, ...row }: Shown): Option {
  const fallback = row.default ?? row.otherwise ?? false;
  return new Option(flags, fallback === false ? help : `${help} (default: ${String(fallback)})`).helpGroup(group);
}

type Flag =
  | 'strict'
  | 'withAgent'
  | 'yes'
  | 'dryRun'
  | 'nested'
  | 'json'
  | 'quiet'
  | 'verbose'
  | 'now'
  | 'raw'
  | 'follow';

/** Which of the flags were given. */
export function flagsOf(command: Command): Record<Flag, boolean> {
  const isOn = (name: string): boolean => command.getOptionValue(name) === true;
  return {
    strict: isOn('strict'),
    withAgent: isOn('withAgent'),
    yes: isOn('yes'),
    dryRun: isOn('dryRun'),
    nested: isOn('nested'),
    json: isOn('json'),
    quiet: isOn('quiet'),
    verbose: isOn('verbose'),
    now: isOn('now'),
    raw: isOn('raw'),
    follow: isOn('follow'),
  };
}

export function commonOf(command: Command): CommonOptions {
  return {
    cwd: textOf(command, 'cwd'),
    noColor: command.getOptionValue('color') === false,
    verbose: flagsOf(command).verbose,
  };
}

/** The value of an option that is a text, or undefined where it was not given. */
export function textOf(command: Command, name: string): string | undefined {
  const value: unknown = command.getOptionValue(name);
  return typeof value === 'string' ? value : undefined;
}
