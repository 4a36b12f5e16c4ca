import { findProgram } from '../agent/find-program.ts';
import { systemClock } from '../clock.ts';
import { selectStory } from '../prd/select.ts';
import type { PreparedRun } from '../run/prepare.ts';
import type { CommandIo } from '../run/types.ts';
import { renderDryRun } from '../reporters/dry-run-text.ts';
import { promptFacts } from '../loop/prompt-facts.ts';
import { createRunState } from '../loop/run-state.ts';

/** `ralph run --dry-run`: what would be started. Spawns nothing but git and writes nothing. */
export async function showDryRun(
  prepared: PreparedRun,
  { writer, env }: Pick<CommandIo, 'writer' | 'env'>,
): Promise<number> {
  const { options, reading, log, spec, settings, prompt } = prepared;
  const isThere = findProgram(spec.command, prepared.place.start, env) !== undefined;
  const selection = reading === undefined ? undefined : selectStory(reading.prd);
  const story = selection?.kind === 'story' ? selection.story : undefined;
  const state = createRunState(systemClock.now());
  state.iteration = 1;
  const facts = promptFacts(prepared.branch, options, state, { story, log: await log?.read() });
  const args = spec.args({
    model: settings.model,
    maxCostUsd: options.maxCostUsd,
    extraArgs: prepared.agentArgs,
    prompt: spec.promptBy === 'stdin' ? undefined : '<prompt>',
  });
  writer.out(
    renderDryRun({
      branch: prepared.branch,
      currentBranch: prepared.currentBranch,
      next:
        selection === undefined
          ? 'none: the loop runs over one text'
          : story === undefined
            ? `none: ${selection.kind === 'complete' ? 'all stories have passed' : 'every open story is blocked or waits for a blocked one'}`
            : `${story.id} - ${story.title}`,
      gates: options.gates.map(({ name, command }) => `${name}: ${command}`),
      checks: story?.checks ?? [],
      command: [spec.command, ...args],
      warnings: [
        ...(isThere ? [] : [`${spec.command} is not on PATH: a run that started now would end with exit code 4`]),
        ...prepared.warnings.map(({ text, place }) => (place === null ? text : `${place}: ${text}`)),
      ],
      prompt: selection === undefined || story !== undefined ? prompt.render(facts) : undefined,
    }),
  );
  return 0;
}
