/**
 * The known name that was most likely meant, or undefined when none is near. Case and separators (`-`, `_`) don't count.
 * A word of three letters or more that begins a known name means that name (`--max` → `--max-iterations`).
 */
export function suggest(word: string, known: readonly string[]): string | undefined {
  const wanted = plain(word);
  if (wanted === '') return undefined;
  let best: string | undefined;
  let bestDistance = Number.POSITIVE_INFINITY;
  for (const name of known) {
    const distance = measureDistance(wanted, plain(name));
    if (distance < bestDistance) [best, bestDistance] = [name, distance];
  }
  // A third of the letters may be wrong, and never so many that nothing of the word is left.
  if (bestDistance <= Math.max(1, Math.floor(wanted.length / 3)) && bestDistance < wanted.length) return best;
  return wanted.length < 3 ? undefined : known.find((name) => plain(name).startsWith(wanted));
}

/** ` (did you mean x?)`, or nothing. */
export function didYouMean(word: string, known: readonly string[]): string {
  const name = suggest(word, known);
  return name === undefined ? '' : ` (did you mean ${name}?)`;
}

function plain(word: string): string {
  return word.toLowerCase().replaceAll(/[-_]/g, '');
}

/** Edits between two words: letters put in, left out, exchanged, or two neighbours swapped (`statsu`). */
function measureDistance(from: string, to: string): number {
  let older: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row += 1) {
    const next = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const isSame = from[row - 1] === to[column - 1];
      const isSwap = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      next[column] = Math.min(
        at(last, column) + 1,
        at(next, column - 1) + 1,
        at(last, column - 1) + (isSame ? 0 : 1),
        isSwap ? at(older, column - 2) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    [older, last] = [last, next];
  }
  return at(last, to.length);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY;
}
