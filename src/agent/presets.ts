import type { AgentSpec, ArgsOptions } from './types.ts';

/**
 * Presets: agents for which the command line is known, and no more is promised. There is no preflight but for the look at
 * PATH, and a config may describe an agent of the same name instead.
 */
const preset = {
  origin: 'preset',
  promptBy: 'stdin',
  memoryFile: 'AGENTS.md',
  env: {},
  fatalLines: [],
  exitClasses: {},
  slashIsCommand: false,
  takesModel: true,
  preflight: undefined,
} as const satisfies Partial<AgentSpec>;

const modelArgs = ({ model }: ArgsOptions): string[] => (model === undefined ? [] : ['-m', model]);

/** OpenAI's Codex CLI; `-` is the prompt on standard input. */
export const codex: AgentSpec = {
  ...preset,
  name: 'codex',
  command: 'codex',
  output: 'codex-json',
  args: (options) => [
    'exec',
    '--json',
    '--dangerously-bypass-approvals-and-sandbox',
    ...modelArgs(options),
    ...options.extraArgs,
    '-',
  ],
  conversation: {
    kind: 'started',
    args: (options) => [options.prompt ?? '', ...modelArgs(options), ...options.extraArgs],
  },
};

/** Google's Gemini CLI. Its exit code for an error of the API is the HTTP status modulo 256: 401 is 145, 403 is 147. */
export const gemini: AgentSpec = {
  ...preset,
  name: 'gemini',
  command: 'gemini',
  output: 'text',
  memoryFile: 'GEMINI.md',
  exitClasses: { 41: 'auth', 42: 'usage', 53: 'budget', 55: 'refused', 145: 'auth', 147: 'auth' },
  slashIsCommand: true,
  args: (options) => ['--yolo', '--skip-trust', ...modelArgs(options), ...options.extraArgs],
  conversation: {
    kind: 'started',
    args: (options) => ['--prompt-interactive', options.prompt ?? '', ...modelArgs(options), ...options.extraArgs],
  },
};

/** OpenCode: its answer is on standard output, its progress on standard error. */
export const opencode: AgentSpec = {
  ...preset,
  name: 'opencode',
  command: 'opencode',
  output: 'text',
  env: { OPENCODE_DISABLE_AUTOUPDATE: '1' },
  args: (options) => ['run', '--auto', ...modelArgs(options), ...options.extraArgs],
  conversation: {
    kind: 'started',
    args: (options) => ['--prompt', options.prompt ?? '', ...modelArgs(options), ...options.extraArgs],
  },
};
