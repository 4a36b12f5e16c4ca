/** The shapes of the rows in the table of options. */

/** How a text from an option or a variable becomes a value. */
export type Kind = 'number' | 'text' | 'flag' | 'list';

/** A value as it stands in the config file. */
export interface ValueRow {
  readonly key: string;
  /** As it would stand in the file. Absent: not set. */
  readonly default?: string | number | boolean | object;
  /** What holds where there is no default, in words. */
  readonly otherwise?: string;
  readonly help: string;
}

/** A setting has an option, a config key and an environment variable. */
export interface SettingRow extends ValueRow {
  readonly default?: string | number | boolean;
  /** As commander and the help want it. */
  readonly flags: string;
  readonly kind: Kind;
  readonly group: OptionGroup;
}

/** An option of one call; `key` is commander's name for it. */
export interface CallRow {
  readonly key: string;
  readonly flags: string;
  readonly group: OptionGroup;
  readonly help: string;
}

export type OptionGroup =
  | 'What to run:'
  | 'What counts as done:'
  | 'When to end:'
  | 'Time and pace:'
  | 'Output:'
  | 'Options:';

/** An option of one command alone. */
export interface CommandRow {
  readonly command: string;
  readonly flags: string;
  readonly group: OptionGroup;
  readonly help: string;
  readonly otherwise?: string;
}
