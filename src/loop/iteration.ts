import type { Story } from '../prd/types.ts';
import { blockedReason } from './blocked.ts';
import type { AgentClass, Verdict } from './events.ts';
import { judge } from './judge.ts';
import type { Judgement } from './judge.ts';
import type { LoopOptions } from './options.ts';
import type { AgentEnd, Ports } from './ports.ts';
import { promptFacts } from './prompt-facts.ts';
import { addUsage } from './run-state.ts';
import type { RunState } from './run-state.ts';
import { settleAccepted, settleNotAccepted, settleTry } from './settle.ts';
import type { Settled } from './settle.ts';
import { guardState } from './state-guard.ts';
import { cutOf, stopOfCut } from './stop.ts';
import type { Stop } from './stop.ts';
import type { PrdPorts, Try } from './try.ts';
import { countGuards, decideVerdict } from './verdict.ts';
import type { IterationFacts } from './verdict.ts';
import { waitOut } from './wait-out.ts';

/**
 * One turn of the loop at one story: select → prompt → snapshot → execute → compare → judge → settle, again for each try
 * that a limit or the provider cut off. Returns a stop where the run can't go on.
 */
export async function runIteration(
  ports: PrdPorts,
  options: LoopOptions,
  state: RunState,
  first: Story,
): Promise<Stop | undefined> {
  const startedAt = ports.clock.now();
  const costBefore = state.costUsd;
  const scope = { iteration: state.iteration, story: first.id };
  ports.folder.emit({ type: 'iteration.started', title: first.title }, scope);
  const result = await runTries(ports, options, state, first);
  ports.folder.emit(
    {
      type: 'iteration.finished',
      verdict: result.verdict,
      durationMs: ports.clock.now() - startedAt,
      costUsd: Math.round((state.costUsd - costBefore) * 1e6) / 1e6,
    },
    scope,
  );
  return result.stop;
}

interface IterationResult {
  readonly verdict: Verdict;
  readonly stop: Stop | undefined;
}

async function runTries(
  ports: PrdPorts,
  options: LoopOptions,
  state: RunState,
  first: Story,
): Promise<IterationResult> {
  let story = first;
  for (let number = 1; ; number += 1) {
    const tried = await runTry(ports, options, state, { story, number });
    const judgement = await judgeTry(ports, options, state, tried);
    const settled = await settleOne(ports, options, state, tried, judgement);
    await ports.workspace.release();
    if (settled.kind === 'finished') return settled;
    const stop = await pauseBeforeRetry(ports, options, state, tried);
    if (stop !== undefined) return { verdict: stop.reason === 'interrupted' ? 'interrupted' : 'unfinished', stop };
    // The user may have edited the story during the wait.
    story = (await ports.prd.read()).prd.stories.find(({ id }) => id === story.id) ?? story;
  }
}

async function runTry(
  ports: PrdPorts,
  options: LoopOptions,
  state: RunState,
  { story, number }: { story: Story; number: number },
): Promise<Try> {
  const { iteration } = state;
  await ports.folder.ensure();
  const [reading, log] = [await ports.prd.read(), await ports.log.read()];
  const prompt = ports.prompt.render(promptFacts(ports.workspace.branch(), options, state, { story, log }));
  await ports.folder.keep(iteration, number === 1 ? 'prompt.md' : `prompt-${number}.md`, prompt);
  const snapshot = await ports.workspace.snapshot({ iteration, try: number });
  const maxCostUsd = options.maxCostUsd === undefined ? undefined : Math.max(0, options.maxCostUsd - state.costUsd);
  const end = await ports.agent.run({ prompt, iteration, try: number, story: story.id, maxCostUsd, signal: ports.cut });
  addUsage(state, end.costUsd, end.tokens);
  state.lastLine = end.lastLine;
  await ports.folder.ensure();
  const outcome = await ports.workspace.compare(snapshot);
  const guarded = await guardState(ports, { iteration, story: story.id, reading, log });
  return {
    number,
    story,
    reading,
    end,
    outcome,
    claims: guarded.claims,
    log: guarded.log,
    remarks: [...outcome.remarks, ...guarded.remarks],
  };
}

/** The stories to judge: those that were ticked, and the selected one if its checks can tell. */
async function judgeTry(ports: PrdPorts, options: LoopOptions, state: RunState, tried: Try): Promise<Judgement> {
  const { reading, claims, story, outcome } = tried;
  const scope = { iteration: state.iteration, story: story.id };
  const nothing: Judgement = { findings: new Map(), gates: [], interrupted: false };
  if (cutOf(ports.cut) !== undefined) return { ...nothing, interrupted: true };
  if (claims.ticked.length > 0) ports.folder.emit({ type: 'claim.made', stories: [...claims.ticked] }, scope);
  const isBlocked = blockedReason(tried) !== undefined;
  const forgotten =
    !options.trust &&
    !isBlocked &&
    story.checks.length > 0 &&
    outcome.changed.length > 0 &&
    !claims.ticked.includes(story.id);
  const candidates = reading.prd.stories.filter(
    ({ id }) => claims.ticked.includes(id) || (forgotten && id === story.id),
  );
  if (candidates.length === 0) return nothing;
  const taken = new Set([...candidates.map(({ id }) => id), ...claims.withdrawn]);
  const passedBefore = reading.prd.stories.filter(({ passes, id }) => passes && !taken.has(id));
  const judgement = await judge(ports, options, state, {
    stories: candidates,
    outcome,
    passedBefore,
    scope: { iteration: state.iteration, story: story.id, signal: ports.cut },
  });
  await putBack(ports, scope);
  return cutOf(ports.cut) === undefined ? judgement : { ...judgement, findings: new Map(), interrupted: true };
}

