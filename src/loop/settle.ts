import type { Story } from '../prd/types.ts';
import { conclude } from './conclusion.ts';
import type { Conclusion } from './conclusion.ts';
import type { AgentEnd, CommitResult, PrdReading, StateWrite } from './facts.ts';
import type { TryEnd } from './iteration.ts';
import { rejectionBy } from './judge.ts';
import type { Judgement } from './judge.ts';
import { describeEntry } from './log-entry.ts';
import type { LoopOptions } from './options.ts';
import { reportAccepted, reportCutOff, reportNotAccepted, reportSentinel } from './report.ts';
import { cutOffOf } from './run-state.ts';
import type { RunState } from './run-state.ts';
import { cutOf, stopOfCut } from './stop.ts';
import type { Stop } from './stop.ts';
import { changesOf } from './story-changes.ts';
import { trailersOf } from './trailers.ts';
import type { PrdPorts, Try } from './try.ts';
import { countGuards, isUnavailable } from './verdict.ts';

/**
 * Settles a judged try: what passed is committed, what did not goes the way of `--on-reject`, and a try that was cut off
 * without an accepted claim leaves the iteration open for the next one.
 */
export async function settle(
  ports: PrdPorts,
  options: LoopOptions,
  state: RunState,
  tried: Try,
  judged: Judgement,
): Promise<TryEnd> {
  const { end } = tried;
  const conclusion = await accept(ports, options, state, tried, judged);
  const { verdict, facts } = conclusion;
  const cutOff = cutOffOf(end);
  if (cutOff !== undefined && !['passed', 'blocked', 'interrupted'].includes(verdict)) {
    await settleCutOff(ports, options, state, conclusion);
    reportSentinel(ports, options, state, conclusion);
    return { kind: 'cut-off', by: cutOff };
  }
  Object.assign(state, countGuards(state, verdict, facts));
  if (cutOff === undefined) Object.assign(state, { overloads: 0, blindWaits: 0 });
  else if (verdict !== 'interrupted') state.cutOff = cutOff;
  if (verdict !== 'passed') await settleNotAccepted(ports, options, state, conclusion);
  reportSentinel(ports, options, state, conclusion);
  return { kind: 'finished', verdict, stop: stopAfter(ports, options, conclusion) };
}

function stopAfter({ cut }: PrdPorts, options: LoopOptions, { tried, verdict }: Conclusion): Stop | undefined {
  const reason = cutOf(cut);
  if (verdict === 'interrupted' && reason !== undefined) return stopOfCut(reason);
  // The old behaviour: the agent's word ends the run.
  if (options.trust && tried.end.words.sentinelLast) return { reason: 'complete' };
  return stopOfUnavailable(tried.end);
}

/** An agent that can't be used ends the run after its first iteration. */
export function stopOfUnavailable(end: AgentEnd): Stop | undefined {
  return isUnavailable(end.class) ? { reason: 'agent-unavailable', text: end.lastLine } : undefined;
}

/** Commits what was found good. A hook that refuses turns every acceptance into a rejection; a signal may cut it short. */
async function accept(
  ports: PrdPorts,
  options: LoopOptions,
  state: RunState,
  tried: Try,
  judged: Judgement,
): Promise<Conclusion> {
  const passed = tried.reading.prd.stories.filter(({ id }) => judged.findings.get(id)?.kind === 'passed');
  const main = passed.find(({ id }) => id === tried.story.id) ?? passed[0];
  if (judged.interrupted || main === undefined)
    return conclude(tried, judged, { passed: false, interrupted: judged.interrupted });
  const accepted = conclude(tried, judged, { passed: true, interrupted: false });
  const result = await commit(ports, options, state, accepted, { main, passed });
  switch (result.kind) {
    case 'committed':
      await reportAccepted(ports, options, state, {
        ...accepted,
        result,
        changes: changesOf(ports, options, accepted),
      });
      return accepted;
    case 'interrupted':
      return conclude(tried, { ...judged, findings: new Map() }, { passed: false, interrupted: true });
    case 'hook': {
      const refusal = rejectionBy(result.result);
      const findings = new Map(
        [...judged.findings].map(([id, finding]) => [id, finding.kind === 'passed' ? refusal : finding]),
      );
      return conclude(tried, { ...judged, findings }, { passed: false, interrupted: false });
    }
  }
}

