import { z } from 'zod';
import type { ValueRow } from './row-types.ts';
import { valueRows } from './options.ts';
import { configSchema } from './schema.ts';

type Json = Record<string, unknown>;

/** The JSON Schema of `ralph.config.json` for editors, with descriptions and defaults. The shipped file is its text. */
export function buildConfigSchema(): Json {
  const {
    $schema,
    properties = {},
    ...rest
  } = z.toJSONSchema(configSchema, {
    io: 'input',
    target: 'draft-07',
    override: ({ jsonSchema }) => {
      // Not a rule of ours, only the largest integer that JavaScript counts exactly.
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  });
  const described = valueRows.map((row) => [row.key, { ...describe(row), ...withoutMeta(properties[row.key]) }]);
  return {
    $schema,
    title: 'ralph.config.json',
    description: 'Settings of ralph, at the root of the working tree. An option or a RALPH_* variable beats the file.',
    ...rest,
    properties: {
      $schema: { type: 'string', description: 'This schema, for editors.' },
      ...Object.fromEntries(described),
    },
  };
}

function describe({ help, default: fallback, otherwise }: ValueRow): Json {
  return {
    description: otherwise === undefined ? help : `${help} (default: ${otherwise})`,
    ...(fallback === undefined ? {} : { default: fallback }),
  };
}

function withoutMeta(property: unknown): Json {
  return typeof property === 'object' && property !== null ? { ...property } : {};
}

/** Its text as it is shipped. */
export function renderConfigSchema(): string {
  return `${JSON.stringify(buildConfigSchema(), null, 2)}\n`;
}
