/** A day of the calendar somewhere; months count from 0. */
export interface LocalDate {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

export interface LocalTime extends LocalDate {
  readonly hour: number;
  readonly minute: number;
}

/** Now in milliseconds since the epoch, and the zone of clocks that name none. */
export interface Here {
  readonly now: number;
  readonly zone: string;
}

const DAY = 86_400_000;

/** The time and the zone of this machine. The first question for a zone takes 25 ms, so it is asked where one is needed. */
export function here(): Here {
  return {
    now: Date.now(),
    get zone() {
      return Intl.DateTimeFormat().resolvedOptions().timeZone;
    },
  };
}

/** Is this a time zone that the system knows (`UTC`, `Europe/Lisbon`)? */
export function isZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** The day that an instant belongs to in a zone. */
export function localDateOf(instant: number, zone: string): LocalDate {
  const local = new Date(instant + offsetAt(instant, zone));
  return { year: local.getUTCFullYear(), month: local.getUTCMonth(), day: local.getUTCDate() };
}

/**
 * The instants at which clocks in a zone show this time: one, or two when clocks are put back. A time that is skipped when
 * they are put forward is the one that would have been, had they not been.
 */
export function instantsOf(time: LocalTime, zone: string): number[] {
  const asUtc = Date.UTC(time.year, time.month, time.day, time.hour, time.minute);
  const before = offsetAt(asUtc - DAY, zone);
  const after = offsetAt(asUtc + DAY, zone);
  const shown = [...new Set([before, after])]
    .map((offset) => asUtc - offset)
    .filter((instant) => instant + offsetAt(instant, zone) === asUtc);
  return shown.length === 0 ? [asUtc - before] : shown.sort((a, b) => a - b);
}

/** How far clocks in a zone are ahead of UTC at an instant, in milliseconds. */
function offsetAt(instant: number, zone: string): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(instant);
  const of = (type: Intl.DateTimeFormatPartTypes): number => Number(parts.find((part) => part.type === type)?.value);
  const local = Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'));
  return local - Math.floor(instant / 1000) * 1000;
}
