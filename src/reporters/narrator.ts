/** Follows the events of a run and gives the lines of each, the summary after the last one. Shared by all text reporters. */
import type { RalphEvent } from '../loop/events.ts';
import { linesOf } from './event-lines.ts';
import type { Line } from './event-lines.ts';
import { summaryLines } from './summary-lines.ts';
import { addToSummary, emptySummary } from './summary.ts';
import type { Summary } from './summary.ts';

export interface NarratorOptions {
  readonly verbose: boolean;
  /** Undefined: the local one. */
  readonly timeZone?: string | undefined;
}

export interface Narration {
  readonly lines: readonly Line[];
  /** The summary with this event in it. */
  readonly summary: Summary;
}

export interface Narrator {
  /** `columns`: how wide the summary's table may be. */
  readonly tell: (event: RalphEvent, columns: number) => Narration;
}

export function createNarrator({ verbose, timeZone }: NarratorOptions): Narrator {
  let summary = emptySummary;
  return {
    tell(event, columns) {
      summary = addToSummary(summary, event);
      const { tool, maxIterations, maxAttempts } = summary;
      const lines = linesOf(event, { tool, maxIterations, maxAttempts, timeZone });
      const end = event.type === 'run.finished' ? summaryLines(summary, columns) : [];
      return { lines: [...lines, ...end].filter((line) => verbose || line.tone !== 'detail'), summary };
    },
  };
}
