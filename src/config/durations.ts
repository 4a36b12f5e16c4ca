const UNITS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

type Unit = keyof typeof UNITS;

/** As it may stand in the config file; the JSON Schema shows the same pattern. */
export const DURATION_PATTERN = /^(?:0|\d+(?:\.\d+)?(?:ms|s|m|h|d))$/;

/**
 * The longest duration: 24 days. A timer of Node holds 2^31 - 1 ms (24.8 days) and fires at once beyond that, so a longer
 * duration is refused where it is read; every duration in `Settings` can be handed to `setTimeout` as it is.
 */
export const MAX_DURATION_MS = 24 * UNITS.d;

export type DurationReading = { ok: true; ms: number } | { ok: false; problem: string };

/**
 * Reads `90s`, `15m`, `8h`, `500ms`, `1.5h`, `2d`, or a plain `0` (also as a number). Returns milliseconds, or what is wrong
 * as the end of a sentence (`must be …`).
 *
 * @param zero - whether a duration of zero means something here
 */
export function readDuration(value: unknown, { zero }: { zero: boolean }): DurationReading {
  const text = typeof value === 'number' ? String(value) : value;
  const [, digits, unit] = typeof text === 'string' ? (/^(\d+(?:\.\d+)?)(ms|s|m|h|d)?$/.exec(text) ?? []) : [];
  if (digits === undefined) return wrong(`must be a duration like 90s, 15m or 8h, not ${JSON.stringify(value)}`);
  const amount = Number(digits);
  if (!isUnit(unit)) {
    if (amount === 0) return checkRange(0, zero);
    return wrong(`has no unit: ${digits}s for seconds, ${digits}m for minutes, ${digits}h for hours`);
  }
  // What is written as more than nothing must not become nothing: zero often means "off".
  return checkRange(amount > 0 ? Math.max(1, Math.round(amount * UNITS[unit])) : 0, zero);
}

function checkRange(ms: number, zero: boolean): DurationReading {
  if (ms === 0 && !zero) return wrong('must be longer than 0');
  if (ms > MAX_DURATION_MS) return wrong('must be at most 24d');
  return { ok: true, ms };
}

function wrong(problem: string): DurationReading {
  return { ok: false, problem };
}

function isUnit(text: string | undefined): text is Unit {
  return text !== undefined && text in UNITS;
}
