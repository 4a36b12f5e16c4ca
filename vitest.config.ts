import { defineConfig } from 'vitest/config';
import { BaseSequencer } from 'vitest/node';
import type { TestSpecification } from 'vitest/node';
import { quickFolder, takeCertificates } from './test/quick-env.ts';

const certificates = takeCertificates(process.env);
const folder = quickFolder();

interface Project {
  readonly name: string;
  readonly include: string;
  readonly exclude?: readonly string[];
  readonly isolate?: boolean;
  readonly testTimeout?: number;
  readonly env?: Record<string, string>;
}

const projects: readonly Project[] = [
  { name: 'unit', include: 'test/unit/**/*.test.ts', testTimeout: 30_000 },
  // These start git from the process of the test: the more it has loaded, the longer each start takes.
  { name: 'git', include: 'test/integration/{git,run}/**/*.test.ts', isolate: true },
  {
    name: 'integration',
    include: 'test/integration/**/*.test.ts',
    exclude: ['test/integration/git/**', 'test/integration/run/**'],
  },
  { name: 'e2e', include: 'test/e2e/**/*.test.ts' },
  { name: 'pack', include: 'test/pack/**/*.test.ts', env: certificates },
];

/** What runs long on one worker and waits for others goes first: at the end the other workers would have nothing to do. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification): boolean => /\/(?:pack|random-history)\.test\.ts$/.test(moduleId);
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    // More than there are cores: the tests of processes and of the program wait for others most of the time.
    maxWorkers: 3,
    projects: projects.map(({ name, include, exclude = [], isolate = false, testTimeout = 120_000, env = folder }) => ({
      test: {
        name,
        include: [include],
        exclude: [...exclude],
        isolate,
        testTimeout,
        hookTimeout: 120_000,
        env,
        // In one file each: a process that is isolated loads them anew.
        deps: { optimizer: { ssr: { enabled: true, include: ['execa', 'simple-git', 'zod'] } } },
      },
    })),
  },
});
