/**
 * The one table of what can be set: option, config key, environment variable, kind, default, help. Merge, command line and
 * JSON Schema are made from it, and the config schema is checked against it. It imports nothing, so that `--help` is quick.
 */

/** How a text from an option or a variable becomes a value. */
export type Kind = 'number' | 'text' | 'flag' | 'list';

/** A value as it stands in the config file. */
export interface ValueRow {
  readonly key: string;
  /** As it would stand in the file. Absent: not set. */
  readonly default?: string | number | boolean | object;
  /** What holds where there is no default, in words. */
  readonly otherwise?: string;
  readonly help: string;
}

/** A setting has an option, a config key and an environment variable. */
export interface SettingRow extends ValueRow {
  readonly default?: string | number | boolean;
  /** As commander and the help want it. */
  readonly flags: string;
  readonly kind: Kind;
  readonly group: OptionGroup;
}

/** An option of one call; `key` is commander's name for it. */
export interface CallRow {
  readonly key: string;
  readonly flags: string;
  readonly group: OptionGroup;
  readonly help: string;
}

export type OptionGroup = 'What to run:' | 'What counts as done:' | 'When to end:' | 'Time and pace:' | 'Output:';

export const settingRows = [
  {
    key: 'maxIterations',
    flags: '--max-iterations <n>',
    group: 'When to end:',
    kind: 'number',
    default: 10,
    help: 'most iterations of this run, as [iterations]',
  },
  {
    key: 'unlimited',
    flags: '--unlimited',
    group: 'When to end:',
    kind: 'flag',
    default: false,
    help: 'no limit of iterations',
  },
  {
    key: 'tool',
    flags: '--tool <name>',
    group: 'What to run:',
    kind: 'text',
    otherwise: 'the first of claude, amp on PATH',
    help: 'claude, amp, or an agent from the config',
  },
  {
    key: 'model',
    flags: '--model <name>',
    group: 'What to run:',
    kind: 'text',
    otherwise: "the agent's own",
    help: 'model of the agent',
  },
  {
    key: 'prd',
    flags: '--prd <file>',
    group: 'What to run:',
    kind: 'text',
    otherwise: 'prd.json, looked for in the usual places',
    help: 'the list of stories, from the start folder',
  },
  {
    key: 'prompt',
    flags: '--prompt <file>',
    group: 'What to run:',
    kind: 'text',
    otherwise: "ralph's own template",
    help: 'prompt template, from the start folder',
  },
  {
    key: 'gates',
    flags: '--gate <command>',
    group: 'What counts as done:',
    kind: 'list',
    otherwise: 'detected',
    help: 'a command that must exit 0; give it again for more',
  },
  {
    key: 'allowRed',
    flags: '--allow-red',
    group: 'What counts as done:',
    kind: 'flag',
    default: false,
    help: 'start although a gate fails before any work',
  },
  {
    key: 'trust',
    flags: '--trust',
    group: 'What counts as done:',
    kind: 'flag',
    default: false,
    help: 'believe the agent: no gates, no checks, no roll back',
  },
  {
    key: 'onReject',
    flags: '--on-reject <rollback|keep>',
    group: 'What counts as done:',
    kind: 'text',
    default: 'rollback',
    help: 'what becomes of work that was not accepted',
  },
  {
    key: 'regressions',
    flags: '--regressions <each|off>',
    group: 'What counts as done:',
    kind: 'text',
    default: 'each',
    help: 're-run the checks of stories that passed before',
  },
  {
    key: 'maxAttempts',
    flags: '--max-attempts <n>',
    group: 'When to end:',
    kind: 'number',
    default: 3,
    help: 'attempts at one story before it is blocked',
  },
  {
    key: 'maxStalls',
    flags: '--max-stalls <n>',
    group: 'When to end:',
    kind: 'number',
    default: 3,
    help: 'iterations in a row that changed nothing',
  },
  {
    key: 'maxFailures',
    flags: '--max-failures <n>',
    group: 'When to end:',
    kind: 'number',
    default: 5,
    help: 'failed iterations in a row',
  },
  {
    key: 'maxDuration',
    flags: '--max-duration <d>',
    group: 'When to end:',
    kind: 'text',
    otherwise: 'none',
    help: 'time of the whole run; cuts into a running iteration',
  },
  {
    key: 'maxCost',
    flags: '--max-cost <usd>',
    group: 'When to end:',
    kind: 'number',
    otherwise: 'none',
    help: 'cost of the whole run in US dollars',
  },
  {
    key: 'idleTimeout',
    flags: '--idle-timeout <d>',
    group: 'Time and pace:',
    kind: 'text',
    default: '15m',
    help: 'stop an agent that printed nothing for so long; 0 is off',
  },
  {
    key: 'iterationTimeout',
    flags: '--iteration-timeout <d>',
    group: 'Time and pace:',
    kind: 'text',
    otherwise: 'none',
    help: 'stop an agent that runs for so long',
  },
  {
    key: 'gateTimeout',
    flags: '--gate-timeout <d>',
    group: 'Time and pace:',
    kind: 'text',
    default: '10m',
    help: 'time for each gate, check and commit hook',
  },
  {
    key: 'delay',
    flags: '--delay <d>',
    group: 'Time and pace:',
    kind: 'text',
    default: '2s',
    help: 'pause between iterations',
  },
  {
    key: 'retryDelay',
    flags: '--retry-delay <d>',
    group: 'Time and pace:',
    kind: 'text',
    default: '5s',
    help: 'first pause after an overloaded provider',
  },
  {
    key: 'onLimit',
    flags: '--on-limit <wait|stop>',
    group: 'Time and pace:',
    kind: 'text',
    default: 'wait',
    help: "at an account's usage limit",
  },
  {
    key: 'push',
    flags: '--push',
    group: 'What counts as done:',
    kind: 'flag',
    default: false,
    help: 'push the branch after each accepted story',
  },
] as const satisfies readonly SettingRow[];

/** What only the config file can hold. */
export const fileRows = [
  { key: 'agents', default: {}, help: 'agents by name: command, args, prompt, output, memoryFile, model' },
  { key: 'baseBranch', otherwise: 'the current HEAD', help: "where the PRD's branch is created from" },
  {
    key: 'commitMessage',
    default: 'feat: [{{storyId}}] - {{storyTitle}}',
    help: "subject of an accepted story's commit; {{storyId}} and {{storyTitle}} are filled in",
  },
] as const satisfies readonly ValueRow[];

/** Options of one call. */
export const callRows = [
  { key: 'cwd', flags: '-C, --cwd <dir>', group: 'What to run:', help: 'start folder, instead of the current one' },
  {
    key: 'dryRun',
    flags: '--dry-run',
    group: 'What to run:',
    help: 'show what would be run; start nothing, write nothing',
  },
  { key: 'nested', flags: '--nested', group: 'What to run:', help: 'allow a loop inside an iteration of a loop' },
  { key: 'json', flags: '--json', group: 'Output:', help: 'events as JSON lines on stdout, nothing else there' },
  { key: 'quiet', flags: '-q, --quiet', group: 'Output:', help: 'only the end, and what went wrong' },
  { key: 'verbose', flags: '-v, --verbose', group: 'Output:', help: 'more detail' },
  { key: 'color', flags: '--no-color', group: 'Output:', help: 'no colors (NO_COLOR and FORCE_COLOR are honoured)' },
] as const satisfies readonly CallRow[];
