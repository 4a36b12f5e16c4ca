import { instantsOf, isZone, localDateOf } from './zoned-time.ts';
import type { LocalDate } from './zoned-time.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** No limit of an account lasts longer; what seems to is a date of the past without its year. */
const FARTHEST = 100 * DAY;

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

const lead = String.raw`\b(?:resets?|resetting|reset time(?: is)?|try again|available again|retry|renews)\b[:,]?\s*`;
const monthName = String.raw`(?<month>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?`;
const dayNumber = String.raw`(?<day>\d{1,2})(?:st|nd|rd|th)?\b`;
const date = String.raw`(?:(?<weekday>sun|mon|tue|wed|thu|fri|sat)[a-z]*\.?,?\s*)?(?:(?<tomorrow>tomorrow)\s*)?(?:${monthName}\s+${dayNumber}(?:,?\s+(?<year>\d{4}))?)?`;
const clock = String.raw`(?<hour>\d{1,2})(?::(?<minute>\d{2}))?(?::\d{2})?\s*(?:(?<half>[ap])\.?m\b\.?)?`;
const zone = String.raw`(?:\s*\((?<zone>[^()\n]{1,64})\)|\s+(?<utc>UTC|GMT)\b)?`;

const epochPattern = /\|\s*(\d{10}|\d{13})\b/;
const isoPattern = new RegExp(String.raw`${lead}(?:at|on)?\s*(\d{4}-\d{2}-\d{2}T[\d:.]+(?:Z|[+-]\d{2}:?\d{2}))`, 'i');
const spanPattern = new RegExp(String.raw`${lead}(?:in|after)\s+((?:\d+\s*[a-z]+[\s,]*(?:and\s+)?){1,5})`, 'i');
const clockPattern = new RegExp(String.raw`${lead}(?:(?:on|at)\s+)?${date}[,\s]*(?:at\s+)?${clock}${zone}`, 'i');
const datePattern = new RegExp(String.raw`${lead}(?:(?:on|at)\s+)?${date}${zone}`, 'i');

const units: readonly (readonly [RegExp, number])[] = [
  [/^(?:d|days?)$/, DAY],
  [/^(?:h|hrs?|hours?)$/, HOUR],
  [/^(?:m|mins?|minutes?)$/, MINUTE],
  [/^(?:s|secs?|seconds?)$/, 1000],
];

/**
 * When a usage limit ends, as its error text says: an epoch behind a bar, a span (`try again in 2h`), or a clock with or
 * without weekday, date and zone (`resets 1pm (Europe/Lisbon)`). A clock without a zone is one of `localZone`; one that has
 * passed is tomorrow's. Milliseconds since the epoch, or undefined where no time can be read: an unknown zone is none.
 */
export function parseReset(text: string, now: number, localZone: string): number | undefined {
  return parseEpoch(text) ?? parseIso(text) ?? parseSpan(text, now) ?? parseClock(text, now, localZone);
}

/** An epoch in seconds or milliseconds as milliseconds; undefined where it is neither. */
export function epochToMs(epoch: number | undefined): number | undefined {
  if (epoch === undefined || epoch < 1e9) return undefined;
  return epoch < 1e11 ? epoch * 1000 : epoch;
}

function parseEpoch(text: string): number | undefined {
  const digits = epochPattern.exec(text)?.[1];
  return digits === undefined ? undefined : epochToMs(Number(digits));
}

function parseIso(text: string): number | undefined {
  const stamp = isoPattern.exec(text)?.[1];
  const ms = stamp === undefined ? Number.NaN : Date.parse(stamp);
  return Number.isNaN(ms) ? undefined : ms;
}

function parseSpan(text: string, now: number): number | undefined {
  const span = spanPattern.exec(text)?.[1];
  if (span === undefined) return undefined;
  let ms = 0;
  for (const [, count, unit] of span.matchAll(/(\d+)\s*([a-z]+)/gi)) {
    const size = units.find(([pattern]) => pattern.test((unit ?? '').toLowerCase()))?.[1];
    if (size === undefined) break;
    ms += Number(count) * size;
  }
  return ms === 0 ? undefined : now + ms;
}

function parseClock(text: string, now: number, localZone: string): number | undefined {
  const withClock = clockPattern.exec(text)?.groups;
  const time = withClock === undefined ? undefined : readClock(withClock);
  const groups = time === undefined ? datePattern.exec(text)?.groups : withClock;
  if (groups === undefined || (time === undefined && groups['month'] === undefined)) return undefined;
  const name = groups['zone'] ?? groups['utc'] ?? localZone;
  if (!isZone(name)) return undefined;
  return soonest(groups, time ?? { hour: 0, minute: 0 }, now, name);
}

interface Time {
  readonly hour: number;
  readonly minute: number;
}

/** `12:45pm`, `2am`, `13:05`. A bare number is no clock. */
function readClock(groups: Readonly<Record<string, string | undefined>>): Time | undefined {
  const hour = Number(groups['hour']);
  const minute = Number(groups['minute'] ?? '0');
  const half = groups['half']?.toLowerCase();
  if (minute > 59) return undefined;
  if (half === undefined) return groups['minute'] === undefined || hour > 23 ? undefined : { hour, minute };
  if (hour < 1 || hour > 12) return undefined;
  return { hour: (hour % 12) + (half === 'p' ? 12 : 0), minute };
}

/** The first instant that fits and has not passed, among the days it may mean. */
function soonest(
  groups: Readonly<Record<string, string | undefined>>,
  time: Time,
  now: number,
  name: string,
): number | undefined {
  for (const day of daysOf(groups, localDateOf(now, name))) {
    for (const instant of instantsOf({ ...day, ...time }, name)) {
      const end = instant + MINUTE;
      if (end <= now && groups['year'] === undefined) continue;
      if (instant - now > FARTHEST) return undefined;
      // Within the minute that was named, its end is meant: the clock was rounded.
      return instant < now && end > now ? end : instant;
    }
  }
  return undefined;
}

/** The days that may be meant, nearest first. */
function daysOf(groups: Readonly<Record<string, string | undefined>>, today: LocalDate): LocalDate[] {
  const month = groups['month'] === undefined ? -1 : months.indexOf(groups['month'].toLowerCase());
  if (month >= 0) {
    const day = Number(groups['day']);
    const years = groups['year'] === undefined ? [today.year, today.year + 1] : [Number(groups['year'])];
    return years.map((year) => ({ year, month, day }));
  }
  if (groups['tomorrow'] !== undefined) return [plusDays(today, 1)];
  const weekday = groups['weekday'] === undefined ? -1 : weekdays.indexOf(groups['weekday'].toLowerCase());
  if (weekday < 0) return [0, 1, 2].map((days) => plusDays(today, days));
  const ahead = (weekday - new Date(Date.UTC(today.year, today.month, today.day)).getUTCDay() + 7) % 7;
  return [plusDays(today, ahead), plusDays(today, ahead + 7)];
}

function plusDays(from: LocalDate, days: number): LocalDate {
  const moved = new Date(Date.UTC(from.year, from.month, from.day + days));
  return { year: moved.getUTCFullYear(), month: moved.getUTCMonth(), day: moved.getUTCDate() };
}
