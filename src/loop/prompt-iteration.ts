import { execute, hasChanged } from './execute.ts';
import type { AgentEnd, CheckResult, Outcome } from './facts.ts';
import { runIteration } from './iteration.ts';
import type { TryEnd } from './iteration.ts';
import { rejectionBy, runGates } from './judge.ts';
import type { LoopOptions } from './options.ts';
import type { Ports } from './ports.ts';
import { RUN_FEEDBACK } from './prompt-facts.ts';
import { putBack } from './put-back.ts';
import { cutOffOf } from './run-state.ts';
import type { RunState } from './run-state.ts';
import { stopOfUnavailable } from './settle.ts';
import { cutOf, stopOfCut } from './stop.ts';
import type { Stop } from './stop.ts';
import { countGuards, decideVerdict } from './verdict.ts';

/**
 * One turn of the plain loop over a text. The sentinel as the last line is judged by the gates; without it the work stays as
 * the agent left it. ralph makes no commits here.
 */
export async function runPromptIteration(
  ports: Ports,
  options: LoopOptions,
  state: RunState,
): Promise<Stop | undefined> {
  return runIteration(ports, options, state, {
    story: undefined,
    title: undefined,
    runTry: (number) => runTry(ports, options, state, number),
    // There is no log to write it down in.
    giveUp: async () => undefined,
  });
}

async function runTry(ports: Ports, options: LoopOptions, state: RunState, number: number): Promise<TryEnd> {
  const { end, outcome } = await execute(ports, options, state, { number, story: undefined, log: undefined });
  const claimed = end.words.sentinelLast;
  const red = claimed && cutOf(ports.cut) === undefined ? await runAllGates(ports, options, state) : undefined;
  return conclude(ports, options, state, { end, outcome, claimed, red });
}

/** Returns the gate that rejects. */
async function runAllGates(ports: Ports, options: LoopOptions, state: RunState): Promise<CheckResult | undefined> {
  if (options.trust) return undefined;
  const { iteration } = state;
  const { gates, red } = await runGates(ports, options.gates, state, {
    iteration,
    story: undefined,
    signal: ports.cut,
  });
  await putBack(ports, { iteration });
  if (red !== undefined) return red;
  if (gates.some(({ green }) => green)) state.verified += 1;
  else state.unverified += 1;
  return undefined;
}

interface PromptTry {
  readonly end: AgentEnd;
  readonly outcome: Outcome;
  /** The sentinel is the last line. */
  readonly claimed: boolean;
  readonly red: CheckResult | undefined;
}

async function conclude(
  ports: Ports,
  options: LoopOptions,
  state: RunState,
  { end, outcome, claimed, red }: PromptTry,
): Promise<TryEnd> {
  const cut = cutOf(ports.cut);
  const facts = {
    agent: end.class,
    changed: hasChanged(outcome),
    ticked: claimed,
    interrupted: cut !== undefined,
    passed: claimed && red === undefined && cut === undefined,
    rejected: red !== undefined,
    blocked: end.words.blocked !== undefined,
  };
  const verdict = decideVerdict(facts);
  if (verdict === 'passed') return { kind: 'finished', verdict, stop: { reason: 'complete' } };
  if (cut !== undefined) return { kind: 'finished', verdict, stop: stopOfCut(cut) };
  if (red === undefined) remember(state, end, verdict);
  else await reject(ports, options, state, red);
  const cutOff = cutOffOf(end);
  if (cutOff !== undefined && verdict !== 'blocked') return { kind: 'cut-off', by: cutOff };
  if (verdict === 'failed') state.failed += 1;
  Object.assign(state, countGuards(state, verdict, facts), { overloads: 0, blindWaits: 0 });
  const blocked: Stop | undefined =
    verdict === 'blocked' ? { reason: 'blocked', text: end.words.blocked ?? '' } : undefined;
  return { kind: 'finished', verdict, stop: blocked ?? stopOfUnavailable(end) };
}

/** The sentinel came while a gate is red: told to the next agent, and the work goes the way of `--on-reject`. */
async function reject(ports: Ports, options: LoopOptions, state: RunState, red: CheckResult): Promise<void> {
  const ref = options.onReject === 'keep' ? undefined : await ports.workspace.rollBack();
  if (ref !== undefined) ports.folder.emit({ type: 'rescue.saved', ref }, { iteration: state.iteration });
  const { reason, gate } = rejectionBy(red);
  state.rejected += 1;
  state.feedback.set(RUN_FEEDBACK, { verdict: 'rejected', reason, gate, ref });
}

/** What the next agent is told of this one. Work that goes on is nothing wrong. */
function remember(state: RunState, end: AgentEnd, verdict: string): void {
  const told = { gate: undefined, ref: undefined };
  if (end.obstacle !== undefined) {
    const reason = `the last try was cut off, and its work is still there: ${end.obstacle.text}`;
    state.feedback.set(RUN_FEEDBACK, { verdict: 'cut off', reason, ...told });
  } else if (verdict === 'failed') state.feedback.set(RUN_FEEDBACK, { verdict, reason: end.lastLine, ...told });
  else state.feedback.delete(RUN_FEEDBACK);
}
