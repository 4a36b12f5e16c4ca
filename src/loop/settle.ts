import type { Story, StoryChange } from '../prd/types.ts';
import { blockedReason } from './blocked.ts';
import { rejectionBy } from './judge.ts';
import type { Finding, Judgement } from './judge.ts';
import type { Verdict } from './events.ts';
import { describeEntry } from './log-entry.ts';
import type { LoopOptions } from './options.ts';
import type { CommitResult, Feedback } from './ports.ts';
import type { RunState } from './run-state.ts';
import { changesOf, noteChanges, reasonOf } from './story-changes.ts';
import { trailersOf } from './trailers.ts';
import type { PrdPorts, Try } from './try.ts';
import type { IterationFacts } from './verdict.ts';

/** What came of an accepted judgement: a hook may still have refused the commit, a signal may have cut it short. */
export interface Settled {
  readonly judgement: Judgement;
  readonly passed: boolean;
  readonly interrupted: boolean;
}

/** Writes the ticks down and commits them with the work. A hook that refuses turns every acceptance into a rejection. */
export async function settleAccepted(
  ports: PrdPorts,
  options: LoopOptions,
  state: RunState,
  tried: Try,
  judgement: Judgement,
): Promise<Settled> {
  const passed = passedStories(tried, judgement);
  const [subjectStory] = [...passed.filter(({ id }) => id === tried.story.id), ...passed];
  if (subjectStory === undefined) return { judgement, passed: false, interrupted: false };
  const changes = changesOf(ports, options, { tried, judgement, verdict: 'passed', facts: undefined });
  await writeState(
    ports,
    state,
    tried,
    changes,
    describeEntry({ tried, judgement, verdict: 'passed', ref: tried.outcome.ref }),
  );
  const result = await ports.workspace.commit({
    subject: options.subjectOf(subjectStory),
    trailers: trailersOf(ports, options, state, tried, judgement, passed),
    scope: { iteration: state.iteration, story: tried.story.id, signal: ports.cut },
  });
  if (result.kind === 'interrupted')
    return { judgement: { ...judgement, findings: new Map() }, passed: false, interrupted: true };
  if (result.kind === 'hook') {
    const findings = new Map<string, Finding>(
      [...judgement.findings].map(([id, finding]) => [
        id,
        finding.kind === 'passed' ? rejectionBy(result.result) : finding,
      ]),
    );
    return { judgement: { ...judgement, findings }, passed: false, interrupted: false };
  }
  await reportAccepted(ports, options, state, { tried, judgement, passed, result });
  return { judgement, passed: true, interrupted: false };
}

const passedStories = ({ reading }: Try, { findings }: Judgement): Story[] =>
  reading.prd.stories.filter(({ id }) => findings.get(id)?.kind === 'passed');

async function reportAccepted(
  ports: PrdPorts,
  options: LoopOptions,
  state: RunState,
  done: { tried: Try; judgement: Judgement; passed: readonly Story[]; result: CommitResult & { kind: 'committed' } },
): Promise<void> {
  const { tried, judgement, passed, result } = done;
  const { iteration } = state;
  for (const story of passed) {
    const finding = judgement.findings.get(story.id);
    const verified = finding?.kind === 'passed' && finding.verified;
    state.passed += 1;
    if (verified) state.verified += 1;
    else state.unverified += 1;
    state.feedback.delete(story.id);
    ports.folder.emit(
      { type: 'story.passed', commit: result.commit ?? null, verified, attempts: story.attempts + 1 },
      { iteration, story: story.id },
    );
  }
  reportRejected(ports, options, state, tried, judgement, tried.outcome.ref);
  const scope = { iteration, story: tried.story.id };
  if (tried.outcome.ref !== undefined) ports.folder.emit({ type: 'rescue.saved', ref: tried.outcome.ref }, scope);
  for (const text of [...tried.outcome.remarks, ...result.remarks])
    ports.folder.emit({ type: 'warning.raised', text, place: null }, scope);
  if (options.push) await push(ports, state, scope);
}

async function push(ports: PrdPorts, state: RunState, scope: { iteration: number; story: string }): Promise<void> {
  const warning = await ports.workspace.push();
  state.pushFailed = warning !== undefined;
  if (warning !== undefined) ports.folder.emit({ type: 'warning.raised', text: warning, place: '--push' }, scope);
}

export interface NotAccepted {
  readonly tried: Try;
  readonly judgement: Judgement;
  readonly verdict: Verdict;
  readonly facts: IterationFacts;
}

