import { displayText } from './display-text.ts';

const MAX_EVENT_BYTES = 16 * 1024;
const MAX_ITERATION_BYTES = 8 * 1024 * 1024;
/** What an event costs besides its text: many short lines must not fill the disk either. */
const EVENT_BYTES = 160;

/** Hands out an agent's text in events of at most 16 KiB, 8 MiB of them per iteration. */
export class TextOutlet {
  readonly #emit: (text: string) => void;
  #left = MAX_ITERATION_BYTES;

  constructor(emit: (text: string) => void) {
    this.#emit = emit;
  }

  /** Shows a text without its control codes. What goes beyond the bound is only in the log, which is said once. */
  show(text: string): void {
    if (this.#left <= 0) return;
    for (const piece of splitText(displayText(text).trimEnd(), MAX_EVENT_BYTES)) {
      this.#left -= Buffer.byteLength(piece) + EVENT_BYTES;
      if (this.#left <= 0) return this.#emit('… (there is more than is shown: it is in the log of the iteration)');
      this.#emit(piece);
    }
  }
}

/** A text in pieces of at most so many bytes of UTF-8, cut at line breaks where there are any, never inside a character. */
export function* splitText(text: string, maxBytes: number): Generator<string> {
  const bytes = Buffer.from(text);
  for (let start = 0; start < bytes.length;) {
    const end = endOfPiece(bytes, start, maxBytes);
    yield bytes.toString('utf8', start, end);
    // The line break at which it was cut is in no piece.
    start = bytes[end] === LF ? end + 1 : end;
  }
}

const LF = 0x0a;

function endOfPiece(bytes: Buffer, start: number, maxBytes: number): number {
  if (bytes.length - start <= maxBytes) return bytes.length;
  const atLine = bytes.lastIndexOf(LF, start + maxBytes);
  if (atLine > start) return atLine;
  let end = start + maxBytes;
  while (end > start + 1 && isContinuation(bytes[end])) end -= 1;
  return end;
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
