/** What agents and gates print, and what ralph prints and keeps of it. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { RalphEvent } from '../../src/loop/events.ts';
import { createWorld } from './world.ts';

const plain = { agents: { plain: { command: 'plain', args: [], prompt: 'stdin', output: 'text' } } };
const loop = { prd: null, files: { 'loop.md': 'Do the next thing.\n' }, config: plain };
const MiB = 1 << 20;

test('--json: the lines of events.jsonl and nothing else, whatever agent and gates print; in the order of the steps', async () => {
  const w = createWorld({
    stories: [{}],
    config: { gates: [{ name: 'noisy', run: 'echo out; echo err >&2; test ! -e BROKEN' }] },
    agent(a) {
      if (a.call === 1) a.write('BROKEN', 'x');
      a.err('a warning\n');
      a.use('Read', { file_path: 'x' }, '{"type":"fake"}');
      a.say('done\n{"type":"run.finished"}\n');
      a.solve();
    },
  });
  const r = (await w.loop(3, '--json')).exits(0);
  expect(r.out).toBe(w.read(`${w.run()}/events.jsonl`));
  const events = r.out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as RalphEvent);
  const iteration = 'iteration.started agent.started agent.tool agent.text agent.text agent.finished claim.made';
  expect(events.map((event) => event.type).join(' ')).toBe(
    [
      'run.started warning.raised gate.started gate.finished',
      `${iteration} gate.started gate.finished rescue.saved story.rejected iteration.finished`,
      `${iteration} gate.started gate.finished story.passed iteration.finished`,
      'run.finished',
    ].join(' '),
  );
  for (const event of events) {
    expect(event).toMatchObject({
      v: 1,
      run: w.runs()[0],
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/u) as string,
    });
    if (/^(iteration|agent|story|claim|rescue)\./u.test(event.type)) expect(event).toMatchObject({ story: 'US-001' });
    if (event.type.startsWith('agent.')) expect(event).toMatchObject({ try: 1 });
  }
  expect(events.map((event) => event.at)).toEqual(events.map((event) => event.at).sort());
  expect(events.at(-1)).toMatchObject({
    reason: 'complete',
    code: 0,
    totals: { iterations: 2, passed: 1, rejected: 1, failed: 0, costUsd: 0.02 },
  });
});

test('a run leaves run.json and, for each iteration, prompt, output and gate log', async () => {
  const w = createWorld({
    config: { gates: [{ name: 'sound', run: 'echo from the gate' }] },
    agent(a) {
      a.err('a warning\n');
      a.solve();
    },
  });
  (await w.loop(2)).exits(0);
  const folder = w.run();
  expect(JSON.parse(w.read(`${folder}/run.json`))).toMatchObject({
    id: w.runs()[0],
    status: 'finished',
    tool: 'claude',
    branch: 'ralph/feature',
    prd: 'prd.json',
    reason: 'complete',
    code: 0,
    totals: { iterations: 1 },
  });
  expect(w.list(folder)).toEqual(expect.arrayContaining(['000', '001', 'events.jsonl', 'run.json']));
  expect(w.read(`${folder}/000/gate-sound.log`)).toBe('from the gate\n');
  expect(w.read(`${folder}/001/prompt.md`)).toBe(w.calls()[0]?.prompt);
  expect(w.read(`${folder}/001/output.log`)).toContain('US-001 is done.');
  expect(w.read(`${folder}/001/stderr.log`)).toBe('a warning\n');
});

test('odd bytes do no harm and are kept byte for byte; characters that arrive in pieces are whole on the screen', async () => {
  const w = createWorld({
    ...loop,
    async agent(a) {
      a.raw(new Uint8Array([0x61, 0x00, 0xff, 0xfe, 0xc3, 0x1b, 0x0a]));
      for (const byte of new TextEncoder().encode('🚀 naïve 日本\n')) {
        a.raw(new Uint8Array([byte]));
        await a.pause(5);
      }
      a.raw('\r\u001B[2K\u001B[32mInstalling 50%\u001B[0m\rInstalling 100%\n');
      a.say(a.sentinel);
    },
  });
  const r = (await w.ralph('run', '1', '--tool', 'plain', '--prompt', 'loop.md')).exits(0);
  expect(r.out).toContain('🚀 naïve 日本\n');
  expect(r.out).toMatch(/Installing 50%\s*\n.*Installing 100%/u);
  const log = readFileSync(w.at(`${w.run()}/001/output.log`));
  expect(log.subarray(0, 7)).toEqual(Buffer.from([0x61, 0x00, 0xff, 0xfe, 0xc3, 0x1b, 0x0a]));
  expect(log.toString()).toContain('🚀 naïve 日本\n\r\u001B[2K\u001B[32mInstalling 50%');
});

test('a line of 100 MB: memory and log stay bounded, beginning and end are kept, what follows is understood', async () => {
  const w = createWorld({
    ...loop,
    agent(a) {
      const block = new Uint8Array(1 << 20).fill(120);
      a.raw('the beginning ');
      for (let i = 0; i < 100; i += 1) a.raw(block);
      a.raw(`\n${a.sentinel}\n`);
    },
  });
  const ralph = w.startRalph(['run', '1', '--tool', 'plain', '--prompt', 'loop.md', '--quiet']);
  let peak = 0;
  const look = setInterval(() => {
    const status = w.sh(`cat /proc/${ralph.pid}/status 2>/dev/null`);
    peak = Math.max(peak, Number(/^VmHWM:\s+(\d+)/mu.exec(status)?.[1] ?? 0) / 1024);
  }, 100);
  (await ralph.done).exits(0);
  clearInterval(look);
  expect(peak).toBeLessThan(250);
  const log = readFileSync(w.at(`${w.run()}/001/output.log`));
  expect(log.byteLength).toBeGreaterThan(56 * MiB);
  expect(log.byteLength).toBeLessThan(64 * MiB + 4096);
  expect(log.subarray(0, 14).toString()).toBe('the beginning ');
  expect(log.subarray(-29).toString()).toBe('\n<promise>COMPLETE</promise>\n');
});

test('the stream is cut in the middle of an event, or an error follows the result: the work decides', async () => {
  const w = createWorld({
    stories: [{}, {}],
    agent(a) {
      a.solve();
      if (a.call === 1) {
        a.mute();
        a.raw(JSON.stringify({ type: 'result', subtype: 'success', result: 'z'.repeat(80_000) }).slice(0, 65_536));
        return 0;
      }
      a.result();
      a.raw(
        `${JSON.stringify({ type: 'result', subtype: 'error_during_execution', is_error: true, errors: ['closed'] })}\n`,
      );
      return 1;
    },
  });
  (await w.loop(2)).exits(0);
  expect(w.verdicts()).toEqual(['passed', 'passed']);
});

test('what an agent says shows at once; when the reader of the output goes away the run goes on and logs', async () => {
  const w = createWorld({
    stories: [{}, {}],
    async agent(a) {
      a.say('the first words');
      await a.until(`go-${a.call}`);
      a.say('the last words');
      a.solve();
    },
  });
  const ralph = w.startLoop(1);
  await w.until('the first words', () => ralph.text().includes('the first words'));
  expect(w.event('agent.finished')).toEqual([]);
  w.mark('go-1');
  (await ralph.done).exits(1);

  const piped = w.start(['sh', '-c', `${w.command} run 1 --tool claude | head -n 1`]);
  await w.until('the second agent', () => w.calls().length === 2);
  w.mark('go-2');
  await piped.done;
  await w.until('the end of the run', () => w.reason() === 'complete');
  expect(w.read(`${w.run()}/001/output.log`)).toContain('the last words');
  expect(w.passes()).toEqual([true, true]);
});

test('git or the disk refuses: exit 10, the work is kept, and the next run goes on', async () => {
  const w = createWorld({ stories: [{}, {}] });
  w.git('checkout', '-q', '-b', 'ralph/feature');
  w.write('.git/refs/heads/ralph/feature.lock', '');
  const r = (await w.loop(3)).exits(10);
  expect(r.err).toContain('feature.lock');
  expect(w.reason()).toBe('environment');
  expect(w.subjects()).toEqual(['base']);
  expect(w.passes()).toEqual([false, false]);
  expect(r.out).toContain('0 of 2 stories passed.');
  expect(w.event('iteration.finished')).toHaveLength(1);
  expect(w.locked()).toBe(false);
  w.remove('.git/refs/heads/ralph/feature.lock');
  (await w.loop(3)).exits(0);
  expect(w.subjects()).toEqual(['feat: [US-002] - Story 2', 'feat: [US-001] - Story 1', 'base']);
});
