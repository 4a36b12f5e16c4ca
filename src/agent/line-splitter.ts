/** One line of output, without its line break. `cut`: it was longer than the limit, and only its beginning is here. */
export interface Line {
  readonly text: string;
  readonly cut: boolean;
  /** Bytes of the stream up to the end of this line, its break included. */
  readonly end: number;
}

const LF = 0x0a;
const CR = 0x0d;
/** A buffer of this size is kept for the next line; a larger one is let go. */
const SMALL = 65_536;
const MAX_PENDING = 1_024;

/**
 * Cuts a byte stream into lines, however it arrives. Memory is bounded: of a line longer than `maxBytes` only the beginning
 * is kept. Characters are decoded line by line, so that none is torn; invalid UTF-8 becomes U+FFFD.
 */
export class LineSplitter {
  readonly #maxBytes: number;
  readonly #loneCr: boolean;
  readonly #onLine: (line: Line) => void;
  #buffer = Buffer.allocUnsafe(SMALL);
  #kept = 0;
  #cut = false;
  #open = false;
  #afterCr = false;
  #offset = 0;

  /** `loneCr`: a carriage return without line feed breaks a line, too (progress bars). */
  constructor(options: { maxBytes: number; loneCr: boolean }, onLine: (line: Line) => void) {
    this.#maxBytes = options.maxBytes;
    this.#loneCr = options.loneCr;
    this.#onLine = onLine;
  }

  push(chunk: Buffer): void {
    let start = 0;
    // The line feed of a CR LF whose carriage return ended the line already.
    if (this.#afterCr && chunk[0] === LF) {
      start = 1;
      this.#offset += 1;
    }
    if (chunk.length > 0) this.#afterCr = false;
    while (start < chunk.length) start = this.#take(chunk, start);
  }

  /** Hands out what stands behind the last line break. */
  end(): void {
    if (this.#open) this.#finish();
  }

  /** The beginning of the unfinished last line: somebody may be waiting for an answer to it. */
  pending(): string {
    return this.#buffer.toString('utf8', 0, Math.min(this.#kept, MAX_PENDING));
  }

  /** Takes one line, or the rest of the chunk; returns where the next one starts. */
  #take(chunk: Buffer, start: number): number {
    const at = this.#breakAfter(chunk, start);
    if (at === -1) {
      this.#add(chunk.subarray(start));
      return chunk.length;
    }
    this.#add(chunk.subarray(start, at));
    let next = at + 1;
    if (chunk[at] === CR) {
      if (chunk[next] === LF) next += 1;
      else this.#afterCr = next === chunk.length;
    }
    this.#offset += next - at;
    this.#finish();
    return next;
  }

  #breakAfter(chunk: Buffer, start: number): number {
    const lf = chunk.indexOf(LF, start);
    if (!this.#loneCr) return lf;
    const cr = chunk.subarray(start, lf === -1 ? chunk.length : lf).indexOf(CR);
    return cr === -1 ? lf : start + cr;
  }

  #add(part: Buffer): void {
    this.#offset += part.length;
    this.#open = true;
    const fits = part.subarray(0, this.#maxBytes - this.#kept);
    if (fits.length < part.length) this.#cut = true;
    this.#reserve(this.#kept + fits.length);
    this.#buffer.set(fits, this.#kept);
    this.#kept += fits.length;
  }

  /** Doubles, so that a long line that comes in small pieces is not copied for each of them. */
  #reserve(bytes: number): void {
    if (bytes <= this.#buffer.length) return;
    const larger = Buffer.allocUnsafe(Math.max(bytes, Math.min(this.#buffer.length * 2, this.#maxBytes)));
    larger.set(this.#buffer.subarray(0, this.#kept));
    this.#buffer = larger;
  }

  #finish(): void {
    const line = { text: this.#buffer.toString('utf8', 0, this.#kept), cut: this.#cut, end: this.#offset };
    if (this.#buffer.length > SMALL) this.#buffer = Buffer.allocUnsafe(SMALL);
    this.#kept = 0;
    this.#cut = false;
    this.#open = false;
    this.#onLine(line);
  }
}
