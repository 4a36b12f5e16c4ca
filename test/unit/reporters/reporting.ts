import type { RalphEvent } from '../../../src/loop/events.ts';
import { createReporter } from '../../../src/reporters/create-reporter.ts';
import type { ReporterOptions } from '../../../src/reporters/create-reporter.ts';
import { createManualClock, recordWrites } from './recording.ts';

/** A reporter whose writes and clock are in the hands of the test. */
export function setUp(change: Partial<ReporterOptions> = {}) {
  const writer = recordWrites();
  const clock = createManualClock();
  const reporter = createReporter({
    json: false,
    quiet: false,
    verbose: false,
    color: 0,
    isTerminal: false,
    columns: () => 80,
    timeZone: 'UTC',
    ...change,
    writer,
    clock,
  });
  return { writer, clock, reporter };
}

/** What is written of these events, from the first to the close. */
export function show(events: readonly RalphEvent[], change: Partial<ReporterOptions> = {}) {
  const { writer, reporter } = setUp(change);
  for (const event of events) reporter.handle(event);
  reporter.close();
  return writer;
}
