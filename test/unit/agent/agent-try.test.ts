import { describe, expect, it } from 'vitest';
import { AgentTry } from '../../../src/agent/agent-try.ts';
import { amp } from '../../../src/agent/amp.ts';
import { claude } from '../../../src/agent/claude.ts';
import { TextOutlet } from '../../../src/agent/text-outlet.ts';
import type { AgentSpec } from '../../../src/agent/types.ts';
import type { EventBody } from '../../../src/loop/events.ts';
import { readCapture } from './captures.ts';

function start(spec: AgentSpec): { attempt: AgentTry; events: EventBody[]; out: (event: unknown) => void } {
  const events: EventBody[] = [];
  const outlet = new TextOutlet((text) => events.push({ type: 'agent.text', text }));
  const attempt = new AgentTry({ spec, prompt: '', outlet, emit: (body) => events.push(body) });
  const out = (event: unknown): void =>
    attempt.stdout(Buffer.from(`${typeof event === 'string' ? event : JSON.stringify(event)}\n`));
  return { attempt, events, out };
}
const result = { type: 'result', is_error: false, result: 'done' };
const tool = { type: 'assistant', message: { content: [{ type: 'tool_use', name: 'Bash', input: {} }] } };

describe('AgentTry', () => {
  it('has seen a result until work goes on', () => {
    const { attempt, out } = start(claude);
    const looks = [
      tool,
      result,
      { type: 'rate_limit_event' },
      { type: 'system', subtype: 'task_updated' },
      tool,
      result,
    ].map((event) => {
      out(event);
      return attempt.look();
    });
    expect(looks).toEqual(['working', 'result-seen', 'result-seen', 'result-seen', 'working', 'result-seen']);
  });

  it('takes the beginning of a turn for work, though there is nothing to show yet', () => {
    const { attempt, out } = start(claude);
    for (const begin of [
      { type: 'system', subtype: 'init' },
      { type: 'system', subtype: 'task_notification' },
      { type: 'system', subtype: 'status', status: 'requesting' },
    ]) {
      out(result);
      out(begin);
      expect(attempt.look()).toBe('working');
    }
    out(result);
    out({ type: 'system', subtype: 'status', status: null });
    expect(attempt.look()).toBe('result-seen');
  });

  it('sees a result behind each of two turns', () => {
    const { attempt } = start(claude);
    attempt.stdout(readCapture('claude-2.1.332-background-task-two-results'));
    expect(attempt.look()).toBe('result-seen');
  });

  it.each(['stdout', 'stderr'] as const)('stops at a fatal line on %s, also one without an end', (stream) => {
    const { attempt } = start(amp);
    attempt[stream](Buffer.from('No API key found. '));
    expect(attempt.look()).toBe('working');
    attempt[stream](Buffer.from('Starting login flow...'));
    expect(attempt.look()).toBe('fatal-line');
    attempt.stdout(Buffer.from(`\n${JSON.stringify(result)}\n`));
    expect(attempt.look()).toBe('fatal-line');
    expect(attempt.facts().fatal).toEqual({ class: 'auth', line: 'No API key found. Starting login flow...' });
  });

  it('does not take words about it for the line', () => {
    const { attempt, out } = start(amp);
    out({
      type: 'assistant',
      message: { content: [{ type: 'text', text: 'No API key found. Starting login flow...' }] },
    });
    out({
      type: 'user',
      message: { content: [{ type: 'tool_result', content: 'No API key found. Starting login flow...' }] },
    });
    expect(attempt.look()).toBe('working');
  });

  it('shows errors of the provider and waits, and stray lines', () => {
    const { attempt, events, out } = start(claude);
    attempt.stdout(readCapture('claude-2.1.332-529'));
    out('not an event');
    const texts = events.flatMap((event) => (event.type === 'agent.text' ? [event.text] : []));
    expect(texts[0]).toContain('waiting for the provider');
    expect(texts.filter((text) => text.startsWith('API Error: 529'))).toHaveLength(1);
    expect(texts.at(-1)).toBe('not an event');
  });

  it('knows whether anything but white space came', () => {
    const { attempt } = start(claude);
    attempt.stdout(Buffer.from(' \n'));
    expect(attempt.facts().stdoutEmpty).toBe(true);
    attempt.stdout(Buffer.from('x'));
    expect(attempt.facts().stdoutEmpty).toBe(false);
  });

  it('keeps the last lines of stderr', () => {
    const { attempt } = start(claude);
    for (let i = 0; i < 1000; i += 1) attempt.stderr(Buffer.from(`line ${i}\r\u001b[2K`));
    attempt.stderr(Buffer.from('the last'));
    attempt.end();
    expect(attempt.facts().stderr.slice(-2)).toEqual(['line 999', 'the last']);
    expect(attempt.facts().stderr.length).toBeLessThanOrEqual(20);
  });
});
