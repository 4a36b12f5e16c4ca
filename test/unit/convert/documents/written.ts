export const T = 'Typecheck passes';

/** A document as people write it, and the stories that are in it. */
export interface Written {
  readonly name: string;
  readonly text: string;
  readonly expected: Record<string, string[]>;
}
