import { describe, expect, it } from 'vitest';
import { lookAtScreen } from '../../../src/reporters/create-reporter.ts';
import { displayWidth } from '../../../src/reporters/display-width.ts';
import { at, sampleRun, screenOf } from './recording.ts';
import { setUp, show } from './reporting.ts';

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
