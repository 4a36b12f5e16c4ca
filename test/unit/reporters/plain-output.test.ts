import { describe, expect, it } from 'vitest';
import { at, runStart, sampleRun } from './recording.ts';
import { setUp, show } from './reporting.ts';

const controls = new RegExp(String.raw`[\u0000-\u0009\u000b-\u001f\u007f-\u009f]`, 'u');

describe('plain lines', () => {
  it('tell a whole run', () => {
    expect(show(sampleRun()).outText()).toMatchInlineSnapshot(`
      "ralph · claude · branch ralph/priority
      prd.json · 0 of 3 stories passed · at most 10 iterations

      ── 1/10 · US-001 Add a priority field
      │ I look at the schema first.
      ├ Bash npm test
      Denied tools: WebFetch
      ✗ gate types: exit 2 · 4.0s
      The work is kept: git show refs/ralph/20260309-010000-000-abcd/001
      What the agent changed: git diff refs/ralph/20260309-010000-000-abcd/001^1 refs/ralph/20260309-010000-000-abcd/001
      ✗ US-001 rejected: gate types failed with exit 2
      attempt 1 of 3, it will be tried again

      ── 2/10 · US-001 Add a priority field
      ✓ gate types · 4.0s
      ✓ US-001 passed · commit 0123456

      ── 3/10 · US-002 Show priority on the cards
      ✗ US-002 blocked: no key for the sandbox
      When it is cured: ralph unblock US-002

      Story                              Verdict  Attempts    Time   Cost  Commit
      US-001 Add a priority field        passed          1  1m 40s  $0.42  0123456
      US-002 Show priority on the cards  blocked         0    4.0s  $0.21  -

      No story is left that can be worked on: each is blocked or waits for a blocked one. 1 of 3 stories passed.
      US-002 blocked: no key for the sandbox
      US-003 waits for US-002
      Denied tools: WebFetch
      Exit 3 (blocked) · 3 iterations · 1m 50s · $0.63 · 12.3k tokens
      Next: cure the cause, then: ralph unblock US-002
      "
    `);
  });

  it('go out one by one, at the moment they happen', () => {
    const { writer, reporter } = setUp();
    reporter.handle(at(0, { type: 'agent.text', text: 'first' }));
    expect(writer.outText()).toBe('│ first\n');
    reporter.handle(at(1, { type: 'agent.text', text: 'second\n\nthird\n' }));
    expect(writer.outText()).toBe('│ first\n│ second\n│\n│ third\n');
  });

  it('hold no control code whatever an agent prints; a lone carriage return is a line break', () => {
    const text = '\rInstalling 50%\u001b[2K\rInstalling 100%\u001b[1A\u001b]0;x\u0007\u0000\n';
    const out = show([at(0, { type: 'agent.text', text })]).outText();
    expect(out).toBe('│\n│ Installing 50%\n│ Installing 100%\n');
    expect(out.replaceAll('\n', '')).not.toMatch(controls);
  });

  it('have colours only where they are forced', () => {
    expect(show(sampleRun(), { color: 1 }).outText()).toContain('\u001b[31m✗ gate types: exit 2 · 4.0s\u001b[39m\n');
    expect(show(sampleRun()).outText()).not.toContain('\u001b');
  });

  it('have no spinner', () => {
    const { clock, reporter } = setUp();
    reporter.handle(at(0, { type: 'agent.started', tool: 'claude', pid: 1 }));
    expect(clock.timers()).toBe(0);
  });

  it('with -v tell commands, logs and details, too', () => {
    const out = show(sampleRun(), { verbose: true }).outText();
    expect(out).toContain('gate types: npm run types\n');
    expect(out).toContain('/001/prompt.md, its output: .ralph/runs/20260309-010000-000-abcd/001/output.log\n');
    expect(out).toContain('iteration 1: rejected · 1m 04s · $0.21\n');
    expect(show(sampleRun()).outText()).not.toContain('prompt.md');
  });
});

describe('-q', () => {
  it('shows the summary on stdout and warnings on stderr, nothing else', () => {
    const warning = at(0, { type: 'warning.raised', text: 'no branchName', place: null });
    const writer = show([...sampleRun().slice(0, -1), warning, ...sampleRun().slice(-1)], {
      quiet: true,
      verbose: true,
      isTerminal: true,
    });
    expect(writer.errText()).toBe('Warning: no branchName\n');
    const plain = show(sampleRun()).outText();
    expect(writer.outText()).toBe(plain.slice(plain.indexOf('Story  ')));
  });

  it('tells a wait for a limit, which may last for hours', () => {
    const limit = at(0, { type: 'agent.limit', resetAt: null, waitMs: 3_600_000, text: 'resets 2am' });
    expect(show([limit], { quiet: true }).errText()).toBe('Usage limit: resets 2am · next try at 02:00, in 1h 00m\n');
  });
});

describe('--json', () => {
  it('is one line for each event on stdout, and nothing else there', () => {
    const writer = show(sampleRun(), { json: true, quiet: true, verbose: true, isTerminal: true, color: 3 });
    const lines = writer.outText().split('\n');
    expect(lines.pop()).toBe('');
    expect(lines.map((line): unknown => JSON.parse(line))).toEqual(sampleRun());
  });

  it('says on stderr why a run ended that is not complete', () => {
    expect(show(sampleRun(), { json: true }).errText()).toBe(
      'ralph: blocked (exit 3): No story is left that can be worked on: each is blocked or waits for a blocked one. 1 of 3 stories passed.\n',
    );
    const end = sampleRun().at(-1);
    const complete = end?.type === 'run.finished' ? [{ ...end, reason: 'complete' as const, code: 0 }] : [];
    expect(show(complete, { json: true }).errText()).toBe('');
  });

  it('keeps an event on one line whatever its text holds', () => {
    const writer = show([at(0, { type: 'agent.text', text: 'done\n{"type":"run.finished"}\r\n\ud800' })], {
      json: true,
    });
    expect(writer.outText().match(/[\r\n]/gu)).toEqual(['\n']);
  });
});

it('the sample starts where the clock does', () => {
  expect(sampleRun()[0]?.at).toBe(new Date(runStart).toISOString());
});
