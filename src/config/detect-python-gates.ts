import type { DetectedGate, ProjectFiles } from './project-files.ts';

/** Tools that run a command in the project's own environment, by the lock file that tells of them. */
const runners: readonly (readonly [string, string])[] = [
  ['uv.lock', 'uv run '],
  ['poetry.lock', 'poetry run '],
  ['pdm.lock', 'pdm run '],
  ['Pipfile.lock', 'pipenv run '],
];

interface Tool {
  readonly name: string;
  /** Files of its own. */
  readonly files: readonly string[];
  /** Sections of shared files. */
  readonly sections: readonly (readonly [string, RegExp])[];
  readonly commandOf: (config: string) => string;
}

const tools: readonly Tool[] = [
  {
    name: 'ruff',
    files: ['ruff.toml', '.ruff.toml'],
    sections: [['pyproject.toml', /^\s*\[tool\.ruff[.\]]/m]],
    commandOf: () => 'ruff check',
  },
  {
    name: 'mypy',
    files: ['mypy.ini', '.mypy.ini'],
    sections: [
      ['pyproject.toml', /^\s*\[tool\.mypy\]/m],
      ['setup.cfg', /^\s*\[mypy\]/m],
    ],
    // It wants to be told what to look at, unless its configuration says so.
    commandOf: (config) => (/^\s*(?:files|packages|modules)\s*=/m.test(config) ? 'mypy' : 'mypy .'),
  },
  {
    name: 'pytest',
    files: ['pytest.ini', '.pytest.ini', 'pytest.toml'],
    sections: [
      ['pyproject.toml', /^\s*\[tool\.pytest[.\]]/m],
      ['setup.cfg', /^\s*\[tool:pytest\]/m],
      ['tox.ini', /^\s*\[pytest\]/m],
    ],
    commandOf: () => 'pytest',
  },
];

export const pythonFiles: readonly string[] = [
  ...new Set(tools.flatMap(({ files, sections }) => [...files, ...sections.map(([name]) => name)])),
  ...runners.map(([name]) => name),
];

/** ruff, mypy and pytest, each where it is configured, through the project's own environment where a lock file tells of one. */
export function detectPythonGates(files: ProjectFiles): DetectedGate[] {
  const runner = runners.find(([name]) => files.has(name))?.[1] ?? '';
  return tools.flatMap((tool) => {
    const config = configOf(tool, files);
    return config === undefined ? [] : [{ name: tool.name, run: runner + tool.commandOf(config) }];
  });
}

/** The text that configures a tool, from its section on; undefined where it isn't configured. */
function configOf(tool: Tool, files: ProjectFiles): string | undefined {
  const own = tool.files.map((name) => files.get(name)).find((text) => text !== undefined);
  if (own !== undefined) return own;
  const found = tool.sections.map(([name, section]) => {
    const text = files.get(name) ?? '';
    return text.slice(section.exec(text)?.index ?? text.length);
  });
  return found.find((text) => text !== '');
}
