import { isHeader, linesOf } from './split-log.ts';

/** A part that is not there any more. */
interface MissingPart {
  readonly lines: readonly string[];
  readonly set: ReadonlySet<string>;
}

/**
 * What is new in the parts that an agent left, seen against the earlier parts that are missing and go back: of a changed or cut
 * off part only the lines that it did not have, of a part with nothing new nothing, any other part as it is.
 */
export function takeNewLines(fresh: readonly string[], missing: readonly string[], lineBreak: string): string[] {
  if (fresh.length === 0) return [];
  const asPart = (lines: readonly string[]): string[] =>
    lines.length === 0 ? [] : [[...lines, '---', ''].join(lineBreak)];
  const lost = missing.map((part) => {
    const lines = linesOf(part);
    return { lines, set: new Set(lines) };
  });
  const isHeaderLost = missing.some(isHeader);
  const firsts = new Map<string, MissingPart[]>();
  for (const part of lost) {
    const [first = ''] = part.lines;
    firsts.set(first, [...(firsts.get(first) ?? []), part]);
  }
  const owners = ownersOf(lost);
  return fresh.flatMap((part, index) => {
    const lines = linesOf(part);
    if (isHeaderLost && isHeader(part)) return asPart(newInHeader(lines, lost));
    if (index === fresh.length - 1 && isCutOff(lines, lost)) return [];
    const changed = firsts.get(lines[0] ?? '');
    if (changed !== undefined) return asPart(newIn(lines, changed));
    const owner = owners.get(lines[0] ?? '');
    if (owner !== undefined && newIn(lines, [owner]).length === 0) return [];
    return isUnderNewHeading(lines, owners) ? asPart(lines.slice(0, 1)) : [part];
  });
}

/** For each line the first missing part that holds it. */
function ownersOf(lost: readonly MissingPart[]): Map<string, MissingPart> {
  const owners = new Map<string, MissingPart>();
  for (const part of lost) for (const line of part.lines) if (!owners.has(line)) owners.set(line, part);
  return owners;
}

function newIn(lines: readonly string[], earlier: readonly MissingPart[]): string[] {
  return lines.filter((line, index) => {
    if (earlier.some((part) => part.set.has(line))) return false;
    const isLast = index === lines.length - 1;
    return !(isLast && earlier.some((part) => part.lines[index]?.startsWith(line) === true));
  });
}

/** The text breaks off in the middle of an earlier part. */
function isCutOff(lines: readonly string[], lost: readonly MissingPart[]): boolean {
  const last = lines.at(-1) ?? '';
  return lost.some((part) => {
    const isSame = lines.slice(0, -1).every((line, index) => line === part.lines[index]);
    return isSame && part.lines[lines.length - 1]?.startsWith(last) === true;
  });
}

/** Of a header written anew, what is no header line. */
function newInHeader(lines: readonly string[], lost: readonly MissingPart[]): string[] {
  const other = lines.filter((line) => !isHeader(line) && !/^(?:Branch|Started):/.test(line));
  return other.filter((line) => !lost.some((part) => part.set.has(line)));
}

/** An earlier part under another heading: the heading alone is new. */
function isUnderNewHeading([, ...body]: readonly string[], owners: ReadonlyMap<string, MissingPart>): boolean {
  const owner = owners.get(body[0] ?? '');
  return owner !== undefined && body.join('\n') === owner.lines.slice(1).join('\n');
}
