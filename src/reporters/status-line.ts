/**
 * The line at the bottom of a terminal that is drawn again and again. It stands without a line feed; before anything else
 * is written it is wiped, and afterwards it is drawn anew. The cursor is never hidden and no other screen is used, so that
 * even a kill leaves the terminal as it was.
 */
import { ellipsize } from './display-width.ts';
import type { ReporterClock } from './reporter.ts';

export interface StatusLineOptions {
  readonly write: (text: string) => void;
  readonly clock: ReporterClock;
  readonly columns: () => number;
  readonly paint: (text: string) => string;
}

export interface StatusLine {
  /** Writes whole lines above the status line. */
  readonly print: (lines: string) => void;
  /** Shows what `text` gives from now on, each time with the time of the clock; undefined takes the line away. */
  readonly show: (text: ((now: number) => string | undefined) | undefined) => void;
  /** Takes the line away for good. */
  readonly close: () => void;
}

const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const frameMs = 200;
const wipe = '\r\u001b[2K';

export function createStatusLine({ write, clock, columns, paint }: StatusLineOptions): StatusLine {
  let text: ((now: number) => string | undefined) | undefined;
  let isDrawn = false;
  let isClosed = false;
  let frame = 0;
  let stop: (() => void) | undefined;

  function compose(): string {
    const shown = isClosed ? undefined : text?.(clock.now());
    // One column stays free: a full line would make some terminals wrap.
    const line = shown === undefined ? '' : ellipsize(`${frames[frame % frames.length]} ${shown}`, columns() - 1);
    const start = isDrawn ? wipe : '';
    isDrawn = line !== '';
    return `${start}${line === '' ? '' : paint(line)}`;
  }

  function tick(): void {
    frame += 1;
    write(compose());
  }

  function rest(): void {
    stop?.();
    stop = undefined;
  }

  return {
    print(lines) {
      const start = isDrawn ? wipe : '';
      isDrawn = false;
      write(`${start}${lines}${compose()}`);
    },
    show(next) {
      text = next;
      if (next === undefined || isClosed) rest();
      else stop ??= clock.every(frameMs, tick);
      write(compose());
    },
    close() {
      isClosed = true;
      rest();
      write(compose());
    },
  };
}
