import { z } from 'zod';
import { UsageError } from '../errors.ts';
import { settingRows } from './option-rows.ts';
import type { SettingRow } from './row-types.ts';
import { variableOf } from './options.ts';
import type { FileKey, OptionKey } from './options.ts';
import { CONFIG_FILE } from './parse-config.ts';
import { describeProblem, listProblems } from './problems.ts';
import { defaults, isValues, settingsSchema, valuesSchema } from './schema.ts';
import type { Values } from './schema.ts';
import type { Resolved, Settings, SettingWarning, Source } from './settings.ts';

/** What the command line says about a setting, as it was typed, and the name it was given by (`--agent`). */
export interface GivenValue {
  readonly value: string | boolean | readonly string[];
  readonly source: Source;
}

/** Options by key. An option that was not given is absent or undefined. */
export type Given = { readonly [Key in OptionKey]?: GivenValue | undefined };

export interface Layers {
  readonly given: Given;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly file: Values | undefined;
}

/** What one source says: written values by key, and how the source of each is called. */
interface Layer {
  readonly values: Values;
  readonly sources: Sources;
}

type Sources = { [Key in FileKey]?: Source };

const settingKeys = settingsSchema.keyof();
const sourcesSchema = z.record(settingKeys, z.string());
const shortIdleMs = 600_000;

// What has no default is undefined in a run's settings, and not absent.
const unset = {
  maxIterations: undefined,
  tool: undefined,
  model: undefined,
  prd: undefined,
  prompt: undefined,
  gates: undefined,
  maxDuration: undefined,
  maxCost: undefined,
  iterationTimeout: undefined,
  baseBranch: undefined,
};

/**
 * Merges option > environment > file > default, and remembers where each value came from. Pure.
 * Throws UsageError that lists every bad option and variable by its name.
 */
export function resolveSettings({ given, env, file = {} }: Layers): Resolved {
  const problems: string[] = [];
  const options = readGiven(given, problems);
  const variables = readVariables(env, problems);
  if (problems.length > 0) {
    const headline =
      problems.length === 1 ? 'a setting has a bad value' : `${problems.length} settings have bad values`;
    throw new UsageError(headline, { problems, cures: ['ralph run --help'] });
  }
  return merge([options, variables, nameLayer(file, CONFIG_FILE), nameLayer(defaults, 'default')]);
}

/** Nearest layer first. */
function merge(layers: readonly Layer[]): Resolved {
  const values: Record<string, unknown> = {};
  const named: Record<string, Source> = {};
  for (const key of settingKeys.options) {
    const { value, source } = key === 'maxIterations' ? nearestLimit(layers) : nearest(key, layers);
    if (value !== undefined) values[key] = value;
    named[key] = source;
  }
  const settings: Settings = { ...unset, ...settingsSchema.parse(values) };
  const sources = sourcesSchema.parse(named);
  return { settings, sources, warnings: listWarnings(settings, sources) };
}

function readGiven(given: Given, problems: string[]): Layer {
  const values: Record<string, unknown> = {};
  const sources: Sources = {};
  for (const row of settingRows) {
    const entry = given[row.key];
    if (entry === undefined) continue;
    values[row.key] = typeof entry.value === 'string' ? fromText(row, entry.value) : entry.value;
    sources[row.key] = entry.source;
  }
  return checkLayer(values, sources, problems);
}

function readVariables(env: Layers['env'], problems: string[]): Layer {
  const values: Record<string, unknown> = {};
  const sources: Sources = {};
  for (const row of settingRows) {
    const source = variableOf(row.key);
    const text = env[source];
    if (text === undefined || text === '') continue;
    values[row.key] = fromText(row, text);
    sources[row.key] = source;
  }
  return checkLayer(values, sources, problems);
}

/** A layer of what is right in these values; what is wrong is added to the problems, by the name of its source. */
function checkLayer(values: Record<string, unknown>, sources: Sources, problems: string[]): Layer {
  if (isValues(values)) return { values, sources };
  for (const problem of listProblems(valuesSchema.safeParse(values).error?.issues ?? [], values)) {
    const [key, ...path] = problem.path;
    // The list that several --gate make is ours; a place in it says nothing to who typed them.
    const rest = sources.gates === '--gate' && key === 'gates' ? [] : path;
    const source = Object.entries(sources).find(([name]) => name === key)?.[1] ?? String(key);
    problems.push(`${source}: ${describeProblem({ ...problem, path: rest })}`);
  }
  return { values: {}, sources: {} };
}

/** The value that a text stands for; what makes no sense stays a text, and the schema says what is wrong with it. */
function fromText({ kind }: SettingRow, text: string): unknown {
  if (kind === 'number') return /^(?:\d+(?:\.\d*)?|\.\d+)$/.test(text) ? Number(text) : text;
  if (kind === 'flag') return flags.get(text.toLowerCase()) ?? text;
  return kind === 'list' ? parseList(text) : text;
}

const flags = new Map([
  ...['1', 'true', 'yes', 'on'].map((word) => [word, true] as const),
  ...['0', 'false', 'no', 'off'].map((word) => [word, false] as const),
]);

function parseList(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Then it is no list, and the schema says so.
    return text;
  }
}

function nameLayer(values: Values, source: Source): Layer {
  return { values, sources: Object.fromEntries(Object.keys(values).map((key) => [key, source])) };
}

interface Found {
  readonly value: unknown;
  readonly source: Source;
}

function nearest(key: FileKey, layers: readonly Layer[]): Found {
  const layer = layers.find(({ values }) => values[key] !== undefined);
  return { value: layer?.values[key], source: layer?.sources[key] ?? 'default' };
}

/**
 * `maxIterations` and `unlimited` are one setting: the nearest source that has one of them wins, within one source the
 * lifted limit. `unlimited: false` takes the lifting of farther sources back, not their numbers.
 */
function nearestLimit(layers: readonly Layer[]): Found {
  let mayLift = true;
  for (const { values, sources } of layers) {
    if (values.unlimited === false) mayLift = false;
    if (values.unlimited === true && mayLift) return { value: undefined, source: sources.unlimited ?? 'default' };
    if (values.maxIterations !== undefined) {
      return { value: values.maxIterations, source: sources.maxIterations ?? 'default' };
    }
  }
  return { value: undefined, source: 'default' };
}

function listWarnings({ idleTimeout }: Settings, sources: Resolved['sources']): SettingWarning[] {
  if (idleTimeout === 0 || idleTimeout >= shortIdleMs) return [];
  const text =
    'is under 10m: a tool of the agent (a build, a test) may be silent that long, and would be stopped with it';
  return [{ text, place: sources.idleTimeout === CONFIG_FILE ? `${CONFIG_FILE}: idleTimeout` : sources.idleTimeout }];
}
