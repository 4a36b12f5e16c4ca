import type { Story } from '../prd/types.ts';
import type { AgentEnd, LogReading, Outcome } from './facts.ts';
import type { LoopOptions } from './options.ts';
import type { Ports } from './ports.ts';
import { promptFacts } from './prompt-facts.ts';
import { addUsage } from './run-state.ts';
import type { RunState } from './run-state.ts';

/** What an agent is to work on; story and log are undefined in prompt mode. */
export interface Task {
  /** Which try of the iteration, from 1. */
  readonly number: number;
  readonly story: Story | undefined;
  readonly log: LogReading | undefined;
}

/** prompt → snapshot → execute → compare: one agent process, and what it changed. Counts its cost. */
export async function execute(
  ports: Ports,
  options: LoopOptions,
  state: RunState,
  { number, story, log }: Task,
): Promise<{ end: AgentEnd; outcome: Outcome }> {
  const { iteration } = state;
  await ports.folder.ensure();
  const prompt = ports.prompt.render(promptFacts(ports.workspace.branch(), options, state, { story, log }));
  await ports.folder.keep(iteration, number === 1 ? 'prompt.md' : `prompt-${number}.md`, prompt);
  const snapshot = await ports.workspace.snapshot({ iteration, try: number });
  const maxCostUsd = options.maxCostUsd === undefined ? undefined : Math.max(0, options.maxCostUsd - state.costUsd);
  const end = await ports.agent.run({
    prompt,
    iteration,
    try: number,
    story: story?.id,
    maxCostUsd,
    signal: ports.cut,
  });
  addUsage(state, end);
  state.lastLine = end.lastLine;
  await ports.folder.ensure();
  return { end, outcome: await ports.workspace.compare(snapshot) };
}

/** Did the agent change a file or make a commit? The state files are no part of it. */
export function hasChanged({ changed, commits }: Outcome): boolean {
  return changed.length > 0 || commits.length > 0;
}
