#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import module from 'node:module';

// Asked by scripts and by other tools again and again: loading the program would take longer than the answer.
if (process.argv.length === 3 && ['--version', '-V'].includes(process.argv[2])) {
  process.stdout.on('error', () => {});
  process.stdout.write(`${JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version}\n`);
} else {
  // The compile cache exists since Node 22.1 and halves start-up; on Node 20 the call is absent.
  module.enableCompileCache?.();
  await import('../dist/main.js');
}
