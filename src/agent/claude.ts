import type { AgentSpec, ArgsOptions } from './types.ts';

/** Claude Code. Its event stream needs `--verbose`; its own cost cap is checked after spending. */
export const claude: AgentSpec = {
  name: 'claude',
  origin: 'built-in',
  command: 'claude',
  promptBy: 'stdin',
  output: 'claude-stream-json',
  memoryFile: 'CLAUDE.md',
  // An update in the middle of a run would change the agent under it.
  env: { DISABLE_AUTOUPDATER: '1' },
  fatalLines: [],
  exitClasses: {},
  slashIsCommand: true,
  takesModel: true,
  preflight: {
    versionArgs: ['--version'],
    loginArgs: ['auth', 'status'],
    loginCures: ['log in: claude auth login', 'or set ANTHROPIC_API_KEY'],
    refusesRootUnless: ['IS_SANDBOX', 'CLAUDE_CODE_BUBBLEWRAP'],
  },
  args: ({ model, maxCostUsd, extraArgs }: ArgsOptions) => [
    '-p',
    '--dangerously-skip-permissions',
    '--output-format',
    'stream-json',
    '--verbose',
    ...(model === undefined ? [] : ['--model', model]),
    ...(maxCostUsd === undefined ? [] : ['--max-budget-usd', usd(maxCostUsd)]),
    ...extraArgs,
  ],
  conversation: {
    kind: 'started',
    // The message comes first: some options take any number of words behind them.
    args: ({ model, extraArgs, prompt = '' }: ArgsOptions) => [
      prompt,
      ...(model === undefined ? [] : ['--model', model]),
      ...extraArgs,
    ],
  },
};

/** A hundredth of a cent is the least; sums of floating point leave long tails. */
function usd(amount: number): string {
  return String(Number(Math.max(amount, 0.0001).toFixed(4)));
}
