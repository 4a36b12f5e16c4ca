import { describe, expect, it } from 'vitest';
import type { RalphEvent } from '../../../src/loop/events.ts';
import { createReporter, lookAtScreen } from '../../../src/reporters/create-reporter.ts';
import type { ReporterOptions } from '../../../src/reporters/create-reporter.ts';
import { displayWidth } from '../../../src/reporters/display-width.ts';
import { at, createManualClock, recordWrites, runStart, sampleRun, screenOf } from './helpers.ts';

const controls = new RegExp(String.raw`[\u0000-\u0009\u000b-\u001f\u007f-\u009f]`, 'u');

function setUp(change: Partial<ReporterOptions> = {}) {
  const writer = recordWrites();
  const clock = createManualClock();
  const reporter = createReporter({
    json: false,
    quiet: false,
    verbose: false,
    color: 0,
    isTerminal: false,
    columns: () => 80,
    timeZone: 'UTC',
    ...change,
    writer,
    clock,
  });
  return { writer, clock, reporter };
}

function show(events: readonly RalphEvent[], change: Partial<ReporterOptions> = {}) {
  const { writer, reporter } = setUp(change);
  for (const event of events) reporter.handle(event);
  reporter.close();
  return writer;
}

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

describe('on a terminal', () => {
  const agentStarts = at(0, { type: 'agent.started', tool: 'claude', pid: 1 }, { iteration: 1, story: 'US-001' });

  it('the same facts are shown as in plain lines', () => {
    const shown = screenOf(show(sampleRun(), { isTerminal: true, columns: () => 100 }).outText());
    expect(shown).toEqual(show(sampleRun()).outText().split('\n'));
  });

  it('a line at the bottom shows who works and for how long, and gives way to text', () => {
    const { writer, clock, reporter } = setUp({ isTerminal: true });
    reporter.handle(agentStarts);
    expect(screenOf(writer.outText())).toEqual(['⠋ claude works · US-001 · 0s']);
    clock.advance(65_000);
    expect(screenOf(writer.outText())).toEqual([expect.stringMatching(/^. claude works · US-001 · 1m 05s$/u)]);
    reporter.handle(at(65, { type: 'agent.text', text: 'words\n' }, { iteration: 1, story: 'US-001' }));
    expect(screenOf(writer.outText())[0]).toBe('│ words');
    expect(screenOf(writer.outText())[1]).toMatch(/^. claude works · US-001 · 1m 05s$/u);
  });

  it('its spinner turns five times a second', () => {
    const { writer, clock, reporter } = setUp({ isTerminal: true });
    reporter.handle(agentStarts);
    clock.advance(199);
    expect(screenOf(writer.outText())[0]).toMatch(/^⠋/u);
    clock.advance(1);
    expect(screenOf(writer.outText())[0]).toMatch(/^⠙/u);
  });

  it('a wait is counted down to its end', () => {
    const { writer, clock, reporter } = setUp({ isTerminal: true });
    reporter.handle(at(0, { type: 'agent.limit', resetAt: null, waitMs: 120_000, text: 'x' }, { iteration: 1 }));
    clock.advance(59_000);
    expect(screenOf(writer.outText())[1]).toMatch(/waits for the usage limit · 1m 01s left$/u);
    clock.advance(600_000);
    expect(screenOf(writer.outText())[1]).toMatch(/ · 0s left$/u);
    reporter.handle(at(700, { type: 'agent.started', tool: 'amp', pid: 2 }, { iteration: 1, try: 2 }));
    expect(screenOf(writer.outText())[1]).toMatch(/amp works/u);
    expect(clock.timers()).toBe(1);
  });

  it('the line goes when the work ends, without a rest of it and without a timer', () => {
    const { writer, clock, reporter } = setUp({ isTerminal: true });
    reporter.handle(at(0, { type: 'gate.started', name: 'types', kind: 'gate', command: 'x' }));
    clock.advance(1_000);
    reporter.handle(
      at(1, { type: 'gate.finished', name: 'types', kind: 'gate', exit: 0, durationMs: 1_000, timedOut: false }),
    );
    expect(screenOf(writer.outText())).toEqual(['✓ gate types · 1.0s', '']);
    expect(clock.timers()).toBe(0);
  });

  it('close at any moment leaves a clean line, also twice and before late events', () => {
    const { writer, clock, reporter } = setUp({ isTerminal: true });
    reporter.handle(agentStarts);
    reporter.close();
    reporter.close();
    expect(screenOf(writer.outText())).toEqual(['']);
    expect(clock.timers()).toBe(0);
    reporter.handle(at(1, { type: 'gate.started', name: 'types', kind: 'gate', command: 'x' }));
    reporter.handle(at(1, { type: 'agent.text', text: 'late' }));
    expect(screenOf(writer.outText())).toEqual(['│ late', '']);
    expect(clock.timers()).toBe(0);
  });

  it('the cursor is never hidden and no other screen is used', () => {
    const out = show([agentStarts, ...sampleRun()], { isTerminal: true, color: 1 }).outText();
    expect(out.split('\u001b[2K').join('')).not.toMatch(new RegExp(String.raw`\u001b\[[^m]*[A-HJ-Za-lhn-z]`, 'u'));
  });

  it.each([20, 40])(
    'at %d columns headlines, tool calls, spinner and words take no more than a line each',
    (columns) => {
      const { writer, clock, reporter } = setUp({ isTerminal: true, columns: () => columns });
      const scope = { iteration: 1, story: 'US-001' };
      reporter.handle(
        at(0, { type: 'iteration.started', title: '日本語の題名 and a very long title 🚀'.repeat(3) }, scope),
      );
      reporter.handle(at(0, { type: 'agent.started', tool: 'an-agent-with-a-long-name-indeed', pid: 1 }, scope));
      reporter.handle(at(0, { type: 'agent.tool', name: 'Bash', summary: 'find . -name "*.ts" '.repeat(9) }, scope));
      reporter.handle(at(0, { type: 'agent.text', text: `${'word 日本 '.repeat(30)}\n\tindented` }, scope));
      clock.advance(1_000);
      const lines = screenOf(writer.outText());
      expect(lines.length).toBeGreaterThan(8);
      for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(columns);
      expect(displayWidth(lines.at(-1) ?? '')).toBeLessThan(columns);
      for (const line of lines.slice(3, -1)) expect(line).toMatch(/^[│├]/u);
    },
  );

  it('a window that changes its size is noticed', () => {
    let columns = 80;
    const { writer, clock, reporter } = setUp({ isTerminal: true, columns: () => columns });
    reporter.handle(agentStarts);
    columns = 12;
    clock.advance(200);
    expect(screenOf(writer.outText())).toEqual(['⠙ claude w…']);
  });

  it('colours come only with a colour level', () => {
    expect(show(sampleRun(), { isTerminal: true, color: 1 }).outText()).toContain(
      '\u001b[32m✓ US-001 passed · commit 0123456\u001b[39m',
    );
    const out = show(sampleRun(), { isTerminal: true }).outText();
    expect(out.replaceAll('\u001b[2K', '')).not.toContain('\u001b');
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

describe('lookAtScreen', () => {
  it.each([
    ['a terminal', { isTTY: true, columns: 100 }, {}, [true, 1, 100]],
    ['a terminal without a width', { isTTY: true, columns: 0 }, {}, [true, 1, 80]],
    ['a dumb terminal', { isTTY: true, columns: 100 }, { TERM: 'dumb' }, [false, 0, Infinity]],
    ['a file', {}, {}, [false, 0, Infinity]],
  ])('%s', (_, screen, env, facts) => {
    const { isTerminal, color, columns } = lookAtScreen(screen, env, false);
    expect([isTerminal, color, columns()]).toEqual(facts);
  });

  it('knows --no-color', () => {
    expect(lookAtScreen({ isTTY: true }, { FORCE_COLOR: '1' }, true).color).toBe(0);
  });
});

it('the sample starts where the clock does', () => {
  expect(sampleRun()[0]?.at).toBe(new Date(runStart).toISOString());
});
