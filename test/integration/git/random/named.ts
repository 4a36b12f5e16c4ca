import type { Sequence } from './steps.ts';

/** Sequences that once lost or swept in something, shortened. */
export const named: readonly { readonly name: string; readonly sequence: Sequence }[] = [
  {
    name: 'nothing happens at all',
    sequence: { seed: 0, turns: [{ user: [], agent: [], end: 'accept', dies: 0 }] },
  },
];
