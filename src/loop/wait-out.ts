import type { LoopOptions } from './options.ts';
import { planPause } from './pause.ts';
import type { AgentEnd, Ports } from './ports.ts';
import type { RunState } from './run-state.ts';
import { cutOf, stopOfCut } from './stop.ts';
import type { Stop } from './stop.ts';

/** Waits out what cut the agent off. Returns a stop where waiting is no use, or the run was cut short meanwhile. */
export async function waitOut(
  ports: Ports,
  options: LoopOptions,
  state: RunState,
  end: Pick<AgentEnd, 'class' | 'obstacle'>,
  story: string | undefined,
): Promise<Stop | undefined> {
  const { obstacle } = end;
  if (obstacle === undefined) return undefined;
  const pause = planPause(options, state, obstacle, { now: ports.clock.now(), random: ports.random() });
  if (pause.kind === 'stop') return pause.stop;
  const scope = { iteration: state.iteration, ...(story === undefined ? {} : { story }) };
  if (obstacle.kind === 'limit') {
    const resetAt = pause.resetAt === undefined ? null : new Date(pause.resetAt).toISOString();
    ports.folder.emit({ type: 'agent.limit', resetAt, waitMs: pause.waitMs, text: obstacle.text }, scope);
  } else ports.folder.emit({ type: 'agent.retry', class: end.class, text: obstacle.text, waitMs: pause.waitMs }, scope);
  await ports.clock.sleep(pause.waitMs, ports.cut);
  const cut = cutOf(ports.cut);
  return cut === undefined ? undefined : stopOfCut(cut);
}
