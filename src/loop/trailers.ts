import type { Story } from '../prd/types.ts';
import type { Judgement } from './judge.ts';
import type { LoopOptions } from './options.ts';
import type { RunState } from './run-state.ts';
import type { PrdPorts, Try } from './try.ts';

/** The trailers of an accepted story's commit: which story, run and iteration, and what stands behind it. */
export function trailersOf(
  { folder }: PrdPorts,
  options: LoopOptions,
  state: RunState,
  { tried, judgement, passed }: { tried: Try; judgement: Judgement; passed: readonly Story[] },
): [string, string][] {
  const names = [
    ...judgement.gates.map(({ name, green }) => (green ? name : `${name} (red before, too)`)),
    ...passed.flatMap(({ id, checks }) => (options.trust || checks.length === 0 ? [] : [`checks of ${id}`])),
  ];
  const seen = tried.outcome.userFiles && names.length > 0 ? '; uncommitted files of the user were present' : '';
  return [
    ...passed.map(({ id }): [string, string] => ['Ralph-Story', oneLine(id)]),
    ['Ralph-Run', folder.run],
    ['Ralph-Iteration', String(state.iteration)],
    ['Ralph-Gates', oneLine(names.length === 0 ? 'none (claimed, not verified)' : `${names.join(', ')}${seen}`)],
  ];
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();
