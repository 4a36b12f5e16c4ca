import { createDecoder } from '../../../src/agent/decode.ts';
import type { Decoded, OutputFormat, Report } from '../../../src/agent/types.ts';

export interface Seen {
  readonly report: Report;
  readonly events: Decoded[];
}

/** Decodes output that comes in the given pieces. */
export function decodeAll(format: OutputFormat, pieces: readonly (string | Uint8Array)[], prompt = ''): Seen {
  const events: Decoded[] = [];
  const decoder = createDecoder(format, prompt, (event) => events.push(event));
  for (const piece of pieces) decoder.push(Buffer.from(piece));
  decoder.end();
  return { report: decoder.report(), events };
}

/** Bytes cut at the given places (taken modulo the length). */
export function cutAt(bytes: Buffer, places: readonly number[]): Buffer[] {
  const cuts = [...new Set(places.map((place) => place % (bytes.length + 1)))].sort((a, b) => a - b);
  return [...cuts, bytes.length].map((cut, i) => bytes.subarray(i === 0 ? 0 : cuts[i - 1], cut));
}
