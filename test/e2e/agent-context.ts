/** What a scripted agent of these tests can do; `scripted-agent.mjs` is the program behind it. */
export interface AgentContext {
  /** Number of this call, from 1. */
  readonly call: number;
  readonly tool: string;
  readonly argv: readonly string[];
  readonly prompt: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly story: string;
  readonly sentinel: string;
  say(text: string): void;
  think(text: string): void;
  /** A tool call and, if given, what it returned. */
  use(name: string, input: object, result?: string): void;
  denied(name: string, input: object): void;
  raw(data: string | Uint8Array): void;
  err(text: string): void;
  cost(usd: number): void;
  /** The final result will be an error with that text. */
  crash(text: string): void;
  /** There will be no final result. */
  mute(): void;
  /** The final result now, not at the end. */
  result(): void;
  /** The provider refuses; returns the exit code to end with. */
  apiError(text: string, more?: { error?: string; status?: number; code?: string; exit?: number }): number;
  limit(resetsAt: number): number;
  read(file: string): string;
  exists(file: string): boolean;
  write(file: string, data: string | Uint8Array): void;
  append(file: string, data: string): void;
  remove(file: string): void;
  tick(id: string, value?: boolean, file?: string): void;
  note(id: string, text: string, file?: string): void;
  log(text: string, file?: string): void;
  solve(id?: string): void;
  git(...args: string[]): string;
  commit(subject: string): void;
  sh(command: string): string;
  leave(command: string, how?: { detached?: boolean; holds?: boolean }): number;
  deaf(): void;
  mark(name: string, text?: string): void;
  pause(ms: number): Promise<void>;
  stay(): Promise<never>;
  /** Waits for a file that the test writes into the home folder. */
  until(name: string): Promise<void>;
}

/** Runs in a process of its own: it sees its argument and nothing around it. Returns the exit code, 0 if none. */
export type AgentScript = (a: AgentContext) => unknown;
