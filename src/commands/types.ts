import type { Given } from '../config/resolve.ts';
import type { CommandIo, CommonOptions, RunOptions } from '../run/types.ts';

export type { CommandIo, CommonOptions, RunOptions } from '../run/types.ts';

export interface InitOptions extends CommonOptions {
  /** `--skills`, as it was typed. */
  readonly skills?: string | undefined;
}

export interface PrdOptions extends CommonOptions {
  /** Only `tool` and `model` can be in it. */
  readonly given: Given;
  /** The words of the idea. */
  readonly idea: readonly string[];
  /** `--answers`, as it was typed. */
  readonly answers: string | undefined;
  readonly yes: boolean;
  /** What stood behind `--`. */
  readonly agentArgs: readonly string[];
}

export interface StatusOptions extends CommonOptions {
  /** Only `prd` can be in it. */
  readonly given: Given;
  readonly json: boolean;
}

export interface UnblockOptions extends CommonOptions {
  /** Only `prd` can be in it. */
  readonly given: Given;
  /** Empty: all stories. */
  readonly ids: readonly string[];
}

export interface LogsOptions extends CommonOptions {
  /** Number of an iteration, as it was typed; undefined: the newest. */
  readonly number: string | undefined;
  /** Id of a run; undefined: the newest. */
  readonly run: string | undefined;
  readonly raw: boolean;
  readonly follow: boolean;
}

export interface StopOptions extends CommonOptions {
  readonly now: boolean;
}

/** `ralph archive`, `archive list`, `archive restore <name>`. */
export type ArchiveTask = { kind: 'store' } | { kind: 'list' } | { kind: 'restore'; name: string };

export interface ArchiveOptions extends CommonOptions {
  /** Only `prd` can be in it. */
  readonly given: Given;
  readonly task: ArchiveTask;
}

export interface VerifyOptions extends CommonOptions {
  readonly given: Given;
}

export interface DoctorOptions extends CommonOptions {
  readonly given: Given;
}

export interface CleanOptions extends CommonOptions {
  /** `--older`, as it was typed. */
  readonly older: string | undefined;
  readonly dryRun: boolean;
}

export interface CheckOptions extends CommonOptions {
  /** Only `prd` can be in it. */
  readonly given: Given;
  /** The file, as it was typed; undefined: the one that a run would take. */
  readonly file: string | undefined;
  readonly json: boolean;
  readonly strict: boolean;
}

export interface ConvertOptions extends CommonOptions {
  /** Only `tool` and `model` can be in it. */
  readonly given: Given;
  /** The document, as it was typed. */
  readonly file: string;
  /** `-o`, as it was typed. */
  readonly output: string | undefined;
  readonly withAgent: boolean;
  readonly dryRun: boolean;
  /** What stood behind `--`. */
  readonly agentArgs: readonly string[];
}

/** Every command. Each gives its exit code, or throws RalphError. */
export interface Commands {
  run(options: RunOptions, io: CommandIo): Promise<number>;
  init(options: InitOptions, io: CommandIo): Promise<number>;
  prd(options: PrdOptions, io: CommandIo): Promise<number>;
  convert(options: ConvertOptions, io: CommandIo): Promise<number>;
  check(options: CheckOptions, io: CommandIo): Promise<number>;
  status(options: StatusOptions, io: CommandIo): Promise<number>;
  unblock(options: UnblockOptions, io: CommandIo): Promise<number>;
  logs(options: LogsOptions, io: CommandIo): Promise<number>;
  stop(options: StopOptions, io: CommandIo): Promise<number>;
  archive(options: ArchiveOptions, io: CommandIo): Promise<number>;
  verify(options: VerifyOptions, io: CommandIo): Promise<number>;
  doctor(options: DoctorOptions, io: CommandIo): Promise<number>;
  clean(options: CleanOptions, io: CommandIo): Promise<number>;
  demo(options: CommonOptions, io: CommandIo): Promise<number>;
}

export type CommandName = keyof Commands;