/** What gates and checks changed is put back; the user hears of it only with `--verbose`. */
export async function putBack(ports: Ports, scope: { iteration: number; story?: string }): Promise<void> {
  const paths = await ports.workspace.putBack();
  if (paths.length === 0) return;
  const names = paths.slice(0, 10).join(', ');
  ports.folder.emit(
    { type: 'warning.raised', text: `gates or checks had changed files, which were put back: ${names}`, place: null },
    scope,
  );
}

type TrySettled = { kind: 'retry' } | ({ kind: 'finished' } & IterationResult);

async function settleOne(
  ports: PrdPorts,
  options: LoopOptions,
  state: RunState,
  tried: Try,
  judgement: Judgement,
): Promise<TrySettled> {
  const { end, outcome, claims } = tried;
  const accepted = [...judgement.findings.values()].some(({ kind }) => kind === 'passed');
  const facts = (more: { passed: boolean; interrupted: boolean; rejected: boolean }): IterationFacts => ({
    agent: end.class,
    changed: outcome.changed.length > 0 || outcome.commits.length > 0,
    ticked: claims.ticked.length > 0,
    blocked: blockedReason(tried) !== undefined,
    ...more,
  });
  let settled: Settled = { judgement, passed: false, interrupted: judgement.interrupted };
  if (accepted && !judgement.interrupted) settled = await settleAccepted(ports, options, state, tried, judgement);
  const rejected = [...settled.judgement.findings].some(
    ([id, { kind }]) => kind === 'rejected' && claims.ticked.includes(id),
  );
  const all = facts({ passed: settled.passed, interrupted: settled.interrupted, rejected });
  const verdict = decideVerdict(all);
  Object.assign(state, countGuards(state, verdict, all));
  if (end.obstacle === undefined) Object.assign(state, { overloads: 0, blindWaits: 0 });
  if (settled.passed) {
    if (end.obstacle !== undefined) state.obstacle = end.obstacle;
    noteSentinel(ports, options, state, tried, settled);
    return { kind: 'finished', verdict, stop: trustedEnd(options, end) };
  }
  if (end.obstacle !== undefined && verdict !== 'rejected' && !settled.interrupted) {
    await settleTry(ports, options, state, tried);
    return { kind: 'retry' };
  }
  await settleNotAccepted(ports, options, state, { tried, judgement: settled.judgement, verdict, facts: all });
  noteSentinel(ports, options, state, tried, settled);
  if (end.obstacle !== undefined && !settled.interrupted) state.obstacle = end.obstacle;
  const cut = cutOf(ports.cut);
  if (settled.interrupted && cut !== undefined) return { kind: 'finished', verdict, stop: stopOfCut(cut) };
  return { kind: 'finished', verdict, stop: trustedEnd(options, end) ?? unavailable(end) };
}

/** With `--trust` the sentinel as the last line ends the run, as it did in ralph.sh. */
function trustedEnd(options: LoopOptions, end: AgentEnd): Stop | undefined {
  return options.trust && end.words.sentinelLast ? { reason: 'complete' } : undefined;
}

const neverStarted: ReadonlySet<AgentClass> = new Set(['auth', 'refused', 'usage']);

export function unavailable(end: AgentEnd): Stop | undefined {
  return neverStarted.has(end.class) ? { reason: 'agent-unavailable', text: end.lastLine } : undefined;
}

/** A sentinel while stories are open is on record and told to the next agent. */
function noteSentinel(ports: PrdPorts, options: LoopOptions, state: RunState, tried: Try, settled: Settled): void {
  if (!tried.end.words.sentinel || options.trust) return;
  const passed = new Set(
    [...settled.judgement.findings].filter(([, { kind }]) => kind === 'passed' && settled.passed).map(([id]) => id),
  );
  const opened = new Set(tried.claims.withdrawn);
  const open = tried.reading.prd.stories
    .filter(({ id, passes }) => (!passes || opened.has(id)) && !passed.has(id))
    .map(({ id }) => id);
  if (open.length === 0) return;
  ports.folder.emit({ type: 'claim.premature', open }, { iteration: state.iteration, story: tried.story.id });
  state.remarks.push(
    `The last agent said that everything is complete, but these stories are open: ${open.join(', ')}.`,
  );
}

async function pauseBeforeRetry(
  ports: Ports,
  options: LoopOptions,
  state: RunState,
  tried: Try,
): Promise<Stop | undefined> {
  const stop = await waitOut(ports, options, state, tried.end, tried.story.id);
  if (stop !== undefined) return stop;
  return ports.folder.stopRequested() ? { reason: 'stopped' } : undefined;
}
