/** Numbers with units as text for people. Pure. */
import type { Tokens } from '../loop/events.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** A measured duration: `0.4s`, `12.3s`, `1m 05s`, `2h 07m`, `1d 03h`. */
export function formatDuration(ms: number): string {
  const tenths = Math.round(Math.max(0, ms) / 100);
  return tenths < 600 ? `${(tenths / 10).toFixed(1)}s` : formatLong(Math.max(0, ms));
}

/** A clock that runs, in whole seconds: `5s`, `1m 05s`. Rounded down, as a clock shows it. */
export function formatElapsed(ms: number): string {
  const seconds = Math.floor(Math.max(0, ms) / second);
  return seconds < 60 ? `${seconds}s` : formatLong(seconds * second);
}

/** What is left of a wait, in whole seconds, rounded up: it ends at `0s`. */
export function formatLeft(ms: number): string {
  return formatElapsed(Math.ceil(Math.max(0, ms) / second) * second);
}

function formatLong(ms: number): string {
  const seconds = Math.round(ms / second);
  if (seconds * second < hour) return `${Math.floor(seconds / 60)}m ${pad(seconds % 60)}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes * minute < day) return `${Math.floor(minutes / 60)}h ${pad(minutes % 60)}m`;
  return `${Math.floor(minutes / 1440)}d ${pad(Math.floor((minutes % 1440) / 60))}h`;
}

function pad(number: number): string {
  return String(number).padStart(2, '0');
}

/** US dollars: `$0.42`; what is less than a cent but not nothing is `<$0.01`. */
export function formatMoney(usd: number): string {
  return usd > 0 && usd < 0.005 ? '<$0.01' : `$${usd.toFixed(2)}`;
}

/** `950`, `12.3k`, `1.2M`. */
export function formatCount(count: number): string {
  if (count < 1_000) return String(count);
  if (count < 999_950) return `${trimZero(count / 1_000)}k`;
  return `${trimZero(count / 1_000_000)}M`;
}

function trimZero(number: number): string {
  return number.toFixed(1).replace(/\.0$/u, '');
}

/** All tokens together, with what went in (the cache included) and what came out: `12.3k tokens (11k in, 1.3k out)`. */
export function formatTokens(tokens: Tokens): string {
  const input = tokens.input + tokens.cacheRead + tokens.cacheCreation;
  return `${formatCount(input + tokens.output)} tokens (${formatCount(input)} in, ${formatCount(tokens.output)} out)`;
}

/** Every token of a run or try. */
export function countTokens(tokens: Tokens): number {
  return tokens.input + tokens.output + tokens.cacheRead + tokens.cacheCreation;
}

/**
 * A moment seen from `now`, in local time (or `timeZone`): `13:00` today, `Tue 13:00` within six days, else
 * `2026-03-09 13:00`. Both are milliseconds since the epoch.
 */
export function formatMoment(at: number, now: number, timeZone?: string): string {
  const moment = partsOf(at, timeZone);
  const clock = `${moment.hour}:${moment.minute}`;
  if (moment.date === partsOf(now, timeZone).date) return clock;
  return Math.abs(at - now) < 6 * day ? `${moment.weekday} ${clock}` : `${moment.date} ${clock}`;
}

function partsOf(at: number, timeZone: string | undefined) {
  const format = new Intl.DateTimeFormat('en-GB', {
    weekday: 'short',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    ...(timeZone === undefined ? {} : { timeZone }),
  });
  const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, value]));
  const read = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? '';
  return {
    date: `${read('year')}-${read('month')}-${read('day')}`,
    weekday: read('weekday'),
    hour: read('hour'),
    minute: read('minute'),
  };
}
