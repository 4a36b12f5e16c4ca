import type { z } from 'zod';
import { formatPlace } from '../json/json-tree.ts';
import { callRows } from './option-rows.ts';
import { fileKeys, longNameOf } from './options.ts';
import { nestedKeys } from './schema.ts';
import { didYouMean } from './suggest.ts';

/** What is wrong with a value; `text` is the end of a sentence that begins with the place. */
export interface Problem {
  readonly path: readonly (string | number)[];
  /** Is it the key that is wrong, or its value? */
  readonly about: 'key' | 'value';
  readonly text: string;
}

type Issue = z.core.$ZodIssue;

/** Names that mean one of ours, and are nearer to another one. */
const aliases: Readonly<Record<string, string>> = { agent: 'tool', gate: 'gates', iterations: 'maxIterations' };

/** Every problem of a value, in the order of the schema, unknown keys by name with a suggestion. */
export function listProblems(issues: readonly Issue[], value: unknown): Problem[] {
  return issues.flatMap((issue) => expandIssue(issue, value, []));
}

function expandIssue(issue: Issue, value: unknown, base: Problem['path']): Problem[] {
  const path = [...base, ...issue.path.map((step) => (typeof step === 'number' ? step : String(step)))];
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ path: [...path, key], about: 'key', text: describeUnknown(key, path) }));
  }
  if (issue.code === 'invalid_key') return [{ path, about: 'key', text: issue.issues[0]?.message ?? issue.message }];
  if (issue.code === 'invalid_union' && path[0] === 'gates' && path.length === 2) {
    const asObject = issue.errors[1];
    if (asObject !== undefined && isObject(valueAt(value, path))) {
      return asObject.flatMap((inner) => expandIssue(inner, value, path));
    }
    return [{ path, about: 'value', text: 'must be a command, or an object of name, run and timeout' }];
  }
  return [{ path, about: 'value', text: issue.message }];
}

function describeUnknown(key: string, path: Problem['path']): string {
  const [parent] = path;
  if (parent === 'gates') return `is unknown${didYouMean(key, nestedKeys.gates)}`;
  if (parent === 'agents') return `is unknown${didYouMean(key, nestedKeys.agents)}`;
  if (parent === 'verify') return `is unknown${didYouMean(key, nestedKeys.verify)}`;
  if (parent === 'check') return `is unknown${didYouMean(key, nestedKeys.check)}`;
  const call = callRows.find((row) => row.key === key);
  if (call !== undefined) return `is unknown: ${longNameOf(call.flags)} belongs to one call, not into the file`;
  const alias = Object.hasOwn(aliases, key) ? aliases[key] : undefined;
  return `is unknown${alias === undefined ? didYouMean(key, fileKeys) : ` (did you mean ${alias}?)`}`;
}

function valueAt(value: unknown, path: Problem['path']): unknown {
  let part = value;
  for (const step of path) part = isObject(part) && Object.hasOwn(part, step) ? part[step] : undefined;
  return part;
}

function isObject(value: unknown): value is Record<string | number, unknown> {
  return typeof value === 'object' && value !== null;
}

/** `gates[0].run must be text`, for a problem without a line to show. */
export function describeProblem({ path, text }: Problem): string {
  const place = formatPlace(path);
  return place === '' ? text : `${place} ${text}`;
}
