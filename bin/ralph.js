#!/usr/bin/env node
// The compile cache exists since Node 22.1 and halves start-up; on Node 20 the call is absent.
import module from 'node:module';

module.enableCompileCache?.();
await import('../dist/main.js');
