import { defineConfig } from 'vitest/config';

// Apart from the other tests: it installs two releases of a real agent from the npm registry.
export default defineConfig({
  test: { name: 'real', include: ['test/real/**/*.test.ts'], testTimeout: 120_000, hookTimeout: 300_000 },
});
