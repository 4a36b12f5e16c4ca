/**
 * Two texts without the headed parts that both begin with and that both end with: in a long log nearly all of them. The cuts are
 * at headings of level two, so that what is left falls into the same parts as in the whole.
 */
export function trimCommon(left: string, right: string): [string, string] {
  const limit = Math.min(left.length, right.length);
  const same = findLongest(limit, (from, to) => left.slice(from, to) === right.slice(from, to));
  const start = same < 4 ? 0 : left.lastIndexOf('\n## ', same - 4) + 1;
  const [leftEnd, rightEnd] = [left.length, right.length];
  const tail = findLongest(
    limit - start,
    (from, to) => left.slice(leftEnd - to, leftEnd - from) === right.slice(rightEnd - to, rightEnd - from),
  );
  const heading = left.indexOf('\n## ', leftEnd - tail);
  const kept = heading === -1 ? 0 : leftEnd - heading - 1;
  return [left.slice(start, leftEnd - kept), right.slice(start, rightEnd - kept)];
}

/** The greatest length up to the limit of which every stretch is the same. Halves the steps, so that each is compared once or twice. */
function findLongest(limit: number, isSame: (from: number, to: number) => boolean): number {
  let [low, high] = [0, limit];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (isSame(low, middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}
