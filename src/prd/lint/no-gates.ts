import type { Rule } from './types.ts';

export const noGates: Rule = {
  name: 'no-gates',
  severity: 'warning',
  why: 'Without a command that must exit 0 nothing is checked: what an agent says can only be believed.',
  mend: 'Name the commands for typecheck, lint and tests under "gates" in ralph.config.json.',
  find: ({ prd, gates }) =>
    gates.length > 0 || prd.stories.every((story) => story.checks.length > 0)
      ? []
      : [{ path: [], text: 'the project has no gates, neither set nor found' }],
};
