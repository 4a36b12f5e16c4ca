import type { StoryChange } from '../prd/types.ts';
import { reasonOf } from './conclusion.ts';
import type { Conclusion } from './conclusion.ts';
import type { CommitResult } from './facts.ts';
import type { Rejection } from './judge.ts';
import type { LoopOptions } from './options.ts';
import type { RunState } from './run-state.ts';
import type { PrdPorts } from './try.ts';

interface Reported extends Conclusion {
  readonly changes: readonly StoryChange[];
  readonly ref: string | undefined;
}

/** Events, counts and feedback of an iteration in which at least one story passed. */
export async function reportAccepted(
  ports: PrdPorts,
  options: LoopOptions,
  state: RunState,
  accepted: Omit<Reported, 'ref'> & { readonly result: CommitResult & { kind: 'committed' } },
): Promise<void> {
  const { tried, judgement, result } = accepted;
  const { iteration } = state;
  const reported = { ...accepted, ref: tried.outcome.ref };
  for (const { id } of tried.reading.prd.stories) {
    const finding = judgement.findings.get(id);
    if (finding?.kind !== 'passed') continue;
    const { verified } = finding;
    state.passed += 1;
    if (verified) state.verified += 1;
    else state.unverified += 1;
    state.feedback.delete(id);
    const attempts = attemptsOf(reported, id);
    ports.folder.emit(
      { type: 'story.passed', commit: result.commit ?? null, verified, attempts },
      { iteration, story: id },
    );
  }
  reportRejected(ports, state, reported);
  reportBlocked(ports, state, reported);
  reportRepairs(ports, state, reported, result.remarks);
  if (options.push) await push(ports, state, tried.story.id);
}

/** Never in the way of the run: a refusal is a warning, and the next accepted story pushes the whole branch. */
async function push(ports: PrdPorts, { iteration }: RunState, story: string): Promise<void> {
  const warning = await ports.workspace.push();
  if (warning !== undefined)
    ports.folder.emit({ type: 'warning.raised', text: warning, place: '--push' }, { iteration, story });
}

/** Events, counts and feedback of an iteration in which nothing passed. */
export function reportNotAccepted(ports: PrdPorts, state: RunState, reported: Reported): void {
  reportRepairs(ports, state, reported, []);
  reportRejected(ports, state, reported);
  reportSelected(ports, state, reported);
  reportBlocked(ports, state, reported);
}

/** A try that was cut off: the next one is told what had been begun, and what was wrong with what had been claimed. */
export function reportCutOff(ports: PrdPorts, state: RunState, reported: Omit<Reported, 'changes'>): void {
  const { tried, judgement, ref } = reported;
  reportRepairs(ports, state, reported, []);
  const { id } = tried.story;
  const line = tried.end.obstacle?.text ?? tried.end.lastLine;
  const cutOff = `the last try was cut off: ${line}`;
  for (const [story, finding] of judgement.findings) {
    if (finding.kind !== 'rejected') continue;
    const reason = `${finding.reason} (${cutOff})`;
    state.feedback.set(story, { verdict: 'rejected', reason, gate: finding.gate, ref });
  }
  if (ref === undefined || judgement.findings.has(id)) return;
  const before = state.feedback.get(id);
  const earlier =
    before === undefined || before.verdict === 'cut off' ? '' : `; before that: ${before.verdict}, ${before.reason}`;
  state.feedback.set(id, { verdict: 'cut off', reason: `${cutOff}${earlier}`, gate: before?.gate, ref });
}

/** A sentinel while stories are open is on record and told to the next agent. With `--trust` its last line ends the run. */
export function reportSentinel(ports: PrdPorts, options: LoopOptions, state: RunState, conclusion: Conclusion): void {
  const { tried, judgement, verdict } = conclusion;
  const { words } = tried.end;
  if (!words.sentinel || (options.trust && words.sentinelLast)) return;
  const isPassed = (id: string): boolean => verdict === 'passed' && judgement.findings.get(id)?.kind === 'passed';
  const open = tried.reading.prd.stories
    .filter(({ id, passes }) => (!passes || tried.claims.withdrawn.includes(id)) && !isPassed(id))
    .map(({ id }) => id);
  if (open.length === 0) return;
  ports.folder.emit({ type: 'claim.premature', open }, { iteration: state.iteration, story: tried.story.id });
  const text = `The last agent said that everything is complete, but these stories are open: ${open.join(', ')}.`;
  state.remarks = [...state.remarks, text];
}

/** What was kept and put in order after the agent, for the user and the next agent, whatever its story. */
function reportRepairs(
  { folder }: PrdPorts,
  state: RunState,
  { tried, ref }: Pick<Reported, 'tried' | 'ref'>,
  further: readonly string[],
): void {
  const scope = { iteration: state.iteration, story: tried.story.id };
  if (ref !== undefined) folder.emit({ type: 'rescue.saved', ref }, scope);
  for (const text of [...tried.outcome.remarks, ...further])
    folder.emit({ type: 'warning.raised', text, place: null }, scope);
  state.remarks = [...state.remarks, ...tried.remarks];
}

function reportRejected(ports: PrdPorts, state: RunState, reported: Reported): void {
  const { tried, judgement } = reported;
  for (const id of tried.claims.ticked) {
    const finding = judgement.findings.get(id);
    if (finding?.kind !== 'rejected') continue;
    state.rejected += 1;
    ports.folder.emit(
      { type: 'story.rejected', reason: finding.reason, attempts: attemptsOf(reported, id) },
      { iteration: state.iteration, story: id },
    );
    remember(state, id, 'rejected', finding, reported.ref);
  }
}

function remember(
  state: RunState,
  id: string,
  verdict: string,
  { reason, gate }: Omit<Rejection, 'kind'>,
  ref: string | undefined,
): void {
  state.feedback.set(id, { verdict, reason, gate, ref });
}

/** The event and the feedback of the selected story where it was not claimed. */
function reportSelected(ports: PrdPorts, state: RunState, reported: Reported): void {
  const { tried, judgement, selected, ref } = reported;
  const { story } = tried;
  if (selected === 'rejected') return;
  const reason = reasonOf(reported, story);
  const attempts = attemptsOf(reported, story.id);
  const scope = { iteration: state.iteration, story: story.id };
  if (selected === 'failed') {
    state.failed += 1;
    ports.folder.emit({ type: 'story.failed', reason, attempts }, scope);
  } else if (selected === 'unfinished') ports.folder.emit({ type: 'story.unfinished', reason, attempts }, scope);
  const finding = judgement.findings.get(story.id);
  const gate = finding?.kind === 'rejected' ? finding.gate : undefined;
  remember(state, story.id, selected, { reason, gate }, ref);
}

function reportBlocked({ folder }: PrdPorts, { iteration }: RunState, { changes }: Reported): void {
  for (const { id, ralph } of changes) {
    const reason = ralph?.blocked;
    if (reason !== undefined) folder.emit({ type: 'story.blocked', reason }, { iteration, story: id });
  }
}

/** The attempts at a story as they are in prd.json now. */
function attemptsOf({ changes, tried }: Reported, id: string): number {
  const written = changes.find((change) => change.id === id)?.ralph?.attempts;
  return written ?? tried.reading.prd.stories.find((story) => story.id === id)?.attempts ?? 0;
}
