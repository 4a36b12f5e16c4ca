import type { EventBody, EventScope, RalphEvent } from '../../../src/loop/events.ts';
import type { ReporterClock } from '../../../src/reporters/reporter.ts';
import type { Writer } from '../../../src/reporters/writer.ts';

export const runStart = Date.parse('2026-03-09T01:00:00.000Z');

/** An event `seconds` after the start of the run. */
export function at(seconds: number, body: EventBody, scope: EventScope = {}): RalphEvent {
  return {
    v: 1,
    at: new Date(runStart + seconds * 1_000).toISOString(),
    run: '20260309-010000-000-abcd',
    ...scope,
    ...body,
  };
}

export interface RecordingWriter extends Writer {
  readonly outText: () => string;
  readonly errText: () => string;
}

export function recordWrites(): RecordingWriter {
  let out = '';
  let err = '';
  return {
    out: (text) => {
      out += text;
    },
    outBytes: (bytes) => {
      out += Buffer.from(bytes).toString('utf8');
      return true;
    },
    err: (text) => {
      err += text;
    },
    flush: () => Promise.resolve(),
    outText: () => out,
    errText: () => err,
  };
}

export interface ManualClock extends ReporterClock {
  /** Moves the time on and calls every timer that is due. */
  readonly advance: (ms: number) => void;
  readonly timers: () => number;
}

export function createManualClock(start = runStart): ManualClock {
  let now = start;
  const timers = new Set<{ ms: number; next: number; tick: () => void }>();
  return {
    now: () => now,
    every(ms, tick) {
      const timer = { ms, next: now + ms, tick };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    advance(ms) {
      const end = now + ms;
      for (;;) {
        const due = [...timers].filter((timer) => timer.next <= end).sort((a, b) => a.next - b.next)[0];
        if (due === undefined) break;
        now = due.next;
        due.next += due.ms;
        due.tick();
      }
      now = end;
    },
    timers: () => timers.size,
  };
}

/** The lines that a terminal shows after these writes; knows line feed, carriage return and "erase line". */
export function screenOf(text: string): string[] {
  const lines = [''];
  for (const part of text.split(new RegExp(String.raw`(\r|\n|\u001b\[2K)`, 'u'))) {
    const last = lines.length - 1;
    if (part === '\n') lines.push('');
    else if (part === '\u001b[2K') lines[last] = '';
    else if (part !== '\r') lines[last] += part;
  }
  return lines;
}

const noTokens = { input: 0, output: 0, cacheRead: 0, cacheCreation: 0 };

/** A run of three iterations: rejected, passed, blocked. */
export function sampleRun(): RalphEvent[] {
  const first = { iteration: 1, story: 'US-001' };
  const second = { iteration: 2, story: 'US-001' };
  const third = { iteration: 3, story: 'US-002' };
  const ref = 'refs/ralph/20260309-010000-000-abcd/001';
  const agentEnd = {
    exit: 0,
    signal: null,
    class: 'ok',
    costUsd: 0.21,
    tokens: noTokens,
    session: 's-1',
    text: null,
  } as const;
  return [
    at(0, {
      type: 'run.started',
      tool: 'claude',
      branch: 'ralph/priority',
      prd: 'prd.json',
      maxIterations: 10,
      maxAttempts: 3,
      stories: 3,
      passed: 0,
    }),
    at(1, { type: 'iteration.started', title: 'Add a priority field' }, first),
    at(1, { type: 'agent.started', tool: 'claude', pid: 77 }, { ...first, try: 1 }),
    at(2, { type: 'agent.text', text: 'I look at the schema first.\n' }, { ...first, try: 1 }),
    at(3, { type: 'agent.tool', name: 'Bash', summary: 'npm test' }, { ...first, try: 1 }),
    at(60, { type: 'agent.denied', tools: ['WebFetch'] }, { ...first, try: 1 }),
    at(61, { type: 'agent.finished', durationMs: 60_000, ...agentEnd }, { ...first, try: 1 }),
    at(61, { type: 'claim.made', stories: ['US-001'] }, first),
    at(61, { type: 'gate.started', name: 'types', kind: 'gate', command: 'npm run types' }, first),
    at(65, { type: 'gate.finished', name: 'types', kind: 'gate', exit: 2, durationMs: 4_000, timedOut: false }, first),
    at(65, { type: 'rescue.saved', ref }, first),
    at(65, { type: 'story.rejected', reason: 'gate types failed with exit 2', attempts: 1 }, first),
    at(65, { type: 'iteration.finished', verdict: 'rejected', durationMs: 64_000, costUsd: 0.21 }, first),
    at(67, { type: 'iteration.started', title: 'Add a priority field' }, second),
    at(67, { type: 'agent.started', tool: 'claude', pid: 78 }, { ...second, try: 1 }),
    at(99, { type: 'agent.finished', durationMs: 32_000, ...agentEnd }, { ...second, try: 1 }),
    at(99, { type: 'gate.started', name: 'types', kind: 'gate', command: 'npm run types' }, second),
    at(
      103,
      { type: 'gate.finished', name: 'types', kind: 'gate', exit: 0, durationMs: 4_000, timedOut: false },
      second,
    ),
    at(103, { type: 'story.passed', commit: '0123456789abcdef', verified: true, attempts: 1 }, second),
    at(103, { type: 'iteration.finished', verdict: 'passed', durationMs: 36_000, costUsd: 0.21 }, second),
    at(105, { type: 'iteration.started', title: 'Show priority on the cards' }, third),
    at(105, { type: 'agent.started', tool: 'claude', pid: 79 }, { ...third, try: 1 }),
    at(109, { type: 'agent.finished', durationMs: 4_000, ...agentEnd }, { ...third, try: 1 }),
    at(109, { type: 'story.blocked', reason: 'no key for the sandbox' }, third),
    at(109, { type: 'iteration.finished', verdict: 'blocked', durationMs: 4_000, costUsd: 0.21 }, third),
    at(110, {
      type: 'run.finished',
      reason: 'blocked',
      code: 3,
      signal: null,
      text: null,
      verified: true,
      open: [
        { id: 'US-002', title: 'Show priority on the cards', blocked: 'no key for the sandbox', waitsFor: [] },
        { id: 'US-003', title: 'Filter by priority', blocked: null, waitsFor: ['US-002'] },
      ],
      totals: {
        iterations: 3,
        passed: 1,
        rejected: 1,
        failed: 0,
        costUsd: 0.63,
        tokens: { ...noTokens, input: 12_000, output: 300 },
        durationMs: 110_000,
      },
    }),
  ];
}
