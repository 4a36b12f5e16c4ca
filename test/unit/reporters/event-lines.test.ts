import { describe, expect, it } from 'vitest';
import type { EventBody, EventScope } from '../../../src/loop/events.ts';
import { linesOf } from '../../../src/reporters/event-lines.ts';
import { eventFields } from '../../../src/schemas/events.ts';
import { at } from './recording.ts';

const context = { tool: 'claude', maxIterations: 10, maxAttempts: 3, timeZone: 'UTC' };
const story = { iteration: 3, story: 'US-001' };
const tokens = { input: 1_000, output: 200, cacheRead: 0, cacheCreation: 0 };
const agentEnd = {
  exit: 0,
  signal: null,
  durationMs: 65_000,
  costUsd: null,
  tokens: null,
  session: null,
  text: null,
} as const;
const started = { type: 'run.started', tool: 'claude', branch: 'ralph/x', stories: 3, passed: 1 } as const;
const many = Array.from({ length: 12 }, (_, index) => `f${index}`);
const totals = { iterations: 0, passed: 0, rejected: 0, failed: 0, costUsd: 0, tokens, durationMs: 0 };

const cases: [EventBody, string[], EventScope?][] = [
  [
    { ...started, prd: 'prd.json', maxIterations: 10 },
    [
      'headline: ralph · claude · branch ralph/x',
      'note: prd.json · 1 of 3 stories passed · at most 10 iterations',
      'detail: run 20260309-010000-000-abcd, its files: .ralph/runs/20260309-010000-000-abcd',
    ],
  ],
  [
    { ...started, prd: null, maxIterations: null },
    [
      'headline: ralph · claude · branch ralph/x',
      'note: prompt mode, no PRD · no limit of iterations',
      'detail: run 20260309-010000-000-abcd, its files: .ralph/runs/20260309-010000-000-abcd',
    ],
  ],
  [
    { type: 'run.recovered', fromRun: 'r0', files: many, ref: 'refs/ralph/r0/002' },
    [
      'warn: Run r0 was cut off and is put in order: 12 files as before its last iteration: f0, f1, f2, f3, f4, f5, f6, f7, f8, f9 and 2 more',
      'note: The work is kept: git show refs/ralph/r0/002',
      'note: What the agent changed: git diff refs/ralph/r0/002^1 refs/ralph/r0/002',
    ],
  ],
  [
    { type: 'run.recovered', fromRun: 'r0', files: [], ref: null },
    ['warn: Run r0 was cut off and is put in order; no file had changed.'],
  ],
  [
    { type: 'warning.raised', text: 'is missing', place: 'userStories[1].passes' },
    ['warn: Warning: userStories[1].passes: is missing'],
  ],
  [{ type: 'warning.raised', text: 'no branchName', place: null }, ['warn: Warning: no branchName']],
  [
    { type: 'archive.created', folder: 'archive/2026-03-09-x' },
    ['note: The previous feature was archived in archive/2026-03-09-x'],
  ],
  [{ type: 'iteration.started', title: 'A\ntitle' }, ['headline: ── 3/10 · US-001 A title'], story],
  [{ type: 'iteration.started', title: null }, ['headline: ── 2/10'], { iteration: 2 }],
  [
    { type: 'agent.started', tool: 'claude', pid: 7 },
    [
      'detail: claude started, pid 7, try 2',
      'detail: its prompt: .ralph/runs/20260309-010000-000-abcd/003/prompt.md, its output: .ralph/runs/20260309-010000-000-abcd/003/output-2.log',
    ],
    { ...story, try: 2 },
  ],
  [{ type: 'agent.text', text: 'one\r\n\u001b[2J✓ US-001 passed\n' }, ['agent: one', 'agent: ✓ US-001 passed']],
  [{ type: 'agent.tool', name: 'Bash', summary: 'npm\ntest' }, ['tool: Bash npm test']],
  [{ type: 'agent.denied', tools: ['Bash', 'Write'] }, ['warn: Denied tools: Bash, Write']],
  [
    { type: 'agent.finished', ...agentEnd, class: 'ok', costUsd: 0.42, tokens, session: 's1' },
    ['detail: claude: ok, exit 0 · 1m 05s · $0.42 · 1.2k tokens (1k in, 200 out)', 'detail: session s1'],
  ],
  [
    { type: 'agent.finished', ...agentEnd, class: 'crash', exit: 17, text: 'fatal: boom' },
    ['bad: claude failed (exit 17): fatal: boom', 'detail: claude: crash, exit 17 · 1m 05s'],
  ],
  [
    { type: 'agent.finished', ...agentEnd, class: 'killed', exit: null, signal: 'SIGKILL' },
    ['bad: claude was killed from outside (SIGKILL)', 'detail: claude: killed, exit SIGKILL · 1m 05s'],
  ],
  [
    { type: 'agent.limit', resetAt: null, waitMs: 3_720_000, text: 'resets 2am' },
    ['warn: Usage limit: resets 2am · next try at 02:02, in 1h 02m'],
  ],
  [{ type: 'agent.limit', resetAt: null, waitMs: 0, text: 'no credit' }, ['warn: Usage limit: no credit']],
  [
    { type: 'agent.retry', class: 'overloaded', text: '529', waitMs: 5_000 },
    ['warn: Provider not reachable or overloaded: 529 · next try in 5.0s'],
  ],
  [
    { type: 'agent.retry', class: 'limit', text: '429', waitMs: 60_000 },
    ['warn: Rate limit: 429 · next try in 1m 00s'],
  ],
  [
    { type: 'state.restored', file: 'prd.json', kept: '.ralph/runs/r/003/prd.json', reason: 'a story was deleted' },
    [
      'warn: prd.json was put back: a story was deleted',
      'note: what the agent had made of it: .ralph/runs/r/003/prd.json',
    ],
  ],
  [
    { type: 'state.restored', file: 'prd.json', kept: null, reason: 'it was gone' },
    ['warn: prd.json was put back: it was gone'],
  ],
  [{ type: 'claim.made', stories: ['US-001', 'US-002'] }, ['detail: claimed: US-001, US-002']],
  [
    { type: 'claim.premature', open: ['US-002', 'US-003'] },
    ['warn: The agent said that all is done, but 2 stories are open: US-002, US-003'],
  ],
  [
    { type: 'claim.premature', open: ['US-002'] },
    ['warn: The agent said that all is done, but a story is open: US-002'],
  ],
  [
    { type: 'claim.withdrawn', by: 'check', reason: 'check 1 is red' },
    ['warn: US-001 is open again: check 1 is red'],
    story,
  ],
  [{ type: 'gate.started', name: 'tests', kind: 'gate', command: 'npm test' }, ['detail: gate tests: npm test']],
  [gate(0, false), ['good: ✓ gate tests · 3.2s']],
  [gate(1, false), ['bad: ✗ gate tests: exit 1 · 3.2s']],
  [gate(null, true), ['bad: ✗ gate tests: took too long and was stopped · 3.2s']],
  [gate(null, false), ['bad: ✗ gate tests: was stopped · 3.2s']],
  [
    { type: 'story.passed', commit: '0123456789', verified: true, attempts: 0 },
    ['good: ✓ US-001 passed · commit 0123456'],
    story,
  ],
  [
    { type: 'story.passed', commit: null, verified: false, attempts: 0 },
    ['warn: ✓ US-001 claimed, not verified'],
    story,
  ],
  [
    { type: 'story.rejected', reason: 'gate tests is red', attempts: 1 },
    ['bad: ✗ US-001 rejected: gate tests is red', 'note: attempt 1 of 3, it will be tried again'],
    story,
  ],
  [
    { type: 'story.rejected', reason: 'gate tests is red', attempts: 3 },
    ['bad: ✗ US-001 rejected: gate tests is red', 'note: attempt 3 of 3, it was the last one'],
    story,
  ],
  [
    { type: 'story.rejected', reason: 'gate is red', attempts: 0 },
    ['bad: ✗ iteration 4 rejected: gate is red'],
    { iteration: 4 },
  ],
  [
    { type: 'story.unfinished', reason: 'not claimed', attempts: 0 },
    ['warn: · US-001 unfinished: not claimed', 'note: no attempt counted'],
    story,
  ],
  [
    { type: 'story.failed', reason: 'crash', attempts: 2 },
    ['bad: ✗ US-001 failed: crash', 'note: attempt 2 of 3, it will be tried again'],
    story,
  ],
  [
    { type: 'story.blocked', reason: 'no key' },
    ['bad: ✗ US-001 blocked: no key', 'note: When it is cured: ralph unblock US-001'],
    story,
  ],
  [
    { type: 'rescue.saved', ref: 'refs/ralph/r/003' },
    [
      'note: The work is kept: git show refs/ralph/r/003',
      'note: What the agent changed: git diff refs/ralph/r/003^1 refs/ralph/r/003',
    ],
  ],
  [
    { type: 'process.killed', pid: 9, command: 'sleep 1000' },
    ['warn: Stopped a process that was left behind: 9 sleep 1000'],
  ],
  [
    { type: 'iteration.finished', verdict: 'rejected', durationMs: 65_000, costUsd: 0.42 },
    ['detail: iteration 3: rejected · 1m 05s · $0.42'],
    story,
  ],
  [
    { type: 'iteration.finished', verdict: 'interrupted', durationMs: 65_000, costUsd: 0 },
    ['warn: US-001 was interrupted; no attempt counted', 'detail: iteration 3: interrupted · 1m 05s · $0.00'],
    story,
  ],
  [{ type: 'run.finished', reason: 'complete', code: 0, signal: null, text: null, verified: true, totals }, []],
];

function gate(exit: number | null, timedOut: boolean): EventBody {
  return { type: 'gate.finished', name: 'tests', kind: 'gate', exit, durationMs: 3_200, timedOut };
}

describe('the lines of an event', () => {
  it.each(cases)('%o', (body, lines, scope) => {
    expect(
      linesOf(at(0, body, { iteration: 1, ...scope }), context).map(({ tone, text }) => `${tone}: ${text}`),
    ).toEqual(lines);
  });

  it('are tested for every type of event', () => {
    expect([...new Set(cases.map(([body]) => body.type))].sort()).toEqual(Object.keys(eventFields).sort());
  });

  it('name the attempt alone where the limit is not known', () => {
    const event = at(0, { type: 'story.rejected', reason: 'red', attempts: 2 }, story);
    expect(linesOf(event, { ...context, maxAttempts: undefined })[1]?.text).toBe('attempt 2');
  });

  it('hold no control codes of a title, a reason or a branch', () => {
    const event = at(0, { type: 'iteration.started', title: 'a\u001b]0;x\u0007\u001b[31mb\r\nc' }, story);
    expect(linesOf(event, context)).toEqual([{ tone: 'headline', text: '── 3/10 · US-001 ab c' }]);
  });
});
