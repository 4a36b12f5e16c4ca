/**
 * What the loop needs of the world. The loop is a pure policy; everything that touches files, git, processes or the clock
 * comes in through these interfaces, and `compose.ts` builds the real ones.
 */
import type { PrdComparison, StoryChange } from '../prd/types.ts';
import type { Emit } from './events.ts';
import type {
  AgentEnd,
  AgentRequest,
  Check,
  CheckResult,
  CheckScope,
  CommitRequest,
  CommitResult,
  LogEntry,
  LogReading,
  Outcome,
  PrdReading,
  PromptFacts,
  Snapshot,
  StateWrite,
} from './facts.ts';

// What a port takes and gives is part of it.
export type * from './facts.ts';

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Resolves after `ms`, or at once when the signal is or becomes aborted. Never rejects. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

export interface PrdFile {
  /** Path from the root of the working tree. */
  readonly path: string;
  /** Reads and validates. Throws UsageError with all problems and their places. */
  read(): Promise<PrdReading>;
  /** What the agent made of the text it was given; never throws for what an agent wrote. */
  compare(before: PrdReading): Promise<PrdComparison>;
  /** The kept text with these changes, untouched parts byte for byte. */
  edit(before: PrdReading, changes: readonly StoryChange[]): PrdReading;
  /** Writes atomically unless the file has these bytes already; a link stays a link, mode bits stay. */
  write(reading: PrdReading): Promise<void>;
  /** The bytes that are in the file now, or undefined where there is none. */
  raw(): Promise<Uint8Array | undefined>;
}

export interface ProgressLog {
  readonly path: string;
  read(): Promise<LogReading>;
  /** Makes sure that every earlier entry is still there. `restored` holds the agent's text where something had to be put back. */
  guard(before: LogReading): Promise<{ reading: LogReading; restored: string | undefined }>;
  /** Writes the guarded text back. */
  write(text: string): Promise<void>;
  /** The guarded text with ralph's own entry behind it. */
  withEntry(reading: LogReading, entry: LogEntry): string;
  /** Writes that text and returns it. */
  append(reading: LogReading, entry: LogEntry): Promise<string>;
}

export interface AgentPort {
  readonly name: string;
  /** Runs one fresh process until it and its group are gone. Emits the agent events and the process.killed ones. Never rejects for what an agent does. */
  run(request: AgentRequest): Promise<AgentEnd>;
}

export interface GatesPort {
  run(check: Check, scope: CheckScope): Promise<CheckResult>;
}

export interface PromptPort {
  render(facts: PromptFacts): string;
}

export interface Workspace {
  /** The branch that is checked out. */
  branch(): string;
  /** Taken directly before the agent starts; held by a ref until `release`. */
  snapshot(scope: { iteration: number; try: number }): Promise<Snapshot>;
  compare(snapshot: Snapshot): Promise<Outcome>;
  /** Puts back what a gate or check changed since `compare` (or since the start of the run); returns the paths. */
  putBack(): Promise<readonly string[]>;
  /** Told of the state files that ralph is about to write, so that the run after a kill knows them for its own. */
  writing(state: StateWrite): void;
  /** Commits what the agent changed, and nothing else. Throws RalphError(environment) when git refuses. */
  commit(request: CommitRequest): Promise<CommitResult>;
  /** Saves everything under a rescue ref and goes back to the snapshot. Returns the ref, or undefined when nothing had changed. */
  rollBack(): Promise<string | undefined>;
  /** Leaves the work in the tree; the next accepted commit holds it, too. */
  keep(): Promise<void>;
  /** Ends the iteration: the snapshot is let go. */
  release(): Promise<void>;
  /** Pushes the branch. Returns a warning where the remote refuses. */
  push(): Promise<string | undefined>;
}

export interface RunFolder {
  readonly run: string;
  readonly emit: Emit;
  /** Keeps a text of the iteration and returns its path from the root of the working tree. */
  keep(iteration: number, name: string, data: string | Uint8Array): Promise<string>;
  /** Makes the folder of this run again if an agent deleted it. */
  ensure(): Promise<void>;
  /** Has `ralph stop` asked this run to end after the iteration? */
  stopRequested(): boolean;
}

export interface Ports {
  readonly clock: Clock;
  /** Aborted, with a `Cut` as its reason, when the run is to end before its iteration does. */
  readonly cut: AbortSignal;
  /** Jitter for pauses: 0 up to but not including 1. */
  readonly random: () => number;
  readonly prd: PrdFile | undefined;
  readonly log: ProgressLog | undefined;
  readonly agent: AgentPort;
  readonly gates: GatesPort;
  readonly prompt: PromptPort;
  readonly workspace: Workspace;
  readonly folder: RunFolder;
}
