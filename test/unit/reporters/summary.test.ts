import { describe, expect, it } from 'vitest';
import type { EventBody, RalphEvent } from '../../../src/loop/events.ts';
import { endLine, summaryLines } from '../../../src/reporters/summary-lines.ts';
import { addToSummary, emptySummary } from '../../../src/reporters/summary.ts';
import { displayWidth } from '../../../src/reporters/display-width.ts';
import { at, sampleRun } from './recording.ts';

const totals = {
  iterations: 2,
  passed: 1,
  rejected: 0,
  failed: 0,
  costUsd: 0,
  tokens: { input: 0, output: 0, cacheRead: 0, cacheCreation: 0 },
  durationMs: 10_000,
};
const start = at(0, {
  type: 'run.started',
  tool: 'claude',
  branch: 'b',
  prd: 'prd.json',
  maxIterations: 2,
  stories: 2,
  passed: 0,
});
type End = Extract<EventBody, { type: 'run.finished' }>;

function finish(change: Partial<End> = {}): RalphEvent {
  return at(9, {
    type: 'run.finished',
    reason: 'complete',
    code: 0,
    signal: null,
    text: null,
    verified: true,
    totals,
    ...change,
  });
}

function collect(events: readonly RalphEvent[]) {
  return events.reduce(addToSummary, emptySummary);
}

function textOf(events: readonly RalphEvent[], columns = 100): string[] {
  return summaryLines(collect(events), columns).map(({ text }) => text);
}

const gate = (exit: number, kind: 'gate' | 'check' = 'gate', name = 'docs') =>
  at(1, { type: 'gate.finished', name, kind, exit, durationMs: 1, timedOut: false }, { iteration: 0 });

const passed = (verified: boolean) =>
  at(5, { type: 'story.passed', commit: 'abcdef0123', verified, attempts: 0 }, { iteration: 1, story: 'US-001' });

describe('the facts of a summary', () => {
  it('are collected from the events of a run', () => {
    const summary = collect(sampleRun());
    expect(summary).toMatchObject({
      tool: 'claude',
      isPromptMode: false,
      stories: 3,
      passed: 1,
      denied: ['WebFetch'],
      neverGreen: [],
      refs: [],
    });
    expect(summary.rows).toEqual([
      {
        id: 'US-001',
        title: 'Add a priority field',
        verdict: 'passed',
        verified: true,
        reason: null,
        attempts: 1,
        durationMs: 100_000,
        costUsd: 0.42,
        commit: '0123456789abcdef',
      },
      {
        id: 'US-002',
        title: 'Show priority on the cards',
        verdict: 'blocked',
        verified: false,
        reason: 'no key for the sandbox',
        attempts: 0,
        durationMs: 4_000,
        costUsd: 0.21,
        commit: null,
      },
    ]);
  });

  it('count a story once, and no more when its tick is withdrawn', () => {
    expect(collect([start, passed(true), passed(true)]).passed).toBe(1);
    const withdrawn = at(6, { type: 'claim.withdrawn', by: 'check', reason: 'check 1 is red' }, { story: 'US-001' });
    const summary = collect([start, passed(true), withdrawn]);
    expect(summary.passed).toBe(0);
    expect(summary.rows[0]).toMatchObject({ verdict: null, commit: null, reason: 'check 1 is red' });
  });

  it('keep the ref of work that was not accepted until its story passes', () => {
    const saved = at(1, { type: 'rescue.saved', ref: 'refs/ralph/r/001' }, { iteration: 1, story: 'US-001' });
    expect(collect([start, saved]).refs).toEqual([{ story: 'US-001', ref: 'refs/ralph/r/001' }]);
    expect(collect([start, saved, passed(true)]).refs).toEqual([]);
  });

  it('name a gate that was red and never green, but no check', () => {
    expect(collect([start, gate(1), gate(1, 'check', 'c')]).neverGreen).toEqual(['docs']);
    expect(collect([start, gate(1), gate(0), gate(1)]).neverGreen).toEqual([]);
  });

  it('take the verdict of the iteration where the story has none: interrupted', () => {
    const scope = { iteration: 1, story: 'US-001' };
    const summary = collect([
      start,
      at(1, { type: 'iteration.started', title: 'T' }, scope),
      at(2, { type: 'iteration.finished', verdict: 'interrupted', durationMs: 1_000, costUsd: 0 }, scope),
    ]);
    expect(summary.rows[0]).toMatchObject({ verdict: 'interrupted', costUsd: null });
  });

  it('correct what was counted by the list of open stories at the end', () => {
    const open = [{ id: 'US-002', title: 'Two', blocked: null, waitsFor: [] }];
    expect(collect([start, finish({ open })]).passed).toBe(1);
  });
});

