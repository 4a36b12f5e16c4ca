import type { Story } from '../prd/types.ts';
import type { Check } from './facts.ts';

/** What the loop was told to do; read at the start, and held for the whole run. Durations and times in milliseconds. */
export interface LoopOptions {
  /** With a prd.json, or over one text. */
  readonly mode: 'prd' | 'prompt';
  readonly maxIterations: number | undefined;
  readonly maxAttempts: number;
  readonly maxStalls: number;
  readonly maxFailures: number;
  readonly maxCostUsd: number | undefined;
  /** When the run has to be over, since the epoch. */
  readonly deadline: number | undefined;
  readonly trust: boolean;
  readonly onReject: 'rollback' | 'keep';
  readonly regressions: 'each' | 'off';
  readonly onLimit: 'wait' | 'stop';
  readonly allowRed: boolean;
  readonly push: boolean;
  readonly delayMs: number;
  readonly retryDelayMs: number;
  readonly gates: readonly Check[];
  readonly checkTimeoutMs: number;
  /** The subject of a story's commit. */
  readonly subjectOf: (story: Story) => string;
}
