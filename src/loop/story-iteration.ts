import type { Story } from '../prd/types.ts';
import { blockedReason } from './blocked.ts';
import type { Verdict } from './events.ts';
import { execute } from './execute.ts';
import { runIteration } from './iteration.ts';
import type { TryEnd } from './iteration.ts';
import { judge } from './judge.ts';
import type { Judgement } from './judge.ts';
import type { LoopOptions } from './options.ts';
import { putBack } from './put-back.ts';
import type { RunState } from './run-state.ts';
import { settle } from './settle.ts';
import { guardState } from './state-guard.ts';
import { cutOf } from './stop.ts';
import type { Stop } from './stop.ts';
import type { PrdPorts, Try } from './try.ts';

/** One turn of the loop at one story. Returns a stop where the run can't go on. */
export async function runStoryIteration(
  ports: PrdPorts,
  options: LoopOptions,
  state: RunState,
  story: Story,
): Promise<Stop | undefined> {
  return runIteration(ports, options, state, {
    story: story.id,
    title: story.title,
    runTry: (number) => runTry(ports, options, state, { id: story.id, number }),
    giveUp: (verdict, stop) => giveUp(ports, state, story, { verdict, stop }),
  });
}

async function runTry(
  ports: PrdPorts,
  options: LoopOptions,
  state: RunState,
  { id, number }: { id: string; number: number },
): Promise<TryEnd> {
  if (number > 1) await ports.backToBranch();
  const reading = await ports.prd.read();
  const story = reading.prd.stories.find((candidate) => candidate.id === id);
  // During a wait the user may have taken the story out or ticked it: then there is nothing left to try.
  if (story === undefined || story.passes) return { kind: 'finished', verdict: 'unfinished', stop: undefined };
  const log = await ports.log.read();
  const { end, outcome } = await execute(ports, options, state, { number, story, log });
  const guarded = await guardState(ports, { iteration: state.iteration, story: id, reading, log });
  const remarks = [...outcome.remarks, ...guarded.remarks];
  const tried: Try = { story, reading, end, outcome, claims: guarded.claims, log: guarded.log, remarks };
  const judgement = await judgeTry(ports, options, state, tried);
  return settle(ports, options, state, tried, judgement);
}

/** Judges the stories that were ticked, and the selected one if its checks can tell. */
async function judgeTry(ports: PrdPorts, options: LoopOptions, state: RunState, tried: Try): Promise<Judgement> {
  const { reading, claims, story, outcome } = tried;
  const scope = { iteration: state.iteration, story: story.id };
  const nothing: Judgement = { findings: new Map(), gates: [], interrupted: false };
  if (cutOf(ports.cut) !== undefined) return { ...nothing, interrupted: true };
  if (claims.ticked.length > 0) ports.folder.emit({ type: 'claim.made', stories: [...claims.ticked] }, scope);
  const isForgotten = mayBeForgotten(options, tried);
  const stories = reading.prd.stories.filter(
    ({ id }) => claims.ticked.includes(id) || (isForgotten && id === story.id),
  );
  if (stories.length === 0) return nothing;
  const passedBefore = reading.prd.stories.filter(({ passes, id }) => passes && !claims.withdrawn.includes(id));
  const checkScope = { ...scope, signal: ports.cut };
  const judgement = await judge(ports, options, state, { stories, outcome, passedBefore, scope: checkScope });
  await putBack(ports, scope);
  return cutOf(ports.cut) === undefined ? judgement : { ...judgement, findings: new Map(), interrupted: true };
}

/** May the agent have finished the selected story and forgotten to say so? Its checks can tell, after a change. */
function mayBeForgotten(options: LoopOptions, tried: Try): boolean {
  const { story, outcome } = tried;
  return !options.trust && story.checks.length > 0 && outcome.changed.length > 0 && blockedReason(tried) === undefined;
}

/** No further try is made: the iteration is on record like any other. No attempt is counted. */
async function giveUp(
  ports: PrdPorts,
  { iteration }: RunState,
  { id, attempts }: Story,
  { verdict, stop }: { verdict: Verdict; stop: Stop },
): Promise<void> {
  const why = stop.text === undefined || stop.text === '' ? '' : `: ${stop.text}`;
  const reason = `cut off by its provider or account, and not tried again${why}`;
  const lines = [`verdict of ralph: ${verdict}`, `${id}: ${reason}`];
  await ports.log.append(await ports.log.read(), { at: ports.clock.now(), iteration, stories: [id], lines });
  if (verdict === 'unfinished')
    ports.folder.emit({ type: 'story.unfinished', reason, attempts }, { iteration, story: id });
}