describe('the text of a summary', () => {
  it('is table, reason, what is in the way, totals and what to do next', () => {
    expect(textOf(sampleRun())).toEqual([
      'Story                              Verdict  Attempts    Time   Cost  Commit',
      'US-001 Add a priority field        passed          1  1m 40s  $0.42  0123456',
      'US-002 Show priority on the cards  blocked         0    4.0s  $0.21  -',
      '',
      'No story is left that can be worked on: each is blocked or waits for a blocked one. 1 of 3 stories passed.',
      'US-002 blocked: no key for the sandbox',
      'US-003 waits for US-002',
      'Denied tools: WebFetch',
      'Exit 3 (blocked) · 3 iterations · 1m 50s · $0.63 · 12.3k tokens',
      'Next: cure the cause, then: ralph unblock US-002',
      'Everything is kept in .ralph/runs/20260309-010000-000-abcd',
    ]);
  });

  it.each([30, 40, 60, 80])('keeps its table within %d columns, also with wide characters', (columns) => {
    const wide = { iteration: 4, story: 'US-日本' };
    const events = [
      ...sampleRun(),
      at(111, { type: 'iteration.started', title: '日本語のとても長い題名'.repeat(4) }, wide),
    ];
    const lines = textOf(events, columns);
    const table = lines.slice(0, lines.indexOf(''));
    expect(table).toHaveLength(4);
    for (const line of table) expect(displayWidth(line)).toBeLessThanOrEqual(columns);
    expect(table[3]).toMatch(/^US-日.*…/u);
  });

  it('says "claimed, not verified" where nothing looked at accepted work, and only there', () => {
    const note = 'claimed, not verified: no gate and no check has looked at this work';
    expect(textOf([start, passed(false), finish({ verified: false })])).toContain(note);
    expect(textOf([start, passed(true), finish()])).not.toContain(note);
    expect(textOf([start, finish({ verified: false, reason: 'stalled', code: 6 })])).not.toContain(note);
  });

  it('shows the last line of an agent that caused the end, without control codes', () => {
    const lines = textOf([
      start,
      finish({ reason: 'agent-unavailable', code: 4, text: '\u001b[31mNot logged in\u001b[0m' }),
    ]);
    expect(lines).toContain('claude cannot be used as things are. 0 of 2 stories passed.');
    expect(lines).toContain('The last line of claude: Not logged in');
  });

  it('shows what stood in the way where the agent did not cause the end', () => {
    expect(textOf([start, finish({ reason: 'environment', code: 10, text: 'disk full' })])).toContain('disk full');
  });

  it('names gates that were never green and the newest rescue ref', () => {
    const red = at(1, { type: 'gate.finished', name: 'docs', kind: 'gate', exit: 1, durationMs: 1, timedOut: false });
    const saved = at(2, { type: 'rescue.saved', ref: 'refs/ralph/r/001' }, { story: 'US-001' });
    const lines = textOf([start, red, saved, finish({ reason: 'iterations', code: 1 })]);
    expect(lines).toContain('Never green in this run, so never binding: docs');
    expect(lines).toContain('The work is kept: git show refs/ralph/r/001');
    expect(lines).toContain('What the agent changed: git diff refs/ralph/r/001^1 refs/ralph/r/001');
  });

  it('does not call a gate never green that was cut off with the run, or that ended the start', () => {
    const seen = (exit: number | null, timedOut: boolean): RalphEvent =>
      at(1, { type: 'gate.finished', name: 'docs', kind: 'gate', exit, durationMs: 1, timedOut });
    const cut = finish({ reason: 'budget', code: 5 });
    expect(textOf([start, seen(null, false), cut]).join()).not.toContain('Never green');
    expect(textOf([start, seen(null, true), cut]).join()).toContain('Never green');
    expect(textOf([start, seen(1, false), finish({ reason: 'usage', code: 2 })]).join()).not.toContain('Never green');
  });

  it('names blocked stories from the events where the list at the end is absent', () => {
    const blocked = at(1, { type: 'story.blocked', reason: 'no key' }, { iteration: 1, story: 'US-001' });
    const lines = textOf([start, blocked, finish({ reason: 'blocked', code: 3 })]);
    expect(lines).toContain('US-001 blocked: no key');
  });

  it('is empty before the end', () => {
    expect(textOf([start])).toEqual([]);
  });

  it('in one line says reason, code and cause', () => {
    const event = finish({ reason: 'limit', code: 8, text: 'resets 5am' });
    const summary = collect([start, event]);
    expect(summary.end && endLine(summary, summary.end)).toBe(
      'ralph: limit (exit 8): The account of claude is at its usage limit. 0 of 2 stories passed. The last line of claude: resets 5am',
    );
  });
});
