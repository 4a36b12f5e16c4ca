import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Decoded } from '../../../src/agent/types.ts';
import { captures, readCapture } from './captures.ts';
import { cutAt, decodeAll } from './decode-all.ts';

const SENTINEL = '<promise>COMPLETE</promise>';
const line = (event: unknown): string => `${JSON.stringify(event)}\n`;
const assistant = (content: unknown[], more: object = {}): string =>
  line({ type: 'assistant', message: { model: 'm', content }, parent_tool_use_id: null, ...more });
const say = (text: string, more: object = {}): string => assistant([{ type: 'text', text }], more);
const use = (name: string, input: object): string => assistant([{ type: 'tool_use', id: 't', name, input }]);
const good = (result: string, more: object = {}): string =>
  line({ result, is_error: false, subtype: 'success', type: 'result', ...more });
const claude = (...pieces: string[]): ReturnType<typeof decodeAll> => decodeAll('claude-stream-json', pieces);
const limit = (status: string, rateLimitType: string): string =>
  line({ type: 'rate_limit_event', rate_limit_info: { status, rateLimitType, resetsAt: 1_796_044_016 } });
const kinds = (events: readonly Decoded[]): string[] =>
  events.map((event) => event.kind).filter((kind) => kind !== 'turn');

describe('output that arrives in pieces', () => {
  it.each(captures)('is understood as the whole is: %s', (name) => {
    const bytes = readCapture(name);
    const format = name.startsWith('codex') ? 'codex-json' : 'claude-stream-json';
    const whole = decodeAll(format, [bytes]);
    fc.assert(
      fc.property(fc.array(fc.nat(bytes.length), { maxLength: 30 }), (cuts) => {
        expect(decodeAll(format, cutAt(bytes, cuts))).toEqual(whole);
      }),
      { numRuns: 20 },
    );
  });

  it('is understood byte by byte', () => {
    const bytes = Buffer.from(say('🚀 naïve 日本') + good(SENTINEL));
    const whole = decodeAll('claude-stream-json', [bytes]);
    expect(
      decodeAll(
        'claude-stream-json',
        [...bytes].map((byte) => Buffer.from([byte])),
      ),
    ).toEqual(whole);
    expect(whole.events).toContainEqual({ kind: 'text', text: '🚀 naïve 日本' });
  });
});

