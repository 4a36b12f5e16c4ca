import { defineConfig } from 'vitest/config';

// Apart from the other tests: it takes a minute or more, and looks into the process table.
export default defineConfig({
  test: {
    name: 'chaos',
    include: ['test/chaos/**/*.test.ts'],
    testTimeout: 600_000,
    hookTimeout: 60_000,
    fileParallelism: false,
  },
});
