/** `-q`: nothing live. Warnings go to standard error, the summary to standard output. */
import { createNarrator } from './narrator.ts';
import type { NarratorOptions } from './narrator.ts';
import type { EventType, RalphEvent } from '../loop/events.ts';
import type { Palette } from './palette.ts';
import type { Reporter } from './reporter.ts';
import type { Writer } from './writer.ts';

export interface QuietOptions extends NarratorOptions {
  readonly writer: Writer;
  readonly palette: Palette;
  readonly columns: () => number;
}

/** What a person should hear of at once even so; a wait for a limit is one, since it may last for hours. */
const warnings: ReadonlySet<EventType> = new Set(['warning.raised', 'run.recovered', 'claim.withdrawn', 'agent.limit']);

const isNote = (event: RalphEvent): boolean => event.type === 'warning.raised' && event.level === 'note';

export function createQuietReporter({ writer, palette, columns, ...options }: QuietOptions): Reporter {
  const narrator = createNarrator(options);
  return {
    handle(event) {
      const { lines } = narrator.tell(event, columns());
      const text = lines.map((line) => `${line.text === '' ? '' : palette[line.tone](line.text)}\n`).join('');
      if (event.type === 'run.finished') writer.out(text);
      else if (warnings.has(event.type) && !isNote(event)) writer.err(text);
    },
    close() {},
  };
}
