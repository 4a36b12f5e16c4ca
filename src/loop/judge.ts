import type { Story } from '../prd/types.ts';
import type { Check, CheckResult, CheckScope, Outcome } from './facts.ts';
import type { LoopOptions } from './options.ts';
import type { Ports } from './ports.ts';
import type { RunState } from './run-state.ts';

/** What ralph found out about one story that was claimed. */
export type Finding = { kind: 'passed'; verified: boolean } | Rejection;

export interface Rejection {
  readonly kind: 'rejected';
  readonly reason: string;
  /** Name and output of the gate, check or hook that was red. */
  readonly gate: { name: string; tail: string } | undefined;
}

export interface GateRecord {
  readonly name: string;
  readonly green: boolean;
}

export interface Judgement {
  readonly findings: ReadonlyMap<string, Finding>;
  /** Gates that were run, for the record. */
  readonly gates: readonly GateRecord[];
  /** The run was cut short while judging: nothing is concluded. */
  readonly interrupted: boolean;
}

export interface JudgeInput {
  readonly stories: readonly Story[];
  readonly outcome: Outcome;
  /** Stories that had passed before and still claim to: their checks are run again. */
  readonly passedBefore: readonly Story[];
  readonly scope: CheckScope;
}

/** Judges claims, all at once: what must not get into git, gates in order, the checks of each, then those of earlier stories. */
export async function judge(
  ports: Ports,
  options: LoopOptions,
  state: RunState,
  input: JudgeInput,
): Promise<Judgement> {
  const { stories, outcome, scope } = input;
  if (outcome.violations.length > 0) return settle(stories, rejection(outcome.violations.join(' ')));
  if (options.trust) return settle(stories, { kind: 'passed', verified: false });
  const findings = new Map<string, Finding>();
  for (const story of stories) {
    if (outcome.pending.length === 0 && story.checks.length === 0) findings.set(story.id, rejection(nothingChanged));
  }
  const open = (): Story[] => stories.filter((story) => findings.get(story.id)?.kind !== 'rejected');
  const { gates, red: redGate } = await runGates(ports, open().length === 0 ? [] : options.gates, state, scope);
  if (redGate?.interrupted === true) return { findings: new Map(), gates, interrupted: true };
  if (redGate !== undefined) return { ...settle(stories, rejectionBy(redGate), findings), gates };
  for (const story of open()) {
    const red = await runAll(ports, checksOf(story, options), scope);
    if (red?.interrupted === true) return { findings: new Map(), gates, interrupted: true };
    const verified = gates.some(({ green }) => green) || story.checks.length > 0;
    findings.set(story.id, red === undefined ? { kind: 'passed', verified } : rejectionBy(red));
  }
  const red = open().length === 0 ? undefined : await findRegression(ports, options, input);
  if (red?.result.interrupted === true) return { findings: new Map(), gates, interrupted: true };
  if (red !== undefined) for (const story of open()) findings.set(story.id, regression(red.story, red.result));
  return { findings, gates, interrupted: false };
}

const nothingChanged =
  'it was ticked although nothing has changed and it has no checks: if the work is there already, add a test that proves it';

function settle(
  stories: readonly Story[],
  finding: Finding,
  known: ReadonlyMap<string, Finding> = new Map(),
): Judgement {
  return { findings: new Map(stories.map(({ id }) => [id, known.get(id) ?? finding])), gates: [], interrupted: false };
}

function rejection(reason: string): Rejection {
  return { kind: 'rejected', reason, gate: undefined };
}

export function rejectionBy(result: CheckResult): Rejection {
  return { kind: 'rejected', reason: describeRed(result), gate: { name: result.check.name, tail: result.tail } };
}

function regression(story: Story, result: CheckResult): Rejection {
  const reason = `it breaks ${story.id} (${story.title}), which had passed: ${describeRed(result)}`;
  return { kind: 'rejected', reason, gate: { name: result.check.name, tail: result.tail } };
}

/** A red command in one sentence. */
export function describeRed({ check, timedOut, exit }: CheckResult): string {
  const how = timedOut
    ? `timed out after ${check.timeoutMs / 1_000} s`
    : exit === undefined
      ? 'was killed'
      : `failed with exit code ${exit}`;
  const what = { gate: 'the gate', check: 'the check', hook: 'the commit hook' }[check.kind];
  const command = check.kind === 'hook' ? '' : ` (${check.command})`;
  return `${what} ${check.name} ${how}${command}`;
}

/**
 * Runs gates in order up to the first that rejects, or that was interrupted: that one is `red`. A gate that was red before
 * any work (`--allow-red`) binds from its first green on.
 */
export async function runGates(
  ports: Ports,
  gates: readonly Check[],
  state: RunState,
  scope: CheckScope,
): Promise<{ gates: GateRecord[]; red: CheckResult | undefined }> {
  const records: GateRecord[] = [];
  for (const gate of gates) {
    const result = await ports.gates.run(gate, scope);
    if (result.interrupted) return { gates: records, red: result };
    records.push({ name: gate.name, green: result.green });
    if (bindGate(state, result)) return { gates: records, red: result };
  }
  return { gates: records, red: undefined };
}

/** Returns whether this result rejects. */
function bindGate(state: RunState, { check, green }: CheckResult): boolean {
  if (green) state.unboundGates.delete(check.name);
  return !green && !state.unboundGates.has(check.name);
}

export function checksOf(story: Story, options: Pick<LoopOptions, 'checkTimeoutMs'>): Check[] {
  return story.checks.map((command, at) => ({
    name: `${story.id}-${at + 1}`,
    kind: 'check',
    command,
    timeoutMs: options.checkTimeoutMs,
  }));
}

/** Runs commands in order up to the first that is not green. */
export async function runAll(
  ports: Ports,
  checks: readonly Check[],
  scope: CheckScope,
): Promise<CheckResult | undefined> {
  for (const check of checks) {
    const result = await ports.gates.run(check, scope);
    if (!result.green) return result;
  }
  return undefined;
}

async function findRegression(
  ports: Ports,
  options: LoopOptions,
  { passedBefore, scope }: JudgeInput,
): Promise<{ story: Story; result: CheckResult } | undefined> {
  if (options.regressions === 'off') return undefined;
  for (const story of passedBefore) {
    const result = await runAll(ports, checksOf(story, options), scope);
    if (result !== undefined) return { story, result };
  }
  return undefined;
}
