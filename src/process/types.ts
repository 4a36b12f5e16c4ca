/** A process to start as the leader of its own group, without a controlling terminal. */
export interface ChildSpec {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** Written to standard input, which is then closed. Absent: an empty input. A reader that goes away is no error. */
  readonly input?: string | Uint8Array;
  readonly onStdout: (chunk: Buffer) => void;
  readonly onStderr: (chunk: Buffer) => void;
  /** Called when the process itself has ended; output may still come while it is drained. */
  readonly onExit?: () => void;
}

/** A program to start in the person's own terminal. */
export type TerminalSpec = Pick<ChildSpec, 'command' | 'args' | 'cwd' | 'env'>;

/** How a process ended. `failed`: it never started; `code` is the system's (`ENOENT`, `EACCES`, `E2BIG`…). */
export type ChildExit =
  | { kind: 'exited'; code: number }
  | { kind: 'signalled'; signal: NodeJS.Signals }
  | { kind: 'failed'; code: string; message: string };

export interface Child {
  /** Its pid, which is the id of its group, too; undefined where it never started. */
  readonly pid: number | undefined;
  /** Settles on the leader's exit and a bounded drain of its output (2 s), even if a grandchild holds the pipes. Never rejects. */
  readonly exit: Promise<ChildExit>;
  /** Lets go of the pipes now, before the drain is over. */
  release(): void;
}

/** What a short helper command (git, ps) gave back. */
export interface ToolResult {
  readonly code: number;
  readonly stdout: Buffer;
  readonly stderr: string;
}

/** A process that outlived its iteration and was stopped. */
export interface KilledProcess {
  readonly pid: number;
  readonly command: string;
}

/** A log file that takes bytes and never throws; what goes wrong is known to the owner of the run folder. */
export interface LogFile {
  /** From the root of the working tree, with `/` on every system. */
  readonly path: string;
  write(chunk: Uint8Array): void;
  /** Writes the end; nothing is taken any more. */
  close(): void;
}

/** Opens a new log of an iteration (0: the start of the run). A name in use gets `-2`, `-3`… before its extension. */
export type OpenLog = (iteration: number, name: string) => LogFile;

/** Which processes are meant: those that carry this run's id in their environment, or belong to the group, or both. */
export interface Wanted {
  readonly run?: string;
  /** The run's own helpers (git), too: they must be left in peace while the run can still use what they do. */
  readonly helpers?: boolean;
  readonly group?: number;
}

/** A process that runs: no zombie. */
export interface ProcessInfo {
  readonly pid: number;
  readonly group: number;
  /** Its command line on one line, shortened. */
  readonly command: string;
}
