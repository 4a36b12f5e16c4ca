/** Careful reading of JSON that somebody else wrote: every field may be missing, or of another type. */
export type Fields = Readonly<Record<string, unknown>>;

const none: Fields = {};

/** An object's fields; of anything else there are none. */
export function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : none;
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

export function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** The object on a line of JSON, or undefined where the line is anything else. */
export function parseEvent(line: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isFields(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
