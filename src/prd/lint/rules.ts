import { contradictoryCriteria } from './contradictory-criteria.ts';
import { duplicateTitle } from './duplicate-title.ts';
import { mentionsLaterStory } from './mentions-later-story.ts';
import { noBrowserCheck } from './no-browser-check.ts';
import { noGates } from './no-gates.ts';
import { noNonGoals } from './no-non-goals.ts';
import { noTests } from './no-tests.ts';
import { noTypecheck } from './no-typecheck.ts';
import { priorityAgainstDependency } from './priority-against-dependency.ts';
import { tooBig } from './too-big.ts';
import type { Rule } from './types.ts';
import { unknownCommand } from './unknown-command.ts';
import { vagueCriterion } from './vague-criterion.ts';

/** Every rule. Each can be switched off by its name: `"check": { "off": ["too-big"] }`. */
export const rules: readonly Rule[] = [
  tooBig,
  vagueCriterion,
  noTypecheck,
  noBrowserCheck,
  noTests,
  mentionsLaterStory,
  priorityAgainstDependency,
  duplicateTitle,
  contradictoryCriteria,
  noNonGoals,
  noGates,
  unknownCommand,
];
