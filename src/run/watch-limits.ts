import type { Cut } from '../loop/ports.ts';
import type { OpenRunFolder } from '../run-folder/run-folder.ts';

/** How often the end of the time and a `ralph stop --now` are looked for. */
const LOOK_MS = 250;

/** Cuts the run short when its time is used up, or when it is asked to stop at once. Returns how to end the watch. */
export function watchLimits(
  controller: AbortController,
  folder: OpenRunFolder,
  deadline: number | undefined,
): () => void {
  const look = (): void => {
    const cut = findCut(folder, deadline);
    if (cut !== undefined && !controller.signal.aborted) controller.abort(cut);
  };
  // Looked at again and again, not waited for: a timer stands still while the machine sleeps, and reaches 24 days at most.
  const timer = setInterval(look, LOOK_MS);
  timer.unref();
  return () => clearInterval(timer);
}

function findCut(folder: OpenRunFolder, deadline: number | undefined): Cut | undefined {
  if (folder.stopRequest() === 'now') return { kind: 'stop' };
  return deadline !== undefined && Date.now() >= deadline ? { kind: 'duration' } : undefined;
}
