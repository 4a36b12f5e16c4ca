import type { StopReason } from './exit.ts';

/**
 * A failure that is the user's to mend: it carries facts, `messages.ts` makes the sentence of it, and `reason` decides the
 * exit code. Anything else that is thrown is a bug in ralph (exit 70).
 */
export class RalphError extends Error {
  readonly reason: Exclude<StopReason, 'complete' | 'iterations' | 'interrupted' | 'internal'>;
  /** One fact per line, each with its place where it has one (`prd.json:4:29`, `userStories[2].passes`). */
  readonly problems: readonly string[];
  /** What to do next: commands and settings that cure it. */
  readonly cures: readonly string[];

  constructor(
    reason: RalphError['reason'],
    headline: string,
    details: { problems?: readonly string[]; cures?: readonly string[]; cause?: unknown } = {},
  ) {
    super(headline, details.cause === undefined ? {} : { cause: details.cause });
    this.name = 'RalphError';
    this.reason = reason;
    this.problems = details.problems ?? [];
    this.cures = details.cures ?? [];
  }
}

/** Bad input: option, config, PRD or repository state. Exit 2; nothing was spawned. */
export class UsageError extends RalphError {
  constructor(
    headline: string,
    details: { problems?: readonly string[]; cures?: readonly string[]; cause?: unknown } = {},
  ) {
    super('usage', headline, details);
    this.name = 'UsageError';
  }
}

/** The message of anything that was thrown, for a line on the screen. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The `code` of a Node system error (`ENOENT`…), or undefined for anything else. */
export function systemCodeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