/** Takes the ticks back and, unless the work is kept, the work with them, after it was saved. */
export async function settleNotAccepted(
  ports: PrdPorts,
  options: LoopOptions,
  state: RunState,
  settling: NotAccepted,
): Promise<void> {
  const { tried, judgement, verdict } = settling;
  const ref = keepsWork(options) ? await keep(ports, tried) : await ports.workspace.rollBack();
  const scope = { iteration: state.iteration, story: tried.story.id };
  if (ref !== undefined) ports.folder.emit({ type: 'rescue.saved', ref }, scope);
  const changes = changesOf(ports, options, settling);
  await writeState(ports, state, tried, changes, describeEntry({ tried, judgement, verdict, ref }));
  for (const text of tried.outcome.remarks) ports.folder.emit({ type: 'warning.raised', text, place: null }, scope);
  reportRejected(ports, options, state, tried, judgement, ref);
  reportSelected(ports, state, settling, changes, ref);
  for (const change of changes) {
    const reason = typeof change.ralph === 'object' ? change.ralph?.blocked : undefined;
    if (reason !== undefined)
      ports.folder.emit({ type: 'story.blocked', reason }, { iteration: state.iteration, story: change.id });
  }
}

const keepsWork = (options: LoopOptions): boolean => options.trust || options.onReject === 'keep';

async function keep(ports: PrdPorts, tried: Try): Promise<string | undefined> {
  await ports.workspace.keep();
  return tried.outcome.ref;
}

/** A try that was cut off: what it had begun is kept aside, the next try starts from the snapshot and is told. */
export async function settleTry(ports: PrdPorts, options: LoopOptions, state: RunState, tried: Try): Promise<void> {
  const ref = keepsWork(options) ? await keep(ports, tried) : await ports.workspace.rollBack();
  const scope = { iteration: state.iteration, story: tried.story.id };
  if (ref !== undefined) ports.folder.emit({ type: 'rescue.saved', ref }, scope);
  await ports.prd.write(ports.prd.edit(tried.reading, noteChanges(tried)));
  await ports.log.write(tried.log.text);
  if (ref === undefined && tried.remarks.length === 0) return;
  const reason = `the last try was cut off: ${tried.end.obstacle?.text ?? tried.end.lastLine}`;
  state.feedback.set(tried.story.id, { verdict: 'cut off', reason, gate: undefined, ref, remarks: tried.remarks });
}

async function writeState(
  ports: PrdPorts,
  state: RunState,
  tried: Try,
  changes: readonly StoryChange[],
  lines: readonly string[],
): Promise<void> {
  await ports.prd.write(ports.prd.edit(tried.reading, changes));
  const stories = [tried.story.id, ...tried.claims.ticked.filter((id) => id !== tried.story.id)];
  await ports.log.append(tried.log, { at: ports.clock.now(), iteration: state.iteration, stories, lines });
}

function reportRejected(
  ports: PrdPorts,
  options: LoopOptions,
  state: RunState,
  tried: Try,
  judgement: Judgement,
  ref: string | undefined,
): void {
  for (const [id, finding] of judgement.findings) {
    if (finding.kind !== 'rejected' || !tried.claims.ticked.includes(id)) continue;
    const story = tried.reading.prd.stories.find((candidate) => candidate.id === id);
    state.rejected += 1;
    const attempts = (story?.attempts ?? 0) + (options.trust ? 0 : 1);
    ports.folder.emit(
      { type: 'story.rejected', reason: finding.reason, attempts },
      { iteration: state.iteration, story: id },
    );
    state.feedback.set(id, feedbackOf('rejected', finding, ref, tried));
  }
}

function feedbackOf(
  verdict: string,
  finding: Finding & { kind: 'rejected' },
  ref: string | undefined,
  tried: Try,
): Feedback {
  return { verdict, reason: finding.reason, gate: finding.gate, ref, remarks: tried.remarks };
}

/** The event and the feedback of the selected story where it was not claimed. */
function reportSelected(
  ports: PrdPorts,
  state: RunState,
  settling: NotAccepted,
  changes: readonly StoryChange[],
  ref: string | undefined,
): void {
  const { tried, judgement, verdict } = settling;
  const { story } = tried;
  if (tried.claims.ticked.includes(story.id) && verdict !== 'interrupted') return;
  const reason = reasonOf(tried, judgement, story);
  const attempts = changes.find(({ id }) => id === story.id)?.ralph?.attempts ?? story.attempts;
  const scope = { iteration: state.iteration, story: story.id };
  if (verdict === 'failed') {
    state.failed += 1;
    ports.folder.emit({ type: 'story.failed', reason, attempts }, scope);
  } else if (verdict === 'unfinished') ports.folder.emit({ type: 'story.unfinished', reason, attempts }, scope);
  const finding = judgement.findings.get(story.id);
  const gate = finding?.kind === 'rejected' ? finding.gate : undefined;
  const blocked = blockedReason(tried);
  state.feedback.set(story.id, { verdict, reason: blocked ?? reason, gate, ref, remarks: tried.remarks });
}
