import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** What the events of a run say besides its end. */
export interface RunEnd {
  /** Was what passed looked at by a gate or a check? Null while it runs, and where it was cut off. */
  readonly verified: boolean | null;
  /** Gates that were red and never green, in a run that did not end for that very reason. */
  readonly neverGreen: readonly string[];
}

/**
 * Reads the events in the folder of a run, line by line, since they may be many. Lines that are no event (the last one,
 * half-written) are passed over; a folder without events says nothing.
 */
export async function readRunEnd(folder: string): Promise<RunEnd> {
  const red = new Set<string>();
  const green = new Set<string>();
  let verified: boolean | null = null;
  for await (const line of readLines(join(folder, 'events.jsonl'))) {
    if (!line.includes('"gate.finished"') && !line.includes('"run.finished"')) continue;
    const event = parseFields(line);
    const name = event.get('name');
    if (event.get('type') === 'run.finished') {
      verified = event.get('verified') !== false;
      if (event.get('reason') === 'usage') red.clear();
    } else if (event.get('kind') === 'gate' && typeof name === 'string' && wasSeen(event)) {
      (event.get('exit') === 0 ? green : red).add(name);
    }
  }
  return { verified, neverGreen: [...red].filter((name) => !green.has(name)) };
}

/** One that was cut off with the run is neither green nor red. */
function wasSeen(event: ReadonlyMap<string, unknown>): boolean {
  return event.get('type') === 'gate.finished' && (event.get('exit') !== null || event.get('timedOut') === true);
}

async function* readLines(file: string): AsyncGenerator<string> {
  const stream = createReadStream(file, 'utf8');
  try {
    yield* createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY });
  } catch {
    // No events yet, or none any more: that is no reason to fail.
  } finally {
    stream.destroy();
  }
}

function parseFields(line: string): ReadonlyMap<string, unknown> {
  try {
    const value: unknown = JSON.parse(line);
    return new Map(typeof value === 'object' && value !== null ? Object.entries(value) : []);
  } catch {
    return new Map();
  }
}
