/** `--json`: every event is one line on standard output, as in `events.jsonl`, and nothing else is there. */
import type { Reporter } from './reporter.ts';
import { endLine } from './summary-lines.ts';
import { addToSummary, emptySummary } from './summary.ts';
import type { Writer } from './writer.ts';

/** An end other than `complete` is told on standard error, too, in one line. */
export function createNdjsonReporter(writer: Writer): Reporter {
  let summary = emptySummary;
  return {
    handle(event) {
      writer.out(`${JSON.stringify(event)}\n`);
      summary = addToSummary(summary, event);
      if (event.type === 'run.finished' && event.reason !== 'complete') writer.err(`${endLine(summary, event)}\n`);
    },
    close() {},
  };
}
