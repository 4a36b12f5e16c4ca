import { shownLines } from './display-text.ts';

/** So many lines are kept. */
export const STRAY_LINES = 20;
const MAX_LINE = 4_096;

/** Keeps the last lines of a text of any length. */
export class StrayLines {
  #lines: string[] = [];
  /** The text that was added last, as it came. */
  latest = '';

  add(text: string): void {
    this.latest = text;
    // Of a very long text the end is enough.
    const lines = shownLines(text.slice(-STRAY_LINES * MAX_LINE)).map((line) => line.slice(0, MAX_LINE));
    this.#lines = [...this.#lines, ...lines].slice(-STRAY_LINES);
  }

  /** What was said before is no longer of interest: the agent went on. */
  clear(): void {
    this.#lines = [];
    this.latest = '';
  }

  /** The lines kept, newest last. */
  last(): readonly string[] {
    return this.#lines;
  }
}