async function commit(
  ports: PrdPorts,
  options: LoopOptions,
  state: RunState,
  accepted: Conclusion,
  { main, passed }: { main: Story; passed: readonly Story[] },
): Promise<CommitResult> {
  const { tried, judgement } = accepted;
  await writeState(ports, options, state, accepted, { phase: 'working', ref: tried.outcome.ref });
  try {
    return await ports.workspace.commit({
      subject: options.subjectOf(main),
      trailers: trailersOf(ports, options, state, { tried, judgement, passed }),
      scope: { iteration: state.iteration, story: tried.story.id, signal: ports.cut },
    });
  } catch (error) {
    // No commit, no tick: `passes` is never true ahead of the work. That this can't be written either is not the cause.
    await takeTicksBack(ports, tried).catch(() => undefined);
    throw error;
  }
}

/** Takes the ticks back and, unless the work is kept, the work with them, after it was saved. */
async function settleNotAccepted(
  ports: PrdPorts,
  options: LoopOptions,
  state: RunState,
  conclusion: Conclusion,
): Promise<void> {
  const ref = await undo(ports, options, conclusion.tried);
  const changes = await writeState(ports, options, state, conclusion, { phase: 'settled', ref });
  reportNotAccepted(ports, state, { ...conclusion, changes, ref });
}

/** What the try had begun is kept aside, and the next one starts from the snapshot. What the agent claimed is forgotten. */
async function settleCutOff(
  ports: PrdPorts,
  options: LoopOptions,
  state: RunState,
  conclusion: Conclusion,
): Promise<void> {
  const { tried } = conclusion;
  const ref = await undo(ports, options, tried);
  await takeTicksBack(ports, tried);
  reportCutOff(ports, state, { ...conclusion, ref });
}

/** Returns the rescue ref, if there is one. */
async function undo(ports: PrdPorts, options: LoopOptions, tried: Try): Promise<string | undefined> {
  if (!options.trust && options.onReject === 'rollback') return ports.workspace.rollBack();
  await ports.workspace.keep();
  return tried.outcome.ref;
}

async function writeState(
  ports: PrdPorts,
  options: LoopOptions,
  state: RunState,
  conclusion: Conclusion,
  { phase, ref }: { phase: StateWrite['phase']; ref: string | undefined },
): Promise<ReturnType<typeof changesOf>> {
  const { tried } = conclusion;
  const changes = changesOf(ports, options, conclusion);
  const prd = ports.prd.edit(tried.reading, changes);
  const stories = [tried.story.id, ...tried.claims.ticked.filter((id) => id !== tried.story.id)];
  const lines = describeEntry(conclusion, ref);
  const log = ports.log.withEntry(tried.log, { at: ports.clock.now(), iteration: state.iteration, stories, lines });
  ports.workspace.writing({
    phase,
    without: { prd: withoutVerdict(ports, tried).text, log: tried.log.text },
    written: { prd: prd.text, log },
  });
  await ports.prd.write(prd);
  await ports.log.write(log);
  return changes;
}

async function takeTicksBack(ports: PrdPorts, tried: Try): Promise<void> {
  await ports.prd.write(withoutVerdict(ports, tried));
  await ports.log.write(tried.log.text);
}

/** prd.json without a verdict: the agent's notes stay, and so does what it opened again. */
function withoutVerdict(ports: PrdPorts, { reading, claims }: Try): PrdReading {
  const notes = [...claims.notes].map(([id, text]) => ({ id, notes: text }));
  const opened = claims.withdrawn.map((id) => ({ id, passes: false, ralph: null }));
  return ports.prd.edit(reading, [...notes, ...opened]);
}
