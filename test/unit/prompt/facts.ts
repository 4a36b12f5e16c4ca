import type { PromptFacts } from '../../../src/loop/ports.ts';
import type { PlaceholderValues } from '../../../src/prompt/placeholders.ts';

/** The facts of a first iteration at one story. */
export function makeFacts(changes: Partial<PromptFacts> = {}): PromptFacts {
  return {
    iteration: 2,
    maxIterations: 7,
    story: { id: 'US-001', title: 'Round to cents', json: '{\n  "id": "US-001"\n}', checks: ['node check.js'] },
    branch: 'ralph/feature',
    gates: ['test: npm test'],
    patterns: '',
    newest: '',
    feedback: undefined,
    ...changes,
  };
}

/** One value for each placeholder, told apart by its name. */
export function makeValues(changes: Partial<PlaceholderValues> = {}): PlaceholderValues {
  return {
    iteration: '<iteration>',
    maxIterations: '<maxIterations>',
    story: '<story>',
    storyId: '<storyId>',
    storyTitle: '<storyTitle>',
    prd: '<prd>',
    progress: '<progress>',
    branch: '<branch>',
    gates: '<gates>',
    checks: '<checks>',
    patterns: '<patterns>',
    memoryFile: '<memoryFile>',
    sentinel: '<sentinel>',
    ...changes,
  };
}
