import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: ['unit', 'integration', 'e2e', 'pack'].map((name) => ({
      test: {
        name,
        include: [`test/${name}/**/*.test.ts`],
        testTimeout: name === 'unit' ? 30_000 : 120_000,
        hookTimeout: 120_000,
      },
    })),
  },
});
