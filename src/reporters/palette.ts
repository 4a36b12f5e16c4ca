/** Colours; the only file that knows chalk. */
import { Chalk } from 'chalk';
import type { ColorSupportLevel } from 'chalk';

/** What a piece of text is; the palette decides what that looks like. */
export type Tone = 'headline' | 'agent' | 'tool' | 'good' | 'bad' | 'warn' | 'note' | 'detail' | 'gutter';

/** What stands in front of an agent's lines. Without colours nothing else tells what it did from what it said. */
export function gutterOf(tone: 'agent' | 'tool'): string {
  return tone === 'tool' ? '├' : '│';
}

/** Paints text; without colours it gives it back as it is. */
export type Palette = Readonly<Record<Tone, (text: string) => string>>;

/** Whether and how richly to colour. */
export type ColorLevel = ColorSupportLevel;

export interface ColorFacts {
  /** `--no-color`. */
  readonly noColor: boolean;
  readonly isTerminal: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * The first of these that says something decides: `--no-color`, `FORCE_COLOR` (`0` or `false`: off, `2` and `3`: more
 * colours), `NO_COLOR`, then whether the output is a terminal that is not `TERM=dumb`. An empty variable is not set.
 */
export function chooseColorLevel({ noColor, isTerminal, env }: ColorFacts): ColorLevel {
  if (noColor) return 0;
  if (env['FORCE_COLOR']) return forcedLevel(env['FORCE_COLOR']);
  if (env['NO_COLOR']) return 0;
  return isTerminal && env['TERM'] !== 'dumb' ? 1 : 0;
}

function forcedLevel(value: string): ColorLevel {
  switch (value) {
    case '0':
    case 'false':
      return 0;
    case '2':
      return 2;
    case '3':
      return 3;
    default:
      return 1;
  }
}

export function createPalette(level: ColorLevel): Palette {
  const chalk = new Chalk({ level });
  return {
    headline: chalk.bold,
    agent: (text) => text,
    tool: chalk.cyan,
    good: chalk.green,
    bad: chalk.red,
    warn: chalk.yellow,
    note: (text) => text,
    detail: chalk.dim,
    gutter: chalk.dim,
  };
}
