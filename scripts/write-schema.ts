// Writes schema/ralph.config.schema.json from the config's own schema: npm run schema
import { writeFileSync } from 'node:fs';
import { renderConfigSchema } from '../src/config/json-schema.ts';

writeFileSync('schema/ralph.config.schema.json', renderConfigSchema());
