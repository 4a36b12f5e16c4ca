import { describe, expect, it } from 'vitest';
import { apiError, brief, end, line, say, use } from './endings.ts';
import type { Given } from './endings.ts';

describe('error texts of older versions and other agents', () => {
  it.each<[text: string, wanted: string]>([
    ['Claude AI usage limit reached|1796050800', 'limit/limit'],
    ['5-hour limit reached ∙ resets 2am', 'limit/limit'],
    ["You've hit your limit · resets 1pm (Europe/Lisbon)", 'limit/limit'],
    ["You've hit your session limit · resets 3pm (America/New_York)", 'limit/limit'],
    ["You've hit your weekly limit", 'limit/limit'],
    ["You're out of extra usage · resets 3pm (UTC)", 'limit/limit'],
    ['Your org is out of usage', 'limit/limit'],
    ["You're out of usage credits", 'limit/account'],
    ["You've hit your monthly spend limit", 'limit/account'],
    ["You've hit your monthly spend limit · resets Dec 1 (UTC)", 'limit/account'],
    ['Credit balance is too low', 'limit/account'],
    ['API Error: 402 Payment required.', 'limit/account'],
    ['Quota exceeded. Check your plan and billing details.', 'limit/account'],
    ['Usage has been disabled by your organization admin', 'limit/account'],
    ['Out of Credits', 'limit/account'],
    ['API Error: Request rejected (429) · rate limit of 50,000 input tokens per minute', 'overloaded/rate'],
    ["You've hit your rate limit", 'overloaded/rate'],
    ['Too Many Requests', 'overloaded/rate'],
    ['API Error: Repeated 529 Overloaded errors. The API is at capacity', 'overloaded/overloaded'],
    ['API Error: Unable to connect to API (ConnectionRefused)', 'overloaded/overloaded'],
    ['API Error: The operation timed out.', 'overloaded/overloaded'],
    ['API Error: 503 upstream', 'overloaded/overloaded'],
    ["We're currently experiencing high demand", 'overloaded/overloaded'],
    ["Error: Couldn't connect to the Amp server at http://127.0.0.1:1/.", 'overloaded/overloaded'],
    ['Not logged in · Please run /login', 'auth'],
    ['Invalid API key · Fix external API key', 'auth'],
    ['unexpected status 401 Unauthorized: x', 'auth'],
    ['Missing environment variable: `OPENAI_API_KEY`', 'auth'],
    ["There's an issue with the selected model (x). It may not exist", 'usage'],
    ["Codex ran out of room in the model's context window", 'usage'],
    ['HTTP 426: run `amp update`', 'refused'],
    ['API Error: 400 messages: at least one message is required', 'crash'],
    ['stream closed', 'crash'],
  ])('%j is %s', (text, wanted) => {
    expect(brief(end({ out: apiError(text), code: 1 }))).toBe(wanted);
    expect(brief(end({ out: apiError(text), code: 0 })), 'with exit 0, too').toBe(wanted);
  });

  it('prompt too long is the fault of the prompt at the first turn only', () => {
    expect(end({ out: apiError('Prompt is too long') }).class).toBe('usage');
    expect(end({ out: use + apiError('Prompt is too long') }).class).toBe('crash');
  });

  it('a typed field goes before the text', () => {
    expect(brief(end({ out: apiError('API Error: 500 Credit balance is low', { api_error_status: 500 }) }))).toBe(
      'overloaded/overloaded',
    );
    expect(brief(end({ out: apiError('some words', { api_error_status: 402 }) }))).toBe('limit/account');
    expect(brief(end({ out: apiError('some words', { api_error: 'usage_limit_reached' }) }))).toBe('limit/limit');
  });

  it('a limit that was exhausted and is not what failed is no limit', () => {
    const rejected = line({
      type: 'rate_limit_event',
      rate_limit_info: { status: 'rejected', resetsAt: 1_796_044_016, isUsingOverage: true },
    });
    expect(
      brief(end({ out: rejected + apiError('API Error: 529 Overloaded', { api_error_status: 529 }), code: 1 })),
    ).toBe('overloaded/overloaded');
    expect(end({ out: rejected + line({ type: 'result', is_error: false, result: 'done' }) }).class).toBe('ok');
  });

  it('a limit whose reset cannot be read has none', () => {
    expect(end({ out: apiError("You've hit your limit · resets 1pm (Mars/Olympus)") }).obstacle).toMatchObject({
      kind: 'limit',
      resetAt: undefined,
    });
  });
});

describe('text that is not the agent failing', () => {
  const limit = "You've hit your limit · resets 5pm (UTC)";
  const result = line({ type: 'user', message: { content: [{ type: 'tool_result', content: limit }] } });

  it('is never classified', () => {
    expect(brief(end({ out: use + result + say(limit), stderr: 'Segmentation fault', code: 139 }))).toBe('crash');
    expect(end({ out: say(limit) + line({ type: 'result', is_error: false, result: limit }), code: 1 }).class).toBe(
      'ok',
    );
    expect(end({ out: `${limit}\n`, format: 'text' }).class).toBe('ok');
    expect(brief(end({ out: `The screen says: ${limit}\n`, code: 1, format: 'text' }))).toBe('crash');
    expect(brief(end({ out: `${limit}\n`, stderr: 'Segmentation fault', code: 139, format: 'text' }))).toBe('crash');
    expect(brief(end({ out: `${limit}\nThat is the new message.\n`, code: 1, format: 'text' }))).toBe('crash');
  });

  it('is never taken for the reason of a timeout', () => {
    for (const stopped of ['idle', 'timeout'] as const) {
      const found = end({ out: use + result, stderr: limit, stopped, exit: { kind: 'signalled', signal: 'SIGKILL' } });
      expect(found).toMatchObject({ class: stopped, obstacle: undefined });
    }
  });
});

