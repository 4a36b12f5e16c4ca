import { lintPrd } from '../../../../src/prd/lint/lint-prd.ts';
import type { LintFacts, Remark } from '../../../../src/prd/lint/types.ts';
import { readingOf } from '../readings.ts';

export const facts: Omit<LintFacts, 'prd'> = {
  gates: ['npm run typecheck'],
  scripts: new Set(['test', 'typecheck', 'lint', 'build']),
  document: undefined,
};

/** The remarks on a PRD of these stories. */
export function lint(
  stories: readonly object[],
  given: Partial<LintFacts> & { off?: string[]; top?: object } = {},
): Remark[] {
  const { off, top, ...more } = given;
  const placed = stories.map((story, index) => ({ priority: index + 1, ...story }));
  return lintPrd({ ...facts, prd: readingOf(placed, top).prd, ...more }, off);
}

/** The remarks as `rule place`. */
export function seen(...args: Parameters<typeof lint>): string[] {
  return lint(...args).map(({ rule, place }) => `${rule} ${place}`);
}
