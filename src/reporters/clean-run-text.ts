/** `ralph clean` for people: facts → text, pure. */

export interface CleanedRun {
  readonly id: string;
  readonly hasFolder: boolean;
  /** Full names of its rescue refs. */
  readonly refs: readonly string[];
}

/** One line per folder and ref, and a last one with the sum. `older` as it was typed. */
export function renderCleaning(runs: readonly CleanedRun[], dryRun: boolean, older: string): string {
  const word = dryRun ? 'would remove' : 'removed';
  const lines = runs.flatMap(({ id, hasFolder, refs }) => [
    ...(hasFolder ? [`${word} .ralph/runs/${id}`] : []),
    ...refs.map((ref) => `${word} ${ref}`),
  ]);
  const refs = runs.reduce((sum, run) => sum + run.refs.length, 0);
  const age = older === '0' ? 'has ended' : `ended more than ${older} ago`;
  const sum =
    runs.length === 0
      ? `Nothing to remove: no run here ${age}.`
      : `${dryRun ? 'Would remove' : 'Removed'} ${runs.length} ${runs.length === 1 ? 'run' : 'runs'} and ${refs} rescue ${refs === 1 ? 'ref' : 'refs'}.`;
  return [...lines, sum].map((line) => `${line}\n`).join('');
}
