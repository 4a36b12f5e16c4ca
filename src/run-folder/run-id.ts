import { randomInt } from 'node:crypto';

const ALPHABET = '0123456789abcdefghijklmnopqrstuvwxyz';
const SHAPE = /^\d{8}-\d{6}-\d{3}-[0-9a-z]{4}$/;

/** `20261130-132643-123-ab3f`: UTC to the millisecond and four random characters. Sorts by time; fit for files and refs. */
export function createRunId(now: number, random: () => string = fourCharacters): string {
  const [date = '', time = ''] = new Date(now).toISOString().split('T');
  return `${date.replaceAll('-', '')}-${time.slice(0, 8).replaceAll(':', '')}-${time.slice(9, 12)}-${random()}`;
}

/** Is this the name of a run folder of ralph's, and not something that lies beside them? */
export function isRunId(name: string): boolean {
  return SHAPE.test(name);
}

/** When the run began, in milliseconds since the epoch; undefined: this is no id of a run. */
export function startOf(id: string): number | undefined {
  if (!isRunId(id)) return undefined;
  const iso = id.replace(/^(....)(..)(..)-(..)(..)(..)-(...)-....$/, '$1-$2-$3T$4:$5:$6.$7Z');
  const start = Date.parse(iso);
  return Number.isNaN(start) ? undefined : start;
}

function fourCharacters(): string {
  return Array.from({ length: 4 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}
