import type { Given } from '../config/resolve.ts';
import type { Screen } from '../reporters/create-reporter.ts';
import type { Writer } from '../reporters/writer.ts';

/** What a command has of the world around it. */
export interface CommandIo {
  readonly writer: Writer;
  readonly env: NodeJS.ProcessEnv;
  /** The current folder, absolute. */
  readonly cwd: string;
  /** Standard output, as far as it decides how things look. */
  readonly screen: Screen;
}

/** What every command takes. */
export interface CommonOptions {
  /** `-C`, as it was typed. */
  readonly cwd: string | undefined;
  readonly noColor: boolean;
  readonly verbose: boolean;
}

export interface RunOptions extends CommonOptions {
  readonly given: Given;
  readonly dryRun: boolean;
  readonly nested: boolean;
  readonly json: boolean;
  readonly quiet: boolean;
  /** What stood behind `--`. */
  readonly agentArgs: readonly string[];
}
