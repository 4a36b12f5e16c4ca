import { displayText } from './display-text.ts';
import { WordsScanner } from './final-words.ts';
import { LineSplitter } from './line-splitter.ts';
import type { Line } from './line-splitter.ts';
import { STRAY_LINES, StrayLines } from './stray-lines.ts';
import type { Decoded, Decoder, Report } from './types.ts';

/** Of a longer line the rest is neither shown nor searched. */
const MAX_LINE_BYTES = 64 * 1024;
/** A sentinel that stands further from the end is old news. */
const FINAL_BYTES = 256 * 1024;

/** Reads the output of an agent that speaks plain text: all of it is its words. */
export class PlainTextDecoder implements Decoder {
  readonly #lines = new LineSplitter({ maxBytes: MAX_LINE_BYTES, loneCr: true }, (line) => this.#line(line));
  readonly #scanner: WordsScanner;
  readonly #emit: (event: Decoded) => void;
  readonly #stray = new StrayLines();
  #shown: string[] = [];
  #bytes = 0;

  constructor(echoes: ReadonlySet<string>, emit: (event: Decoded) => void) {
    this.#scanner = new WordsScanner(echoes);
    this.#emit = emit;
  }

  push(chunk: Buffer): void {
    this.#bytes += chunk.length;
    this.#lines.push(chunk);
    this.#show();
  }

  end(): void {
    this.#lines.end();
    this.#show();
  }

  pending(): string {
    return this.#lines.pending();
  }

  report(): Report {
    const said = this.#stray.last();
    return {
      result: { kind: 'none' },
      words: this.#scanner.words(Math.max(0, this.#bytes - FINAL_BYTES)),
      spoke: said.length > 0,
      worked: said.length > 0,
      lastSaid: said.at(-1) ?? '',
      strayLines: said,
      limits: [],
      costUsd: undefined,
      tokens: undefined,
      session: undefined,
      denied: [],
    };
  }

  #line(line: Line): void {
    const text = line.cut ? `${line.text.replace(/\uFFFD+$/, '')}…` : line.text;
    const shown = displayText(text);
    this.#scanner.line(shown, line.end, line.cut);
    if (shown.trim() === '') return;
    this.#shown.push(shown.trimEnd());
  }

  /** The lines of one chunk go out together: one event for each would be more wrapping than text. */
  #show(): void {
    if (this.#shown.length === 0) return;
    this.#stray.add(this.#shown.slice(-STRAY_LINES).join('\n'));
    this.#emit({ kind: 'text', text: this.#shown.join('\n') });
    this.#shown = [];
  }
}
