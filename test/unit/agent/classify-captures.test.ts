import { describe, expect, it } from 'vitest';
import { captures, readCapture } from './captures.ts';
import { brief, end } from './endings.ts';

const recorded: Record<string, readonly [code: number, wanted: string]> = {
  'amp-documented-example': [0, 'ok'],
  'codex-0.171.0-401': [1, 'auth'],
  'codex-0.171.0-429': [1, 'overloaded/rate'],
  'codex-0.171.0-ok': [0, 'ok'],
  'codex-0.171.0-usagelimit': [1, 'limit/limit'],
};
const claudeRuns: Record<string, readonly [code: number, wanted: string]> = {
  '401': [1, 'auth'],
  '403': [1, 'auth'],
  '404-model': [1, 'usage'],
  '429': [1, 'overloaded/rate'],
  '429-usage-limit-apikey': [1, 'overloaded/rate'],
  '429-usage-limit-subscription': [1, 'limit/limit'],
  '500': [1, 'overloaded/overloaded'],
  '529': [1, 'overloaded/overloaded'],
  '529-recovered': [0, 'ok'],
  'background-task-two-results': [0, 'ok'],
  'credit-too-low': [1, 'limit/account'],
  'empty-reply': [0, 'empty'],
  'json-schema': [0, 'ok'],
  'json-schema-not-followed': [0, 'ok'],
  'max-budget': [1, 'budget'],
  'max-output-tokens': [1, 'budget'],
  'max-turns': [1, 'budget'],
  'not-logged-in': [1, 'auth'],
  ok: [0, 'ok'],
  'ok-rate-limit-warning': [0, 'ok'],
  'partial-messages': [0, 'ok'],
  'permission-denied': [0, 'ok'],
  'prompt-too-long': [1, 'usage'],
  refusal: [1, 'crash'],
  refused: [1, 'overloaded/overloaded'],
  'sigint-in-stream': [0, 'killed'],
  'sigint-in-tool': [1, 'killed'],
  'sigterm-in-tool': [143, 'killed'],
  'stream-cut': [1, 'overloaded/overloaded'],
};

describe('recorded runs', () => {
  it.each(captures)('%s', (name) => {
    const row = recorded[name] ?? claudeRuns[name.replace(/^claude-2\.1\.\d+-/, '')];
    expect(row, 'a row of the table').toBeDefined();
    const [code, wanted] = row ?? [0, ''];
    const format = name.startsWith('codex') ? 'codex-json' : 'claude-stream-json';
    expect(brief(end({ out: readCapture(name), code, format }))).toBe(wanted);
  });

  it.each([
    'claude-2.1.197-sigint-in-tool',
    'claude-2.1.332-sigint-in-tool',
    'claude-2.1.332-sigint-in-stream',
    'claude-2.1.332-ok',
  ])('%s, stopped by ralph itself, is interrupted whatever the exit code', (name) => {
    for (const code of [0, 1, 130]) {
      expect(end({ out: readCapture(name), code, stopped: 'interrupted' })).toMatchObject({
        class: 'interrupted',
        obstacle: undefined,
      });
    }
  });

  it('a usage limit carries the reset of the event', () => {
    const found = end({ out: readCapture('claude-2.1.332-429-usage-limit-subscription'), code: 1 });
    expect(found.obstacle).toEqual({ kind: 'limit', resetAt: 1_796_044_046_000, text: found.line });
    expect(found.line).toBe("You've hit your limit · resets 1:07pm (UTC)");
  });

  it('codex says the clock', () => {
    const { obstacle } = end({ out: readCapture('codex-0.171.0-usagelimit'), code: 1, format: 'codex-json' });
    expect(obstacle).toMatchObject({ resetAt: Date.parse('2026-11-30T13:06:00Z') });
  });
});
