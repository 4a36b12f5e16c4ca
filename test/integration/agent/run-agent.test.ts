import { existsSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { amp } from '../../../src/agent/amp.ts';
import { claude } from '../../../src/agent/claude.ts';
import { fieldsOf, listOf, parseEvent } from '../../../src/agent/fields.ts';
import { createWorld, agentOf } from './scripted-agent.ts';
import type { World } from './scripted-agent.ts';

let w: World;
beforeEach(() => {
  w = createWorld();
});
afterEach(() => w.remove());

const readInput =
  'const chunks = []; for await (const c of process.stdin) chunks.push(c); const input = Buffer.concat(chunks).toString();';
const withPath = (): { env: NodeJS.ProcessEnv } => ({ env: { PATH: `${w.path('bin')}:${process.env['PATH'] ?? ''}` } });

describe('one run of an agent', () => {
  it('hands over prompt, arguments and environment, and tells what happened', async () => {
    w.program(
      'claude',
      `${readInput}
      fs.writeFileSync('seen.json', JSON.stringify({ input, argv: process.argv.slice(2), env: process.env, cwd: process.cwd() }));
      say('Working.');
      line({ type: 'assistant', message: { content: [{ type: 'tool_use', name: 'Bash', input: { command: 'npm test' } }] } });
      say('Done.\\n\\n<promise>COMPLETE</promise>');
      result('Done.\\n\\n<promise>COMPLETE</promise>', { total_cost_usd: 0.5, session_id: 's1', usage: { input_tokens: 7, output_tokens: 3 }, permission_denials: [{ tool_name: 'WebFetch' }] });
      process.stderr.write('a warning\\n');`,
    );
    const env = { ...withPath().env, CLAUDECODE: '1', GIT_DIR: '/x', MY_TOKEN: 'kept' };
    const prompt = `naïve 🚀 $& \`x\`\n${'long '.repeat(100_000)}`;
    const end = await w.run(claude, { env, prompt, maxCostUsd: 2, extraArgs: ['--effort', 'low'] });

    expect(end).toEqual({
      class: 'ok',
      exit: 0,
      words: { sentinel: true, sentinelLast: true, blocked: undefined },
      obstacle: undefined,
      lastLine: '<promise>COMPLETE</promise>',
      costUsd: 0.5,
      tokens: { input: 7, output: 3, cacheRead: 0, cacheCreation: 0 },
      denied: ['WebFetch'],
    });
    const seen = parseEvent(w.read('seen.json')) ?? {};
    expect(seen['input']).toBe(prompt);
    expect(listOf(seen['argv']).slice(-4)).toEqual(['--max-budget-usd', '2', '--effort', 'low']);
    expect(seen['cwd']).toBe(w.root);
    expect(seen['env']).toMatchObject({
      MY_TOKEN: 'kept',
      RALPH_ITERATION: '1',
      RALPH_STORY_ID: 'US-001',
      DISABLE_AUTOUPDATER: '1',
      GIT_EDITOR: 'true',
    });
    for (const name of ['CLAUDECODE', 'GIT_DIR', 'IS_SANDBOX']) expect(fieldsOf(seen['env'])[name]).toBeUndefined();

    expect(w.events.map((event) => event.type)).toEqual([
      'agent.started',
      'agent.text',
      'agent.tool',
      'agent.text',
      'agent.denied',
      'agent.finished',
    ]);
    for (const event of w.events) expect(event).toMatchObject({ iteration: 1, try: 1, story: 'US-001' });
    expect(w.event('agent.started')[0]?.pid).toBeGreaterThan(1);
    expect(w.event('agent.tool')[0]).toMatchObject({ name: 'Bash', summary: 'npm test' });
    expect(w.event('agent.finished')[0]).toMatchObject({
      exit: 0,
      signal: null,
      class: 'ok',
      costUsd: 0.5,
      session: 's1',
      text: null,
    });
    expect(w.read('stderr.log')).toBe('a warning\n');
    expect(w.read('output.log')).toContain('"total_cost_usd":0.5');
  });

  it('keeps variables that the user has set', async () => {
    w.program('claude', `result(String(process.env.DISABLE_AUTOUPDATER)); say(process.env.DISABLE_AUTOUPDATER)`);
    const end = await w.run(claude, { env: { ...withPath().env, DISABLE_AUTOUPDATER: '0' } });
    expect(end.lastLine).toBe('0');
  });

  it('does not let a prompt be taken for a command', async () => {
    w.program('claude', `${readInput} say(input); result(input);`);
    expect((await w.run(claude, { ...withPath(), prompt: '/clear\nnow' })).lastLine).toBe('now');
    expect(w.event('agent.text')[0]?.text).toMatch(/^Task:\n\n\/clear/);
  });

  it('gives the prompt as a file or as an argument', async () => {
    const program = w.program(
      'agent',
      "const last = process.argv.at(-1); console.log(fs.existsSync(last) ? 'file ' + fs.readFileSync(last, 'utf8') : 'text ' + last);",
    );
    expect((await w.run(agentOf(program, 'text', 'file'), { prompt: 'from a file' })).lastLine).toBe(
      'file from a file',
    );
    expect((await w.run(agentOf(program, 'text', 'argument'), { prompt: 'as it\0 is' })).lastLine).toBe(
      'text as it is',
    );
  });

  it('a prompt that is too long for an argument is an error of usage', async () => {
    const program = w.program('agent', '');
    const end = await w.run(agentOf(program, 'text', 'argument'), { prompt: 'x'.repeat(3_000_000) });
    expect(end.class).toBe('usage');
    expect(w.event('agent.started')[0]?.pid).toBeNull();
  });

  it('an agent that is not there is refused, and no exception', async () => {
    const end = await w.run(agentOf('/no/such/agent'));
    expect(end).toMatchObject({ class: 'refused', exit: undefined });
    expect(end.lastLine).toContain('ENOENT');
    expect(w.events.map((event) => event.type)).toEqual(['agent.started', 'agent.finished']);
  });

  it('an agent that does not read a large prompt is no crash', async () => {
    const end = await w.run(agentOf(w.program('agent', 'process.exit(3);')), { prompt: 'x'.repeat(2_000_000) });
    expect(end).toMatchObject({ class: 'crash', exit: 3 });
  });

  it('keeps every byte in the log and shows whole characters', async () => {
    const program = w.program(
      'agent',
      `const bytes = Buffer.concat([Buffer.from('🚀 naïve 日本\\n'), Buffer.from([0x61, 0, 0xff, 0xfe, 0xc3, 0x1b, 0x0a])]);
      for (const byte of bytes) await new Promise((done) => process.stdout.write(Buffer.from([byte]), done));
      process.stdout.write('<promise>COMPLETE</promise>\\n');`,
    );
    const end = await w.run(agentOf(program, 'text'));
    expect(end.words.sentinelLast).toBe(true);
    expect(w.log('output.log').includes(Buffer.from([0x61, 0, 0xff, 0xfe, 0xc3, 0x1b, 0x0a]))).toBe(true);
    expect(
      w
        .event('agent.text')
        .map((event) => event.text)
        .join('\n'),
    ).toContain('🚀 naïve 日本');
  });

  it('bounds what is shown over all tries of an iteration', async () => {
    const program = w.program(
      'agent',
      "process.stdout.write('x'.repeat(6e6).replace(/.{100}/g, '$&\\n')); say('end');",
    );
    const agent = agentOf(program, 'text');
    const port = w.port(agent);
    await w.run(agent, { port });
    await w.run(agent, { port, try: 2 });
    const bytes = w.event('agent.text').reduce((sum, event) => sum + Buffer.byteLength(event.text), 0);
    expect(Math.max(...w.event('agent.text').map((event) => Buffer.byteLength(event.text)))).toBeLessThanOrEqual(
      16_384,
    );
    expect(bytes).toBeGreaterThan(5_900_000);
    expect(bytes).toBeLessThan(8 * 1024 * 1024);
    await w.run(agent, { port, iteration: 2 });
    expect(w.event('agent.text').at(-1)).toMatchObject({ iteration: 2, text: expect.stringContaining('end') });
  });
});

describe('an agent that has to be stopped', () => {
  it('because it is silent', async () => {
    const program = w.program('agent', "say('Reading first.'); stay();");
    const end = await w.run(agentOf(program), {
      settings: { model: undefined, idleTimeout: 500, iterationTimeout: undefined },
    });
    expect(end).toMatchObject({ class: 'idle', exit: undefined, lastLine: 'Reading first.' });
    expect(w.event('agent.finished')[0]).toMatchObject({ class: 'idle', signal: 'SIGINT', text: 'Reading first.' });
  });

  it('because its time is up, although it talks', async () => {
    const program = w.program('agent', "setInterval(() => say('still at it'), 50);");
    const end = await w.run(agentOf(program), {
      settings: { model: undefined, idleTimeout: 20_000, iterationTimeout: 700 },
    });
    expect(end.class).toBe('timeout');
  });

  it('because its time is up, when it had its say and lingers: counted by its result', async () => {
    const program = w.program('agent', "say('done'); result('done', { total_cost_usd: 0.1 }); stay();");
    const end = await w.run(agentOf(program), {
      settings: { model: undefined, idleTimeout: 500, iterationTimeout: 700 },
    });
    expect(end).toMatchObject({ class: 'ok', exit: undefined, costUsd: 0.1 });
    // The idle time no longer counts behind a result.
    expect(w.event('agent.finished')[0]?.durationMs).toBeGreaterThan(650);
  });

  it('because it waits for a login: at once, and its line is shown', async () => {
    w.program('amp', "process.stdout.write('No API key found. Starting login flow...'); stay();");
    const end = await w.run(amp, withPath());
    expect(end).toMatchObject({ class: 'auth', lastLine: 'No API key found. Starting login flow...' });
    expect(w.event('agent.finished')[0]?.durationMs).toBeLessThan(5_000);
  });

  it('because the run is interrupted, whatever it then says and with whatever code it ends', async () => {
    const controller = new AbortController();
    const program = w.program(
      'agent',
      "process.on('SIGINT', () => { result('fine'); process.exit(0); }); say('ready'); stay();",
    );
    const emitted: string[] = [];
    const end = await w.run(agentOf(program), {
      signal: controller.signal,
      emit: (body) => {
        emitted.push(body.type);
        if (body.type === 'agent.text') controller.abort({ kind: 'signal', signal: 'SIGINT' });
      },
    });
    expect(end).toMatchObject({ class: 'interrupted', exit: 0 });
    expect(emitted).toContain('agent.finished');
  });

  it('is not even started when the run is over', async () => {
    const program = w.program('agent', "fs.writeFileSync('started', '');");
    const end = await w.run(agentOf(program), { signal: AbortSignal.abort({ kind: 'stop' }) });
    expect(end.class).toBe('interrupted');
    expect(existsSync(w.path('started'))).toBe(false);
  });
});

describe('what an agent leaves behind', () => {
  it('is stopped and named', async () => {
    const program = w.program(
      'agent',
      `const child = require('node:child_process').spawn('sleep', ['60'], { stdio: 'ignore', detached: true });
      child.unref();
      say(String(child.pid)); result('done');`,
    );
    await w.run(agentOf(program));
    const pid = Number(w.event('agent.text')[0]?.text);
    expect(w.event('process.killed')).toEqual([
      expect.objectContaining({ pid, command: expect.stringContaining('sleep') }),
    ]);
  });
});
