// Writes schema/ralph.config.schema.json from the config's own schema: npm run build && node scripts/write-schema.mjs
import { writeFileSync } from 'node:fs';
import { renderConfigSchema } from '../dist/config/json-schema.js';

writeFileSync(new URL('../schema/ralph.config.schema.json', import.meta.url), renderConfigSchema());
