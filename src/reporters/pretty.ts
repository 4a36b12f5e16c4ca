/** The reporter for a person at a terminal. */
import { activityText, followActivity, nothing } from './activity.ts';
import { ellipsize, wrapLine } from './display-width.ts';
import type { Line } from './event-lines.ts';
import { createNarrator } from './narrator.ts';
import type { NarratorOptions } from './narrator.ts';
import { gutterOf } from './palette.ts';
import type { Palette } from './palette.ts';
import type { Reporter, ReporterClock } from './reporter.ts';
import { createStatusLine } from './status-line.ts';
import type { Writer } from './writer.ts';

export interface PrettyOptions extends NarratorOptions {
  readonly writer: Writer;
  readonly palette: Palette;
  readonly clock: ReporterClock;
  /** Read anew for each line, since a window may change its size. */
  readonly columns: () => number;
}

export function createPrettyReporter({ writer, palette, clock, columns, ...options }: PrettyOptions): Reporter {
  const narrator = createNarrator(options);
  const status = createStatusLine({ write: writer.out, clock, columns, paint: palette.detail });
  let activity = nothing;
  return {
    handle(event) {
      const width = columns();
      const { lines } = narrator.tell(event, width);
      const space = event.type === 'iteration.started' || event.type === 'run.finished' ? '\n' : '';
      const painted = lines.flatMap((line) => layOutLine(line, width, options.verbose, palette));
      if (painted.length > 0) status.print(`${space}${painted.map((text) => `${text}\n`).join('')}`);
      const next = followActivity(activity, event);
      if (next === activity) return;
      activity = next;
      status.show(next.kind === 'nothing' ? undefined : (now) => activityText(next, now));
    },
    close: status.close,
  };
}

/**
 * Headlines and tool calls are cut, and so each takes one line; an agent's words are broken at the width, so that each of
 * their lines has its rule in front; everything else is a fact (a path, a command to copy), which the terminal may wrap.
 */
function layOutLine({ tone, text }: Line, columns: number, verbose: boolean, palette: Palette): string[] {
  const room = Math.max(1, columns - 2);
  if (tone === 'agent') {
    return wrapLine(text.replaceAll('\t', '    '), room).map((piece) =>
      `${palette.gutter(gutterOf(tone))} ${piece}`.trimEnd(),
    );
  }
  if (tone === 'tool')
    return [`${palette.gutter(gutterOf(tone))} ${palette.tool(verbose ? text : ellipsize(text, room))}`];
  if (tone === 'headline') return [palette.headline(ellipsize(text, columns))];
  return [text === '' ? '' : palette[tone](text)];
}
