import type { AgentClass, Tokens } from '../loop/events.ts';
import type { FinalWords } from '../loop/ports.ts';

/** How an agent's standard output is to be read. */
export type OutputFormat = 'text' | 'claude-stream-json' | 'codex-json';

/** What an agent's command line is made of. */
export interface ArgsOptions {
  readonly model: string | undefined;
  /** What is left of the run's budget, in US dollars. */
  readonly maxCostUsd: number | undefined;
  /** What the user wrote behind `--`. */
  readonly extraArgs: readonly string[];
  /** The prompt itself, or the path of a file with it, for an agent that takes it so. */
  readonly prompt: string | undefined;
}

/** A line on which an agent will wait for ever, and what it means. */
export interface FatalLine {
  readonly pattern: RegExp;
  readonly class: AgentClass;
}

/** Questions that are asked once per run, before anything is started. */
export interface PreflightSpec {
  readonly versionArgs: readonly string[];
  /** Prints JSON with `loggedIn`; anything else is no answer. */
  readonly loginArgs: readonly string[] | undefined;
  /** What a person does to log in. */
  readonly loginCures: readonly string[];
  /** Refuses its permission flag as root, unless one of these variables is `1`. */
  readonly refusesRootUnless: readonly string[] | undefined;
}

/**
 * How a person talks with an agent in a terminal. `typed`: it takes no first message from its command line, so that the
 * person types it.
 */
export type Conversation = { kind: 'started' | 'typed'; args: (options: ArgsOptions) => string[] };

/** An agent as data: all that differs between one coding-agent CLI and another. */
export interface AgentSpec {
  readonly name: string;
  readonly origin: 'built-in' | 'preset' | 'config';
  readonly command: string;
  readonly promptBy: 'stdin' | 'file' | 'argument';
  readonly output: OutputFormat;
  /** The file in which this agent looks for a project's standing instructions. */
  readonly memoryFile: string;
  /** Variables that are set where the user has not set them. */
  readonly env: Readonly<Record<string, string>>;
  readonly fatalLines: readonly FatalLine[];
  /** Exit codes with a meaning of their own, used where the agent reported nothing. */
  readonly exitClasses: Readonly<Record<number, AgentClass>>;
  /** A prompt that begins with `/` would be taken for a command of the agent. */
  readonly slashIsCommand: boolean;
  /** `--model` can be handed on. */
  readonly takesModel: boolean;
  readonly preflight: PreflightSpec | undefined;
  readonly args: (options: ArgsOptions) => string[];
  /** Undefined: none that is known. */
  readonly conversation: Conversation | undefined;
}

/** What comes out of an agent while it runs. */
export type Decoded =
  /** Said by the agent, or by one of its own helpers. */
  | { kind: 'text'; text: string }
  | { kind: 'tool'; name: string; summary: string }
  /** The agent tells that it waits for its provider. */
  | { kind: 'retry'; text: string }
  /** A line that is none of the agent's events: shown, and no words of the agent. */
  | { kind: 'stray'; text: string }
  /** A result. More may follow. */
  | { kind: 'result' }
  /** Work goes on, or begins, of which there is nothing to show yet. */
  | { kind: 'turn' };

/** An error as the agent itself reported it. Fields that it did not fill are undefined. */
export interface ReportedError {
  /** Status of the HTTP answer. */
  readonly status: number | undefined;
  /** Words of a closed list: `rate_limit`, `usage_limit_reached`, `authentication_error`, `error_max_turns`, `prompt_too_long`… */
  readonly codes: readonly string[];
  /** The error text, whole. */
  readonly text: string;
}

/** How the last turn ended, as far as the agent told. `none`: no result came, or work went on behind it. */
export type Result = { kind: 'good' } | { kind: 'error'; error: ReportedError } | { kind: 'none' };

/** Everything that was learnt from an agent's output. */
export interface Report {
  readonly result: Result;
  readonly words: FinalWords;
  /** The agent said something, in words. */
  readonly spoke: boolean;
  /** It said something or used a tool: the first turn is over. */
  readonly worked: boolean;
  /** Its last line of words. */
  readonly lastSaid: string;
  /** The last lines of its output that are not its words, or, of a plain-text agent, of its output; newest last. */
  readonly strayLines: readonly string[];
  /** The usage limits that are exhausted now: when they reset, where that was said. */
  readonly limits: readonly (number | undefined)[];
  readonly costUsd: number | undefined;
  readonly tokens: Tokens | undefined;
  readonly session: string | undefined;
  /** Names of tools that were denied. */
  readonly denied: readonly string[];
}

/** Turns the bytes of an agent's standard output into events, and into a report at the end. */
export interface Decoder {
  push(chunk: Buffer): void;
  /** No more output will come. What an unfinished last line held is decoded. */
  end(): void;
  /** The beginning of an unfinished last line. */
  pending(): string;
  report(): Report;
}