describe('an agent without a result', () => {
  it.each<[given: Given, wanted: string]>([
    [{}, 'empty'],
    [{ out: say('done') }, 'ok'],
    [{ out: say('done') + '{"type":"result","resu' }, 'ok'],
    [{ out: say('done'), code: 1 }, 'crash'],
    [{ code: 3 }, 'crash'],
    [{ code: 17, stderr: 'fatal: something broke' }, 'crash'],
    [{ code: 126 }, 'refused'],
    [{ code: 127, stderr: 'sh: exec: node: not found' }, 'refused'],
    [{ code: 127, out: say('npm: not found') }, 'crash'],
    [{ code: 143 }, 'killed'],
    [{ code: 137, stderr: 'Invalid API key' }, 'killed'],
    [{ code: 139 }, 'crash'],
    [{ exit: { kind: 'signalled', signal: 'SIGTERM' } }, 'killed'],
    [{ exit: { kind: 'signalled', signal: 'SIGSEGV' } }, 'crash'],
    [{ exit: { kind: 'failed', code: 'ENOENT', message: 'spawn x ENOENT' } }, 'refused'],
    [{ exit: { kind: 'failed', code: 'EACCES', message: 'spawn x EACCES' } }, 'refused'],
    [{ exit: { kind: 'failed', code: 'E2BIG', message: 'spawn E2BIG' } }, 'usage'],
    [{ exit: { kind: 'failed', code: 'EAGAIN', message: 'spawn EAGAIN' } }, 'crash'],
    [
      {
        code: 1,
        stderr: '--dangerously-skip-permissions cannot be used with root/sudo privileges for security reasons',
      },
      'refused',
    ],
    [{ code: 1, stderr: "error: unknown option '--verbose'" }, 'usage'],
    [{ code: 1, stderr: "error: unknown option '--verbose'", out: use }, 'crash'],
    [
      {
        code: 1,
        stderr: 'Error: Input must be provided either through stdin or as a prompt argument when using --print',
      },
      'usage',
    ],
    [{ code: 1, stderr: 'Error: Session ID x is already in use.' }, 'usage'],
    [
      { code: 1, stderr: 'Error: User message must be provided through stdin or as argument when using execute mode' },
      'usage',
    ],
    [{ code: 1, stderr: 'Error: getUserInfo error: Unauthorized' }, 'auth'],
    [{ code: 1, stderr: "Error: Couldn't connect to the Amp server at x." }, 'overloaded/overloaded'],
    [{ code: 1, stderr: 'Not inside a trusted directory and --skip-git-repo-check was not specified.' }, 'refused'],
    [{ code: 1, out: 'No such thing\n' }, 'crash'],
    [{ code: 145, exitClasses: { 145: 'auth' }, format: 'text' }, 'auth'],
    [{ code: 1, out: "You've hit your limit · resets 1pm (UTC)\n", format: 'text' }, 'limit/limit'],
    [{ code: 1, out: 'API Error: 529 Overloaded.\n', format: 'text' }, 'overloaded/overloaded'],
    [
      {
        code: 1,
        out: 'I worked for an hour.\n',
        stderr: 'ERROR: You’ve hit your usage limit, try again in 2h',
        format: 'text',
      },
      'limit/limit',
    ],
  ])('%j is %s', (given, wanted) => expect(brief(end(given))).toBe(wanted));

  it('shows its own last error line, not a frame of a stack trace', () => {
    const stderr =
      'Error: No messages returned\n    at main (cli.js:12:3)\n    at async run (cli.js:40:1)\nNode.js v20.20.2';
    expect(end({ code: 1, stderr: stderr.replaceAll('    at', 'at') }).line).toBe('Error: No messages returned');
    expect(end({ code: 1, out: say('one\ntwo') }).line).toBe('two');
  });

  it('shows the line that was recognized', () => {
    expect(end({ code: 1, stderr: "error: unknown option '--x'\n(run with --help)" })).toMatchObject({
      class: 'usage',
      line: "error: unknown option '--x'",
    });
  });
});

describe('why ralph stopped it', () => {
  it('counts by the result, once there is one', () => {
    const good = line({ type: 'result', is_error: false, result: 'done' });
    const exit = { kind: 'signalled', signal: 'SIGKILL' } as const;
    for (const stopped of ['silent-after-result', 'idle', 'timeout'] as const) {
      expect(end({ out: say('done') + good, stopped, exit }).class).toBe('ok');
      expect(brief(end({ out: apiError('API Error: 529 Overloaded'), stopped, exit }))).toBe('overloaded/overloaded');
    }
  });

  it('is the fatal line', () => {
    const fatal = { class: 'auth', line: 'No API key found. Starting login flow...' } as const;
    expect(end({ stopped: 'fatal-line', fatal })).toEqual({ class: 'auth', obstacle: undefined, line: fatal.line });
  });

  it('a success and then an error: the last decides', () => {
    const good = line({ type: 'result', is_error: false, result: 'done' });
    const bad = line({ type: 'result', subtype: 'error_during_execution', is_error: true, errors: ['stream closed'] });
    expect(end({ out: say('done') + good + bad, code: 1 })).toEqual({
      class: 'crash',
      obstacle: undefined,
      line: 'stream closed',
    });
    expect(end({ out: say('x') + bad + good, code: 1 }).class).toBe('ok');
  });
});
