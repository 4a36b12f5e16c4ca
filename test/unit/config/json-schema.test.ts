import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { buildConfigSchema, renderConfigSchema } from '../../../src/config/json-schema.ts';
import { valueRows } from '../../../src/config/options.ts';

const shipped = new URL('../../../schema/ralph.config.schema.json', import.meta.url);

describe('the JSON Schema of the config', () => {
  it('is shipped as it is made: else npm run build && node scripts/write-schema.mjs', () => {
    expect(readFileSync(shipped, 'utf8')).toBe(renderConfigSchema());
  });

  it('describes every key, with its default, and allows no other', () => {
    const { properties, additionalProperties } = buildConfigSchema();
    expect(additionalProperties).toBe(false);
    expect(Object.keys(Object(properties))).toEqual(['$schema', ...valueRows.map((row) => row.key)]);
    expect(properties).toMatchObject(
      Object.fromEntries(
        valueRows.map((row) => [
          row.key,
          {
            description: expect.stringContaining(row.help),
            ...(row.default === undefined ? {} : { default: row.default }),
          },
        ]),
      ),
    );
    expect(properties).toMatchObject({
      idleTimeout: { default: '15m', anyOf: [{ const: 0 }, { type: 'string' }] },
      maxStalls: { type: 'integer', minimum: 1 },
    });
  });
});
