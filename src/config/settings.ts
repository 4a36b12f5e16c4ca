/** Every effective setting of a call, after options, environment, file and defaults were merged. Durations in milliseconds. */
export interface Settings {
  readonly maxIterations: number | undefined;
  readonly tool: string | undefined;
  readonly model: string | undefined;
  readonly prd: string | undefined;
  readonly prompt: string | undefined;
  /** Undefined: detect them. An empty list: none. */
  readonly gates: readonly GateSetting[] | undefined;
  readonly allowRed: boolean;
  readonly trust: boolean;
  readonly onReject: 'rollback' | 'keep';
  readonly regressions: 'each' | 'off';
  readonly maxAttempts: number;
  readonly maxStalls: number;
  readonly maxFailures: number;
  readonly maxDuration: number | undefined;
  readonly maxCost: number | undefined;
  /** 0: off. */
  readonly idleTimeout: number;
  readonly iterationTimeout: number | undefined;
  readonly gateTimeout: number;
  readonly delay: number;
  readonly retryDelay: number;
  readonly onLimit: 'wait' | 'stop';
  readonly push: boolean;
  // only in the config file
  readonly agents: Readonly<Record<string, AgentSetting>>;
  readonly baseBranch: string | undefined;
  /** Template of the commit subject; `{{storyId}}` and `{{storyTitle}}` are filled in. */
  readonly commitMessage: string;
  readonly verify: VerifySetting;
  /** Do the repository's commit hooks run? */
  readonly hooks: boolean;
  readonly check: CheckSetting;
}

/** What `ralph check` looks at. */
export interface CheckSetting {
  /** Names of rules that stay silent. */
  readonly off: readonly string[];
}

/** What `ralph verify` needs besides gates and checks. */
export interface VerifySetting {
  /** A shell command that makes the clean checkout ready (`npm ci`); undefined: none. */
  readonly setup: string | undefined;
}

export interface GateSetting {
  readonly name: string;
  readonly run: string;
  readonly timeout: number | undefined;
}

/** A command that speaks for itself: an agent described in the config. */
export interface AgentSetting {
  readonly command: string;
  readonly args: readonly string[];
  readonly prompt: 'stdin' | 'file' | 'argument';
  readonly output: 'text' | 'claude-stream-json' | 'codex-json';
  readonly memoryFile: string | undefined;
  /** Arguments that choose a model; `{{model}}` in them is filled in. Left out when no model is chosen. */
  readonly model: readonly string[];
}

/** Where a value came from: `--model`, `RALPH_MODEL`, `ralph.config.json`, `default`. */
export type Source = string;

/** A remark about a valid value; `text` is the end of a sentence that begins with `place`. */
export interface SettingWarning {
  readonly text: string;
  readonly place: string;
}

export interface Resolved {
  readonly settings: Settings;
  readonly sources: Readonly<Record<keyof Settings, Source>>;
  readonly warnings: readonly SettingWarning[];
}
