import type { AgentSpec, ArgsOptions } from './types.ts';

/** Amp. Its stream is that of claude, without a cost. */
export const amp: AgentSpec = {
  name: 'amp',
  origin: 'built-in',
  command: 'amp',
  promptBy: 'stdin',
  output: 'claude-stream-json',
  memoryFile: 'AGENTS.md',
  env: {},
  // It then waits for a person at a browser, for ever.
  fatalLines: [{ pattern: /^No API key found\. Starting login flow/, class: 'auth' }],
  exitClasses: {},
  slashIsCommand: false,
  takesModel: false,
  preflight: {
    versionArgs: ['--version'],
    // There is no way to ask that answers without the service.
    loginArgs: undefined,
    loginCures: ['log in: amp login', 'or set AMP_API_KEY'],
    refusesRootUnless: undefined,
  },
  // `-x` takes an optional message: an option has to follow it.
  args: ({ extraArgs }: ArgsOptions) => ['--dangerously-allow-all', '-x', '--stream-json', ...extraArgs],
  // A first word on its command line would be the name of a command.
  conversation: { kind: 'typed', args: ({ extraArgs }: ArgsOptions) => [...extraArgs] },
};
