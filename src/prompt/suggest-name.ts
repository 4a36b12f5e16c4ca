/** The known name that a mistyped word most likely means, or undefined where none is near. Case, `-` and `_` don't count. */
export function suggestName<Name extends string>(word: string, names: readonly Name[]): Name | undefined {
  const typed = plain(word);
  const begun = names.find((name) => typed.length > 3 && plain(name).startsWith(typed));
  if (begun !== undefined) return begun;
  let best: Name | undefined;
  // Half of a short word may be wrong by accident; of a long one, a few letters.
  let bestDistance = Math.min(3, Math.ceil(typed.length / 2)) + 1;
  for (const name of names) {
    const distance = editDistance(typed, plain(name));
    if (distance >= bestDistance) continue;
    best = name;
    bestDistance = distance;
  }
  return best;
}

function plain(word: string): string {
  return word.toLowerCase().replaceAll(/[-_]/g, '');
}

/** Levenshtein: the number of letters to insert, drop or exchange. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const exchange = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(exchange, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