describe('the stream of claude', () => {
  it('tells text, tools, cost, tokens and session of a good run', () => {
    const { report, events } = decodeAll('claude-stream-json', [readCapture('claude-2.1.332-ok')]);
    expect(report).toMatchObject({
      result: { kind: 'good' },
      words: { sentinel: true, sentinelLast: true },
      lastSaid: SENTINEL,
      costUsd: 0.0162,
      tokens: { input: 2400, output: 100, cacheRead: 8000, cacheCreation: 600 },
    });
    expect(report.session).toMatch(/^0{8}-/);
    expect(events).toContainEqual({
      kind: 'tool',
      name: 'Bash',
      summary: 'echo hello-from-mock > proof.txt && cat proof.txt',
    });
    expect(kinds(events)).toEqual(['text', 'tool', 'text', 'result']);
  });

  it('takes cost and models of the last of two results, and no sum', () => {
    const { report, events } = decodeAll('claude-stream-json', [
      readCapture('claude-2.1.332-background-task-two-results'),
    ]);
    expect(kinds(events).filter((kind) => kind === 'result')).toHaveLength(2);
    expect(report.costUsd).toBe(0.0243);
    expect(report.tokens).toEqual({ input: 3600, output: 150, cacheRead: 12_000, cacheCreation: 900 });
  });

  it('adds usage up where no models are named', () => {
    const usage = { input_tokens: 10, output_tokens: 5 };
    const { report } = claude(good('a', { usage, total_cost_usd: 0.5 }), good('b', { usage }));
    expect(report.tokens).toEqual({ input: 20, output: 10, cacheRead: 0, cacheCreation: 0 });
    expect(report.costUsd).toBe(0.5);
  });

  it('finds a sentinel in any of several results', () => {
    const { report } = claude(say(SENTINEL), good(SENTINEL), say('The build is green.'), good('The build is green.'));
    expect(report.words.sentinel).toBe(true);
    expect(report.lastSaid).toBe('The build is green.');
  });

  it('looks for a sentinel neither in tool results, thoughts, the prompt, sub-agents, earlier messages nor stray lines', () => {
    const { report, events } = claude(
      line({ type: 'user', message: { content: [{ type: 'text', text: SENTINEL }] } }),
      assistant([{ type: 'thinking', thinking: SENTINEL }]),
      say(SENTINEL),
      use('Read', { file_path: 'docs/protocol.md' }),
      line({ type: 'user', message: { content: [{ type: 'tool_result', content: SENTINEL }] } }),
      `${SENTINEL}\n`,
      say(SENTINEL, { parent_tool_use_id: 'toolu_1' }),
      say('The lexer comes next.'),
      good('The lexer comes next.'),
    );
    expect(report.words).toEqual({ sentinel: false, sentinelLast: false, blocked: undefined });
    expect(events).toContainEqual({ kind: 'stray', text: SENTINEL });
  });

  it('takes what was said last for the final message where no result came', () => {
    expect(claude(use('Bash', { command: 'ls' }), say(`Done.\n${SENTINEL}`)).report.words.sentinelLast).toBe(true);
    expect(claude(say(`Done.\n${SENTINEL}`), use('Bash', { command: 'ls' })).report.words.sentinel).toBe(false);
  });

  it('does not take an error of the provider for words', () => {
    const synthetic = { model: '<synthetic>', content: [{ type: 'text', text: SENTINEL }] };
    const { report } = claude(
      line({ type: 'assistant', message: synthetic, error: 'unknown' }),
      line({ type: 'result', subtype: 'success', is_error: true, result: SENTINEL }),
    );
    expect(report).toMatchObject({ spoke: false, worked: false, lastSaid: '', words: { sentinel: false } });
    expect(report.result).toEqual({ kind: 'error', error: { status: undefined, codes: ['unknown'], text: SENTINEL } });
  });

  it('forgets a result when work goes on behind it', () => {
    expect(claude(good('a'), use('Bash', { command: 'ls' })).report.result).toEqual({ kind: 'none' });
    expect(claude(good('a'), line({ type: 'system', subtype: 'init' })).report.result).toEqual({ kind: 'good' });
  });

  it('keeps a good result when it is stopped while it lingers', () => {
    const aborted = {
      type: 'result',
      subtype: 'error_during_execution',
      is_error: true,
      terminal_reason: 'aborted_tools',
      errors: ['x'],
    };
    expect(claude(good('a'), line(aborted)).report.result).toEqual({ kind: 'good' });
    expect(claude(good('a'), line({ ...aborted, terminal_reason: undefined })).report.result.kind).toBe('error');
  });

  it('knows denied tools, also as amp lists them', () => {
    const denials = [{ tool_name: 'Bash', tool_input: {} }, { tool_name: 'Bash' }, 'edit_file', 7];
    expect(claude(good('a', { permission_denials: denials })).report.denied).toEqual(['Bash', 'edit_file']);
  });

  it('shows that the agent waits for its provider', () => {
    const { events } = decodeAll('claude-stream-json', [readCapture('claude-2.1.332-529-recovered')]);
    expect(events).toContainEqual({
      kind: 'retry',
      text: 'waiting for the provider (overloaded 529): attempt 1 of 10, again in 1 s',
    });
  });

  it('knows which limits are exhausted now', () => {
    expect(claude(limit('rejected', 'five_hour')).report.limits).toEqual([1_796_044_016]);
    expect(claude(limit('rejected', 'five_hour'), limit('allowed', 'five_hour')).report.limits).toEqual([]);
    expect(claude(limit('allowed_warning', 'seven_day')).report.limits).toEqual([]);
  });

  it('survives anything that is no event', () => {
    const odd = [
      'null',
      '[]',
      '"x"',
      '{',
      '{"type":"assistant"}',
      '{"type":"assistant","message":7}',
      '{"type":"result"}',
    ];
    const more = [
      '{"type":"assistant","message":{"content":[null,{"type":"text"},{"type":"tool_use"}]}}',
      '\0\u001b',
      '{"type":"rate_limit_event"}',
    ];
    expect(() => claude([...odd, ...more].join('\n'))).not.toThrow();
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        for (const format of ['claude-stream-json', 'codex-json', 'text'] as const) decodeAll(format, [bytes]);
      }),
    );
  });

  it('drops an event of 100 MB without holding it, and reads on', () => {
    const decoder = decodeAll('claude-stream-json', [
      '{"type":"user","x":"',
      ...Array.from({ length: 100 }, () => Buffer.alloc(1024 * 1024, 'x')),
      '"}\n',
      good(SENTINEL),
    ]);
    expect(decoder.report.words.sentinel).toBe(true);
    expect(decoder.events.filter((event) => event.kind === 'stray')).toEqual([]);
  });

  it('reads what amp is documented to print', () => {
    const { report } = decodeAll('claude-stream-json', [readCapture('amp-documented-example')]);
    expect(report).toMatchObject({ result: { kind: 'good' }, lastSaid: '2 + 2 equals 4.', costUsd: undefined });
    expect(report.session).toMatch(/^T-/);
  });
});

