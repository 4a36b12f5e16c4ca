import { closePart, cutParts, isBlank, isHeader, isPatterns, lineBreakOf, linesOf, splitLog } from './split-log.ts';
import type { LogRegions } from './split-log.ts';
import { takeNewLines } from './take-new-lines.ts';
import { trimCommon } from './trim-common.ts';

export interface GuardedLog {
  /** The log as it belongs: every earlier part once, what is new behind them. */
  readonly text: string;
  /** Was something earlier not there any more, so that it had to be put back? */
  readonly isRestored: boolean;
}

/**
 * Makes whole what an agent left of the log. It may append, and rewrite the patterns part on top. Where it did anything else the
 * earlier text goes back in front of what is new: the parts that were not there before, and the new lines of an earlier part
 * that was changed. Another order, other line ends, or a new entry above the old ones are put right as well, but nothing was
 * lost by them. Time and memory grow with the length of both texts.
 */
export function guardLog(before: string, found: string): GuardedLog {
  if (found.startsWith(before)) return { text: found, isRestored: false };
  const lineBreak = lineBreakOf(before);
  const after = withLineBreak(found, lineBreak);
  const earlier = splitLog(before);
  const left = splitLog(after);
  if (isAppended(earlier, left)) {
    return { text: earlier.header + after.slice(left.header.length), isRestored: false };
  }
  const { header, patterns, fresh, missing } = sortParts(earlier, after);
  const isPatternsGone = earlier.patterns !== undefined && patterns === undefined;
  const kept = closePart(patterns ?? earlier.patterns ?? '', earlier.entries, lineBreak);
  const text = joinParts(
    [header, earlier.header, kept, earlier.entries],
    takeNewLines(fresh, missing, lineBreak),
    lineBreak,
  );
  return { text, isRestored: missing.length > 0 || isPatternsGone };
}

/** An editor that changed all line ends has changed nothing that counts. */
function withLineBreak(text: string, lineBreak: string): string {
  return lineBreak === '\n' ? text.replaceAll('\r\n', '\n') : text.replace(/\r?\n/g, lineBreak);
}

/** The patterns were rewritten or came new, and there may be more behind the entries: as it should be. */
function isAppended(earlier: LogRegions, after: LogRegions): boolean {
  if (earlier.patterns !== undefined && after.patterns === undefined) return false;
  return after.entries.startsWith(earlier.entries) && keyOf(earlier.header) === keyOf(after.header);
}

interface SortedParts {
  /** A header that the agent gave to a log without one. */
  readonly header: string;
  /** The patterns part that the agent left; as it was where it says the same. */
  readonly patterns: string | undefined;
  /** Other parts that were not there before, in order. */
  readonly fresh: readonly string[];
  /** Earlier parts that are not there any more. */
  readonly missing: readonly string[];
}

function sortParts(earlier: LogRegions, after: string): SortedParts {
  const { missing, left } = matchParts(closePart(earlier.header, earlier.entries, '\n') + earlier.entries, after);
  const patterns = left.find(isPatterns);
  const isSame =
    patterns !== undefined && earlier.patterns !== undefined && keyOf(patterns) === keyOf(earlier.patterns);
  const header = earlier.header === '' ? left.find((part) => isHeader(part)) : undefined;
  const fresh = left.filter((part) => part !== patterns && part !== header);
  return { header: header ?? '', patterns: isSame ? earlier.patterns : patterns, fresh, missing };
}

/** Pairs off equal parts: as they are, which nearly always is enough, then without regard to white space and separators. */
function matchParts(wanted: string, after: string): { missing: string[]; left: string[] } {
  const [middle, other] = trimCommon(wanted, after);
  const exact = pairOff(cutParts(middle), cutParts(other));
  const loose = pairOff(exact.missing.map(keyOf), exact.left.map(keyOf));
  const [missingKeys, leftKeys] = [countOf(loose.missing), countOf(loose.left)];
  const missing = exact.missing.filter((part) => !isBlank(part) && takeOne(missingKeys, keyOf(part)));
  const left = exact.left.filter((part) => !isBlank(part) && takeOne(leftKeys, keyOf(part)));
  if (left.length === 0) return { missing, left };
  const known = new Set(cutParts(wanted).map(coreOf));
  return { missing, left: left.filter((part) => isPatterns(part) || !known.has(coreOf(part))) };
}

function pairOff(wanted: readonly string[], parts: readonly string[]): { missing: string[]; left: string[] } {
  const open = countOf(wanted);
  const left = parts.filter((part) => !takeOne(open, part));
  return { missing: wanted.filter((part) => takeOne(open, part)), left };
}

function countOf(parts: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const part of parts) counts.set(part, (counts.get(part) ?? 0) + 1);
  return counts;
}

function takeOne(counts: Map<string, number>, part: string): boolean {
  const count = counts.get(part) ?? 0;
  if (count > 0) counts.set(part, count - 1);
  return count > 0;
}

function keyOf(part: string): string {
  return linesOf(part).join('\n');
}

/** A part without the white space and the separator around it: a copy of what is there already is nothing new. */
function coreOf(part: string): string {
  const core = part.trim();
  return core.endsWith('---') ? core.slice(0, -3).trimEnd() : core;
}

/** Puts new parts behind the kept ones, each behind an empty line. */
function joinParts(kept: readonly string[], fresh: readonly string[], lineBreak: string): string {
  const pieces: string[] = [];
  for (const part of kept) {
    if (part === '') continue;
    if (pieces.at(-1)?.endsWith('\n') === false) pieces.push(lineBreak);
    pieces.push(part);
  }
  const last = pieces.at(-1);
  if (last?.endsWith('\n') === false) pieces.push(lineBreak);
  for (const [index, part] of fresh.entries()) {
    if (index > 0 || (last !== undefined && !/\n\r?\n$/.test(last.slice(-3)))) pieces.push(lineBreak);
    pieces.push(part.replace(/^(?:[ \t]*\r?\n)+/, '').trimEnd(), lineBreak);
  }
  return pieces.join('');
}
