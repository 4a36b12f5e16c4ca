import type { Verdict } from './events.ts';
import { rejectionBy } from './judge.ts';
import { unavailable } from './iteration.ts';
import type { LoopOptions } from './options.ts';
import type { AgentEnd, CheckResult, Outcome, Ports } from './ports.ts';
import { promptFacts, RUN_FEEDBACK } from './prompt-facts.ts';
import { addUsage } from './run-state.ts';
import type { RunState } from './run-state.ts';
import { cutOf, stopOfCut } from './stop.ts';
import type { Stop } from './stop.ts';
import { countGuards, decideVerdict } from './verdict.ts';
import { waitOut } from './wait-out.ts';

/**
 * One turn of the plain loop over a text. The sentinel as the last line is judged by the gates; without it the work stays as
 * the agent left it. ralph makes no commits here.
 */
export async function runPromptIteration(
  ports: Ports,
  options: LoopOptions,
  state: RunState,
): Promise<Stop | undefined> {
  const startedAt = ports.clock.now();
  const costBefore = state.costUsd;
  const scope = { iteration: state.iteration };
  ports.folder.emit({ type: 'iteration.started', title: null }, scope);
  const { verdict, stop } = await runTries(ports, options, state);
  const costUsd = Math.round((state.costUsd - costBefore) * 1e6) / 1e6;
  ports.folder.emit({ type: 'iteration.finished', verdict, durationMs: ports.clock.now() - startedAt, costUsd }, scope);
  return stop;
}

interface IterationResult {
  readonly verdict: Verdict;
  readonly stop: Stop | undefined;
}

async function runTries(ports: Ports, options: LoopOptions, state: RunState): Promise<IterationResult> {
  for (let number = 1; ; number += 1) {
    const { end, outcome } = await runTry(ports, options, state, number);
    const result = await concludeTry(ports, options, state, end, outcome);
    await ports.workspace.release();
    if (result !== 'retry') return result;
    const stop = await waitOut(ports, options, state, end, undefined);
    if (stop !== undefined) return { verdict: stop.reason === 'interrupted' ? 'interrupted' : 'unfinished', stop };
    if (ports.folder.stopRequested()) return { verdict: 'unfinished', stop: { reason: 'stopped' } };
  }
}

async function runTry(
  ports: Ports,
  options: LoopOptions,
  state: RunState,
  number: number,
): Promise<{ end: AgentEnd; outcome: Outcome }> {
  const { iteration } = state;
  await ports.folder.ensure();
  const prompt = ports.prompt.render(
    promptFacts(ports.workspace.branch(), options, state, { story: undefined, log: undefined }),
  );
  await ports.folder.keep(iteration, number === 1 ? 'prompt.md' : `prompt-${number}.md`, prompt);
  const snapshot = await ports.workspace.snapshot({ iteration, try: number });
  const maxCostUsd = options.maxCostUsd === undefined ? undefined : Math.max(0, options.maxCostUsd - state.costUsd);
  const end = await ports.agent.run({
    prompt,
    iteration,
    try: number,
    story: undefined,
    maxCostUsd,
    signal: ports.cut,
  });
  addUsage(state, end.costUsd, end.tokens);
  state.lastLine = end.lastLine;
  await ports.folder.ensure();
  return { end, outcome: await ports.workspace.compare(snapshot) };
}

async function concludeTry(
  ports: Ports,
  options: LoopOptions,
  state: RunState,
  end: AgentEnd,
  outcome: Outcome,
): Promise<IterationResult | 'retry'> {
  const claimed = end.words.sentinelLast;
  const red = claimed && cutOf(ports.cut) === undefined ? await runGates(ports, options, state) : undefined;
  const cut = cutOf(ports.cut);
  const isComplete = claimed && red === undefined && cut === undefined;
  const facts = {
    agent: end.class,
    changed: outcome.changed.length > 0 || outcome.commits.length > 0,
    ticked: claimed,
    interrupted: cut !== undefined,
    passed: isComplete,
    rejected: red !== undefined,
    blocked: end.words.blocked !== undefined,
  };
  const verdict = decideVerdict(facts);
  if (isComplete) return { verdict, stop: { reason: 'complete' } };
  if (end.obstacle !== undefined && red === undefined && cut === undefined) return 'retry';
  if (red !== undefined && cut === undefined) await reject(ports, options, state, red);
  else if (verdict === 'failed' || verdict === 'blocked') remember(state, verdict, end);
  if (verdict === 'failed') state.failed += 1;
  Object.assign(state, countGuards(state, verdict, facts));
  if (cut !== undefined) return { verdict, stop: stopOfCut(cut) };
  if (verdict === 'blocked') return { verdict, stop: { reason: 'blocked', text: end.words.blocked ?? '' } };
  return { verdict, stop: unavailable(end) };
}

async function runGates(ports: Ports, options: LoopOptions, state: RunState): Promise<CheckResult | undefined> {
  if (options.trust) return undefined;
  for (const gate of options.gates) {
    const result = await ports.gates.run(gate, { iteration: state.iteration, story: undefined, signal: ports.cut });
    if (result.interrupted) return undefined;
    if (result.green) state.unboundGates.delete(gate.name);
    else if (!state.unboundGates.has(gate.name)) return result;
  }
  await ports.workspace.putBack();
  if (options.gates.some(({ name }) => !state.unboundGates.has(name))) state.verified += 1;
  else state.unverified += 1;
  return undefined;
}

/** The sentinel came while a gate is red: told to the next agent, and the work goes the way of `--on-reject`. */
async function reject(ports: Ports, options: LoopOptions, state: RunState, red: CheckResult): Promise<void> {
  await ports.workspace.putBack();
  const ref = options.onReject === 'keep' ? undefined : await ports.workspace.rollBack();
  if (ref !== undefined) ports.folder.emit({ type: 'rescue.saved', ref }, { iteration: state.iteration });
  const finding = rejectionBy(red);
  if (finding.kind !== 'rejected') return;
  state.rejected += 1;
  state.feedback.set(RUN_FEEDBACK, {
    verdict: 'rejected',
    reason: finding.reason,
    gate: finding.gate,
    ref,
    remarks: [],
  });
}

function remember(state: RunState, verdict: Verdict, end: AgentEnd): void {
  const reason = end.words.blocked ?? end.lastLine;
  state.feedback.set(RUN_FEEDBACK, { verdict, reason, gate: undefined, ref: undefined, remarks: [] });
}
