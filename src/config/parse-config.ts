import type { z } from 'zod';
import { UsageError } from '../errors.ts';
import { JsonSyntaxError, positionOf } from '../json/json-syntax-error.ts';
import { memberOf, nodeAt, valueOf } from '../json/json-tree.ts';
import type { JsonDocument, JsonPath } from '../json/json-tree.ts';
import { parseJson } from '../json/parse-json.ts';
import { describeProblem, listProblems } from './problems.ts';
import type { Problem } from './problems.ts';
import { configSchema } from './schema.ts';
import type { Values } from './schema.ts';

/** Name of the config file, at the root of the working tree. Nothing else is ever read: a config is data, never a program. */
export const CONFIG_FILE = 'ralph.config.json';

/** Reads the text of a config file. Throws UsageError with every problem and its line and column. */
export function parseConfig(text: string): Values {
  const document = parseText(text);
  const value: unknown = valueOf(document.root);
  const problems: Problem[] = document.duplicates.map(({ path }) => ({
    path,
    about: 'key',
    text: 'stands there twice',
  }));
  const { error } = configSchema.safeParse(value);
  if (error !== undefined) problems.push(...listProblems(error.issues, value));
  if (problems.length > 0 || !isConfig(value)) throw invalid(document, problems);
  const { $schema: _, ...values } = value;
  return values;
}

function isConfig(value: unknown): value is z.input<typeof configSchema> {
  return configSchema.safeParse(value).success;
}

function invalid(document: JsonDocument, problems: readonly Problem[]): UsageError {
  const placed = problems.map((problem) => ({ problem, offset: offsetOf(document, problem) }));
  placed.sort((a, b) => a.offset - b.offset);
  return new UsageError(`${CONFIG_FILE} is not valid`, {
    problems: placed.map(({ problem, offset }) => `${placeOf(document.text, offset)}: ${describeProblem(problem)}`),
    cures: ['ralph run --help lists every setting; its key in the file is its name in camelCase'],
  });
}

function parseText(text: string): JsonDocument {
  if (text.replace(/^\uFEFF/, '').trim() === '') {
    throw new UsageError(`${CONFIG_FILE} is empty`, {
      cures: [`write {} into it: echo '{}' > ${CONFIG_FILE}`, `or remove it: rm ${CONFIG_FILE}`],
    });
  }
  try {
    return parseJson(text);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    throw new UsageError(`${CONFIG_FILE} is not valid JSON`, {
      problems: [`${CONFIG_FILE}:${error.line}:${error.column}: ${error.message}`],
      cause: error,
    });
  }
}

function placeOf(text: string, offset: number): string {
  const { line, column } = positionOf(text, offset);
  return `${CONFIG_FILE}:${line}:${column}`;
}

/** Where a problem is to be looked at: a wrong key, a wrong value, or the object in which something is missing. */
function offsetOf({ root }: JsonDocument, { path, about }: Problem): number {
  for (let length = path.length; length > 0; length -= 1) {
    const part: JsonPath = path.slice(0, length);
    const owner = nodeAt(root, part.slice(0, -1));
    const key = part.at(-1);
    const member = owner?.kind === 'object' && typeof key === 'string' ? memberOf(owner, key) : undefined;
    if (about === 'key' && member !== undefined) return member.start;
    const node = nodeAt(root, part);
    if (node !== undefined) return node.start;
  }
  return root.start;
}
