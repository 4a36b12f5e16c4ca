import { fileRows, settingRows } from '../config/option-rows.ts';
import type { GateSetting, Resolved, Settings } from '../config/settings.ts';

/** One setting as it is in force. */
export interface SettingFact {
  readonly name: string;
  readonly value: string;
  readonly source: string;
}

/** What a value is where nothing sets it, as far as that was found out. */
export interface Found {
  readonly tool: string | undefined;
  readonly prd: string | undefined;
  readonly gates: readonly GateSetting[];
}

/** Every effective value and its source, in the order of the table of options. */
export function listSettings({ settings, sources }: Resolved, found: Found): SettingFact[] {
  return [...settingRows, ...fileRows].flatMap((row) => {
    // One setting with two keys: the lifted limit is shown as the limit.
    if (row.key === 'unlimited') return [];
    const fallback = 'otherwise' in row ? row.otherwise : row.key === 'maxIterations' ? 'unlimited' : 'none';
    return [{ name: row.key, value: valueOf(row.key, settings, found) ?? fallback, source: sources[row.key] }];
  });
}

/** Undefined: nothing is set and nothing was found. */
function valueOf(key: keyof Settings, settings: Settings, found: Found): string | undefined {
  const text = writeSpecial(settings, found).get(key);
  if (text !== undefined) return text;
  const value = settings[key];
  if (value === undefined) return undefined;
  if (typeof value !== 'object') return String(value);
  const written = JSON.stringify(value);
  return written === '{}' ? undefined : written;
}

/** What is not written as it is held. */
function writeSpecial(settings: Settings, found: Found): ReadonlyMap<keyof Settings, string | undefined> {
  const { gates, agents, verify, check, maxDuration, iterationTimeout } = settings;
  const durations = (['idleTimeout', 'gateTimeout', 'delay', 'retryDelay'] as const).map(
    (key) => [key, writeDuration(settings[key])] as const,
  );
  return new Map<keyof Settings, string | undefined>([
    ...durations,
    ['maxDuration', maxDuration === undefined ? undefined : writeDuration(maxDuration)],
    ['iterationTimeout', iterationTimeout === undefined ? undefined : writeDuration(iterationTimeout)],
    ['tool', settings.tool ?? found.tool],
    ['prd', settings.prd ?? found.prd],
    ['gates', gates === undefined ? `detected: ${nameGates(found.gates)}` : nameGates(gates)],
    ['agents', Object.keys(agents).join(', ') || 'none'],
    ['check', check.off.length === 0 ? 'every rule' : `without ${check.off.join(', ')}`],
    ['verify', verify.setup === undefined ? 'no setup' : `setup: ${verify.setup}`],
  ]);
}

function nameGates(gates: readonly GateSetting[]): string {
  return gates.map(({ name }) => name).join(', ') || 'none';
}

/** As it would be written: the largest unit that makes a whole number of it. */
export function writeDuration(ms: number): string {
  if (ms === 0) return '0';
  const units = [
    [3_600_000, 'h'],
    [60_000, 'm'],
    [1_000, 's'],
  ] as const;
  const unit = units.find(([size]) => ms % size === 0);
  return unit === undefined ? `${ms}ms` : `${ms / unit[0]}${unit[1]}`;
}
