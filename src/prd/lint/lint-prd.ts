import { formatPlace } from '../../json/json-tree.ts';
import type { JsonPath } from '../../json/json-tree.ts';
import { rules } from './rules.ts';
import type { LintFacts, Remark } from './types.ts';

/** All remarks on a valid PRD: what concerns the whole first, then story by story. Rules that are off stay silent. */
export function lintPrd(facts: LintFacts, off: readonly string[] = []): Remark[] {
  const found = rules
    .filter((rule) => !off.includes(rule.name))
    .flatMap((rule) => rule.find(facts).map(({ path, text }) => ({ rule, path, text })));
  return found
    .sort((a, b) => rankOf(a.path) - rankOf(b.path))
    .map(({ rule, path, text }) => ({
      rule: rule.name,
      place: formatPlace(path),
      text,
      why: rule.why,
      mend: rule.mend,
    }));
}

function rankOf([, index]: JsonPath): number {
  return typeof index === 'number' ? index : -1;
}
