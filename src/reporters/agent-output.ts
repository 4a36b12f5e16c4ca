/** What an agent's log shows of one event: facts → text, pure. */
import { cleanLines } from './clean-text.ts';
import type { Palette } from './palette.ts';

/** An event of an agent as it was decoded from its output; `result` and `turn` show nothing. */
export type OutputEvent =
  | { readonly kind: 'text' | 'stray' | 'retry'; readonly text: string }
  | { readonly kind: 'tool'; readonly name: string; readonly summary: string }
  | { readonly kind: 'result' | 'turn' };

/** Lines with their line feeds, or nothing. Control codes are stripped. */
export function renderOutput(event: OutputEvent, palette: Palette): string {
  switch (event.kind) {
    case 'text':
    case 'stray':
      return linesOf(event.text, palette.agent);
    case 'retry':
      return linesOf(event.text, palette.warn);
    case 'tool':
      return linesOf(`${event.name} ${event.summary}`.trimEnd(), palette.tool);
    case 'result':
    case 'turn':
      return '';
  }
}

function linesOf(text: string, paint: (text: string) => string): string {
  return cleanLines(text)
    .map((line) => `${paint(line)}\n`)
    .join('');
}

/** A line between the parts of an iteration's output: a further try, its standard error. */
export function renderHeading(text: string, palette: Palette): string {
  return `${palette.headline(`── ${text}`)}\n`;
}
