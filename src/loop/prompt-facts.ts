import type { Story } from '../prd/types.ts';
import type { Feedback, LogReading, PromptFacts } from './facts.ts';
import type { LoopOptions } from './options.ts';
import type { RunState } from './run-state.ts';

/** The key of the feedback in prompt mode, where there is no story. */
export const RUN_FEEDBACK = '';

/** What the next agent is told. Facts about the run that no story owns are told once, and forgotten. */
export function promptFacts(
  branch: string,
  options: LoopOptions,
  state: RunState,
  given: { story: Story | undefined; log: LogReading | undefined },
): PromptFacts {
  const { story, log } = given;
  return {
    iteration: state.iteration,
    maxIterations: options.maxIterations,
    story:
      story === undefined ? undefined : { id: story.id, title: story.title, json: story.json, checks: story.checks },
    branch,
    gates: options.trust ? [] : options.gates.map(({ name, command }) => `${name}: ${command}`),
    patterns: log?.patterns ?? '',
    newest: log?.newest ?? '',
    feedback: takeFeedback(state, story?.id ?? RUN_FEEDBACK),
  };
}

function takeFeedback(state: RunState, key: string): Feedback | undefined {
  const own = state.feedback.get(key);
  const { remarks } = state;
  state.told = remarks;
  state.remarks = [];
  if (own === undefined && remarks.length === 0) return undefined;
  return { ...(own ?? { verdict: undefined, reason: '', gate: undefined, ref: undefined }), remarks };
}
