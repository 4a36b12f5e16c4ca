import type { DetectedGate, ProjectFiles } from './project-files.ts';

const managers = ['npm', 'pnpm', 'yarn', 'bun'] as const;

type Manager = (typeof managers)[number];

const lockFiles: readonly (readonly [string, Manager])[] = [
  ['pnpm-lock.yaml', 'pnpm'],
  ['yarn.lock', 'yarn'],
  ['bun.lock', 'bun'],
  ['bun.lockb', 'bun'],
  ['package-lock.json', 'npm'],
  ['npm-shrinkwrap.json', 'npm'],
];

export const nodeFiles: readonly string[] = ['package.json', ...lockFiles.map(([name]) => name)];

/** Script names that serve as a gate, the usual one first; the first that ends by itself is taken. */
const gateScripts = {
  typecheck: ['typecheck', 'type-check', 'check-types', 'check:types', 'types', 'tsc'],
  lint: ['lint', 'lint:check'],
  test: ['test', 'test:run', 'test:ci', 'test:once', 'test:unit'],
} as const;

/**
 * Gates from the scripts of package.json, called through the package manager that the project uses: by its
 * `packageManager` field or its lock file, in a package of a monorepo by those of the root.
 */
export function detectNodeGates(files: ProjectFiles, root: ProjectFiles): DetectedGate[] {
  const scripts = readScripts(files);
  const manager = managerOf(files) ?? managerOf(root) ?? 'npm';
  return Object.entries(gateScripts).flatMap(([name, candidates]) => {
    const script = candidates.find((candidate) => isGate(scripts.get(candidate)));
    return script === undefined ? [] : [{ name, run: commandOf(manager, script) }];
  });
}

function commandOf(manager: Manager, script: string): string {
  // `bun test` is bun's own test runner and not the script.
  return script === 'test' && manager !== 'bun' ? `${manager} test` : `${manager} run ${script}`;
}

function readScripts(files: ProjectFiles): ReadonlyMap<string, string> {
  const { scripts } = readManifest(files);
  if (!isRecord(scripts)) return new Map();
  return new Map(Object.entries(scripts).filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}

function managerOf(files: ProjectFiles): Manager | undefined {
  const { packageManager } = readManifest(files);
  const named = managers.find((name) => typeof packageManager === 'string' && packageManager.startsWith(`${name}@`));
  return named ?? lockFiles.find(([name]) => files.has(name))?.[1];
}

function readManifest(files: ProjectFiles): Record<string, unknown> {
  try {
    const manifest: unknown = JSON.parse(files.get('package.json') ?? '{}');
    return isRecord(manifest) ? manifest : {};
  } catch {
    // A broken package.json is for npm to complain about; it names no gates.
    return {};
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A script that is more than npm's placeholder and ends by itself: a watcher would only ever run into its time limit. */
function isGate(script: string | undefined): boolean {
  if (script === undefined || script.trim() === '' || /no test specified/.test(script)) return false;
  return !watchers.some((watcher) => watcher.test(script));
}

const watchers = [
  /(?:^|\s)--watch(?:-all|All)?(?![\w-]|=false)/,
  /\b(?:tsc|vue-tsc|mocha|ava)\b[^&|;]*\s-w\b/,
  /\bvitest\s+(?:watch|dev)\b/,
  /\bnodemon\b/,
  // These two watch unless they are told not to.
  /\breact-scripts\s+test\b(?![^&|;]*--watchAll=false)/,
  /\bng\s+test\b(?![^&|;]*(?:--no-watch|--watch[= ]false))/,
];
