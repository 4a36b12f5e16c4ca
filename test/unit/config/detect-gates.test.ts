import { describe, expect, it } from 'vitest';
import { detectGates, projectFileNames } from '../../../src/config/detect-gates.ts';

type Files = Record<string, string>;

const pack = (scripts: unknown, more: object = {}): string => JSON.stringify({ name: 'x', scripts, ...more });

/** Names and commands of the gates of a project; every file that is used must be one that is asked for. */
function detect(start: Files, root: Files = start): string[] {
  for (const name of Object.keys({ ...start, ...root })) expect(projectFileNames).toContain(name);
  const rootFiles = new Map(Object.entries(root));
  const startFiles = start === root ? rootFiles : new Map(Object.entries(start));
  return detectGates(startFiles, rootFiles).map(({ name, run }) => `${name}: ${run}`);
}

describe('detectGates in a Node project', () => {
  const scripts = { dev: 'vite', build: 'vite build', typecheck: 'tsc --noEmit', lint: 'eslint .', test: 'vitest run' };

  it('takes typecheck, lint and test, in this order, and no other script', () => {
    expect(detect({ 'package.json': pack(scripts) })).toEqual([
      'typecheck: npm run typecheck',
      'lint: npm run lint',
      'test: npm test',
    ]);
  });

  it.each([
    ['package-lock.json', 'npm test'],
    ['pnpm-lock.yaml', 'pnpm test'],
    ['yarn.lock', 'yarn test'],
    ['bun.lockb', 'bun run test'],
    ['bun.lock', 'bun run test'],
  ])('%s: %s', (lock, run) => {
    expect(detect({ 'package.json': pack({ test: 'x' }), [lock]: '' })).toEqual([`test: ${run}`]);
  });

  it('believes the packageManager field more than a lock file', () => {
    const files = { 'package.json': pack({ lint: 'x' }, { packageManager: 'pnpm@9.1.0+sha512.abc' }), 'yarn.lock': '' };
    expect(detect(files)).toEqual(['lint: pnpm run lint']);
  });

  it("in a package of a monorepo the root's package manager is used", () => {
    expect(detect({ 'package.json': pack({ lint: 'x' }) }, { 'yarn.lock': '', Makefile: 'test:\n' })).toEqual([
      'lint: yarn run lint',
    ]);
  });

  it.each(['type-check', 'check-types', 'tsc'])('knows %s as a type check', (name) => {
    expect(detect({ 'package.json': pack({ [name]: 'tsc' }) })).toEqual([`typecheck: npm run ${name}`]);
  });

  it.each([
    'echo "Error: no test specified" && exit 1',
    '',
    'jest --watch',
    'jest --watchAll',
    'vitest watch',
    'node --test --watch',
    'nodemon test.js',
    'react-scripts test',
    'ng test',
    'mocha -w',
  ])('%j is no gate', (test) => expect(detect({ 'package.json': pack({ test }) })).toEqual([]));

  it.each([
    'vitest',
    'vitest run',
    'jest --watch=false',
    'react-scripts test --watchAll=false',
    'ng test --no-watch',
    'npm test -w packages/a',
    'node --test --watch-path-ignored',
  ])('%j is one', (test) => expect(detect({ 'package.json': pack({ test }) })).toEqual(['test: npm test']));

  it('takes another test script where the usual one watches', () => {
    expect(detect({ 'package.json': pack({ test: 'vitest watch', 'test:run': 'vitest run' }) })).toEqual([
      'test: npm run test:run',
    ]);
  });

  it.each(['{ broken', '[]', '"x"', 'null', pack('no object'), pack({ test: 3 }), pack(null)])(
    'survives %s',
    (text) => {
      expect(detect({ 'package.json': text })).toEqual([]);
    },
  );
});

describe('detectGates elsewhere', () => {
  it('Rust, with clippy where it is configured', () => {
    expect(detect({ 'Cargo.toml': '[package]\n' })).toEqual(['cargo-check: cargo check', 'cargo-test: cargo test']);
    const withClippy = ['cargo-check: cargo check', 'cargo-clippy: cargo clippy', 'cargo-test: cargo test'];
    expect(detect({ 'Cargo.toml': '[package]\n\n[lints.clippy]\npedantic = "warn"\n' })).toEqual(withClippy);
    expect(detect({ 'Cargo.toml': '', 'clippy.toml': '' })).toEqual(withClippy);
  });

  it('Go', () => expect(detect({ 'go.mod': 'module x' })).toEqual(['go-vet: go vet ./...', 'go-test: go test ./...']));

  it('Python: only tools that are configured', () => {
    expect(detect({ 'pyproject.toml': '[project]\nname = "x"\n' })).toEqual([]);
    expect(
      detect({ 'pyproject.toml': '[tool.ruff.lint]\n[tool.mypy]\nfiles = ["src"]\n[tool.pytest.ini_options]\n' }),
    ).toEqual(['ruff: ruff check', 'mypy: mypy', 'pytest: pytest']);
    expect(detect({ 'ruff.toml': '', 'setup.cfg': '[mypy]\nstrict = true\n', 'tox.ini': '[pytest]\n' })).toEqual([
      'ruff: ruff check',
      'mypy: mypy .',
      'pytest: pytest',
    ]);
  });

  it.each([
    ['uv.lock', 'uv run pytest'],
    ['poetry.lock', 'poetry run pytest'],
  ])("Python: in the project's environment (%s)", (lock, run) => {
    expect(detect({ 'pytest.ini': '', [lock]: '' })).toEqual([`pytest: ${run}`]);
  });

  it('make: the targets check, lint and test, where nothing else was found', () => {
    const Makefile = 'check = no\nlint := no\nCC ?= cc\n\nall: build\ntest check: all\n\tlint:\n';
    expect(detect({ Makefile })).toEqual(['check: make check', 'test: make test']);
    expect(detect({ Makefile, 'go.mod': '' })).toEqual(['go-vet: go vet ./...', 'go-test: go test ./...']);
    expect(detect({ Makefile: 'lint::\n\techo\n' })).toEqual(['lint: make lint']);
  });

  it('looks at the root where the start folder has nothing, with commands that work from below', () => {
    expect(detect({}, { 'package.json': pack({ test: 'x' }) })).toEqual(['test: npm test']);
    expect(detect({}, { Makefile: 'test:\n' })).toEqual(['test: make -C "$(git rev-parse --show-toplevel)" test']);
  });

  it('adds up several languages', () => {
    expect(detect({ 'package.json': pack({ test: 'x' }), 'go.mod': '' })).toEqual([
      'test: npm test',
      'go-vet: go vet ./...',
      'go-test: go test ./...',
    ]);
  });

  it('finds nothing in an empty folder', () => expect(detect({})).toEqual([]));
});
