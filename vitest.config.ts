import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // More than there are cores: the tests of processes and of the program wait for others most of the time.
    maxWorkers: 3,
    projects: ['unit', 'integration', 'e2e', 'pack'].map((name) => ({
      test: {
        name,
        include: [`test/${name}/**/*.test.ts`],
        // These start git from the process of the test: the more it has loaded, the longer each start takes.
        isolate: name === 'integration',
        testTimeout: name === 'unit' ? 30_000 : 120_000,
        hookTimeout: 120_000,
      },
    })),
  },
});
