/** Chooses how a run is shown. */
import { createNdjsonReporter } from './ndjson.ts';
import { chooseColorLevel, createPalette } from './palette.ts';
import type { ColorLevel } from './palette.ts';
import { createPlainReporter } from './plain.ts';
import { createPrettyReporter } from './pretty.ts';
import { createQuietReporter } from './quiet.ts';
import type { Reporter, ReporterClock } from './reporter.ts';
import type { Writer } from './writer.ts';

export interface ReporterOptions {
  readonly json: boolean;
  readonly quiet: boolean;
  readonly verbose: boolean;
  readonly color: ColorLevel;
  readonly isTerminal: boolean;
  readonly columns: () => number;
  readonly writer: Writer;
  readonly clock: ReporterClock;
  /** For the time of day; the local one where it is absent. */
  readonly timeZone?: string;
}

/** `--json` wins over `-q`, and `-q` over `-v`. Without a terminal the lines are plain, with colours only where they are forced. */
export function createReporter(options: ReporterOptions): Reporter {
  const { json, quiet, verbose, isTerminal, columns, writer, clock, timeZone } = options;
  const palette = createPalette(options.color);
  if (json) return createNdjsonReporter(writer);
  if (quiet) return createQuietReporter({ writer, palette, columns, verbose: false, timeZone });
  if (isTerminal) return createPrettyReporter({ writer, palette, clock, columns, verbose, timeZone });
  return createPlainReporter({ writer, palette, verbose, timeZone });
}

/** What of `process.stdout` matters here. */
export interface Screen {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

export interface ScreenFacts {
  readonly isTerminal: boolean;
  readonly color: ColorLevel;
  readonly columns: () => number;
}

/** Looks at a stream and the environment. A terminal that can't move its cursor (`TERM=dumb`) is treated as none. */
export function lookAtScreen(
  screen: Screen,
  env: Readonly<Record<string, string | undefined>>,
  noColor: boolean,
): ScreenFacts {
  const isTerminal = screen.isTTY === true && env['TERM'] !== 'dumb';
  return {
    isTerminal,
    color: chooseColorLevel({ noColor, isTerminal, env }),
    // A terminal that does not know its width says 0.
    columns: () => (isTerminal ? screen.columns || 80 : Infinity),
  };
}