describe('the events of codex', () => {
  it('tell text, commands, tokens and session', () => {
    const { report, events } = decodeAll('codex-json', [readCapture('codex-0.171.0-ok')]);
    expect(report).toMatchObject({
      result: { kind: 'good' },
      words: { sentinel: true, sentinelLast: true },
      tokens: { input: 1600, output: 100, cacheRead: 800, cacheCreation: 0 },
    });
    expect(kinds(events)).toEqual(['tool', 'text', 'result']);
    expect(events).toContainEqual(expect.objectContaining({ kind: 'tool', name: 'command_execution' }));
  });

  it('report a failed turn, and do not take lost connections for one', () => {
    const { report } = decodeAll('codex-json', [readCapture('codex-0.171.0-401')]);
    expect(report.result).toMatchObject({
      kind: 'error',
      error: { text: expect.stringContaining('401 Unauthorized') },
    });
    const lost = line({ type: 'error', message: 'Reconnecting... 1/5' });
    expect(decodeAll('codex-json', [lost, line({ type: 'turn.completed' })]).report.result).toEqual({ kind: 'good' });
  });
});

describe('plain text', () => {
  it('is shown without control codes, a lone carriage return as a line break', () => {
    const { events } = decodeAll('text', [
      '\r\u001b[2K\u001b[32mInstalling 50%\u001b[0m\r\u001b[2KInstalling 100%\u001b[?25l\r\nIn\0stalled.\n',
    ]);
    expect(events).toEqual([{ kind: 'text', text: 'Installing 50%\nInstalling 100%\nInstalled.' }]);
  });

  it('is shown as far as a line is complete, and the rest at the end', () => {
    const { events, report } = decodeAll('text', ['a\nb', 'c', '\nd']);
    expect(events.map((event) => (event.kind === 'text' ? event.text : ''))).toEqual(['a', 'bc', 'd']);
    expect(report.lastSaid).toBe('d');
  });

  it('shows the beginning of a very long line', () => {
    const { events } = decodeAll('text', ['x'.repeat(1_000_000), '\n']);
    expect(events).toEqual([{ kind: 'text', text: `${'x'.repeat(65_536)}…` }]);
  });

  it('that is white space and control codes says nothing', () => {
    expect(decodeAll('text', ['\n \t\u001b[0m\r\n']).report.spoke).toBe(false);
  });
});
