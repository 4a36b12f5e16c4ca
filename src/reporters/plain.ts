/** Plain lines for what is no terminal: a file, a pipe, a CI log. Every line goes out the moment it happens. */
import { createNarrator } from './narrator.ts';
import type { NarratorOptions } from './narrator.ts';
import type { Line } from './event-lines.ts';
import { gutterOf } from './palette.ts';
import type { Palette } from './palette.ts';
import type { Reporter } from './reporter.ts';
import type { Writer } from './writer.ts';

export interface PlainOptions extends NarratorOptions {
  readonly writer: Writer;
  /** Without colours unless they are forced. */
  readonly palette: Palette;
}

/** A file has no width; a long title need not make the table wider than most pages. */
const tableColumns = 100;

export function createPlainReporter({ writer, palette, ...options }: PlainOptions): Reporter {
  const narrator = createNarrator(options);
  return {
    handle(event) {
      const { lines } = narrator.tell(event, tableColumns);
      if (lines.length === 0) return;
      const space = event.type === 'iteration.started' || event.type === 'run.finished' ? '\n' : '';
      writer.out(`${space}${lines.map((line) => `${paintLine(line, palette)}\n`).join('')}`);
    },
    close() {},
  };
}

/** A line with its place on the page: what the agent says stands behind a rule, so that it can't pass for ralph's words. */
function paintLine({ tone, text }: Line, palette: Palette): string {
  if (tone === 'agent' || tone === 'tool') return `${palette.gutter(gutterOf(tone))} ${palette[tone](text)}`.trimEnd();
  return text === '' ? '' : palette[tone](text);
}
