/** The JSON Schemas that are shipped in `schema/`: of what ralph writes, and of prd.json for editors. Made from the zod schemas. */
import { z } from 'zod';
import { prdSchema } from '../prd/schema.ts';
import { commonFields, eventFields } from './events.ts';
import { checkSchema, runSchema, statusSchema } from './outputs.ts';

export interface SchemaFile {
  /** File name in `schema/`. */
  readonly name: string;
  /** The text of the file. */
  readonly json: string;
}

/** Text and name of each shipped file. */
export function makeSchemaFiles(): SchemaFile[] {
  const events = Object.entries(eventFields).map(([type, fields]) =>
    z.object({ ...commonFields, type: z.literal(type), ...fields }).meta({ title: type }),
  );
  return [
    makeFile('events.schema.json', 'One line of events.jsonl or of ralph run --json', z.union(events)),
    makeFile('run.schema.json', 'run.json in the folder of a run', runSchema),
    makeFile('status.schema.json', 'What ralph status --json prints', statusSchema),
    makeFile('check.schema.json', 'What ralph check --json prints', checkSchema),
    makeFile('prd.schema.json', 'prd.json, the list of user stories', prdSchema),
  ];
}

/** `io: input` leaves further keys allowed: within a version keys may be added, and readers must not stumble over them. */
function makeFile(name: string, title: string, schema: z.ZodType): SchemaFile {
  const { $schema, ...body } = z.toJSONSchema(schema, { io: 'input', override: simplify });
  return { name, json: `${JSON.stringify({ $schema, title, ...body }, undefined, 2)}\n` };
}

/** What `format: date-time` and `type: integer` say already. */
function simplify({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (jsonSchema.format === 'date-time') delete jsonSchema.pattern;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
}
