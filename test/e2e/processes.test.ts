/** An agent that hangs, dies or leaves something behind: bounded time, nothing left, the work decides. */
import { expect, test } from 'vitest';
import { createWorld } from './world.ts';

test('silence, endless talk and crashes are failed iterations, stopped in bounded time, their work kept; text is no limit', async () => {
  const w = createWorld({
    async agent(a) {
      if (a.call === 1) {
        a.write('part-1.txt', 'x');
        a.use('Read', { file_path: 'x' }, 'Claude usage limit reached. Your 5-hour limit resets at 3pm (UTC).');
        await a.stay();
      }
      if (a.call === 2) {
        a.write('part-2.txt', 'x');
        for (;;) {
          a.say('still at it');
          await a.pause(100);
        }
      }
      if (a.call === 3) {
        a.say("The screen says: You've hit your limit · resets 5pm (UTC)");
        a.mute();
        a.err('Segmentation fault\n');
        return 139;
      }
      a.solve();
    },
  });
  (await w.loop(9, '--idle-timeout', '1500ms', '--iteration-timeout', '4s', '--max-attempts', '9')).exits(0);
  expect(w.event('agent.finished').map((event) => event.class)).toEqual(['idle', 'timeout', 'crash', 'ok']);
  expect(w.event('agent.finished')[2]?.exit).toBe(139);
  expect(w.verdicts()).toEqual(['failed', 'failed', 'failed', 'passed']);
  expect(w.event('agent.limit')).toEqual([]);
  for (const { pid } of w.calls()) expect(w.alive(pid)).toBe(false);
  const refs = [1, 2].map((n) => w.rescued(`part-${n}.txt`));
  for (const [at, ref] of refs.entries()) expect(w.calls()[at + 1]?.prompt).toContain(ref);
  expect(w.tree()).not.toContain('part-1.txt');
  expect(w.read(`${w.run()}/003/stderr.log`)).toBe('Segmentation fault\n');
  expect(w.story('US-001').ralph?.attempts).toBe(4);
});

test('a claim made before the silence is judged; one result is not the end of the talk', async () => {
  const w = createWorld({
    stories: [{}, {}],
    async agent(a) {
      if (a.call === 2) {
        a.say('The build runs in the background.');
        a.raw(
          `${JSON.stringify({ type: 'result', subtype: 'success', is_error: false, result: 'later', total_cost_usd: 0.01 })}\n`,
        );
        await a.pause(1_000);
      }
      a.solve();
      if (a.call === 1) await a.stay();
    },
  });
  (await w.loop(2, '--idle-timeout', '2s')).exits(0);
  expect(w.calls()).toHaveLength(2);
  expect(w.event('agent.finished')[1]).toMatchObject({ class: 'ok', exit: 0 });
});

test('a final result followed by silence ends the iteration after ten seconds', async () => {
  const w = createWorld({
    async agent(a) {
      a.solve();
      a.result();
      await a.stay();
    },
  });
  const r = (await w.loop(1)).exits(0);
  expect(r.ms).toBeLessThan(30_000);
  expect(w.passes()).toEqual([true]);
  expect(w.alive(w.calls()[0]?.pid ?? 0)).toBe(false);
});

test('what an agent leaves behind is stopped and named: in its group, holding its output, in a session of its own', async () => {
  const w = createWorld({
    stories: [{}, {}, {}],
    agent(a) {
      a.mark(`left-${a.call}`, String(a.leave('exec sleep 50', { holds: a.call === 2, detached: a.call === 3 })));
      a.solve();
    },
  });
  (await w.loop(3)).exits(0);
  const killed = w.event('process.killed');
  for (const call of [1, 2, 3]) {
    const pid = Number(await w.marked(`left-${call}`));
    expect(w.alive(pid)).toBe(false);
    expect(killed).toContainEqual(
      expect.objectContaining({ iteration: call, pid, command: expect.stringContaining('sleep') as string }),
    );
  }
});

test('only talk is a stall, nothing at all a failure; neither is an attempt, and the last words are shown', async () => {
  const w = createWorld({
    agent(a) {
      if (a.exists(`${a.home}/mute`)) a.mute();
      else a.say('Unknown command: /ralph-next');
    },
  });
  w.write('README.md', '# dirty before is no progress\n');
  const talk = (await w.loop(9)).exits(6);
  expect(w.verdicts()).toEqual(['unfinished', 'unfinished', 'unfinished']);
  expect(talk.out).toContain('Unknown command: /ralph-next');
  w.mark('mute');
  (await w.loop(9, '--max-stalls', '2', '--model', 'no-such-model')).exits(6);
  expect(w.verdicts()).toEqual(['failed', 'failed']);
  expect(w.event('agent.finished').map((event) => event.class)).toEqual(['empty', 'empty']);
  expect(w.reason()).toBe('stalled');
  expect(w.story('US-001').ralph?.attempts ?? 0).toBe(0);
  expect(w.calls().at(-1)?.argv).toContain('no-such-model');
});

test('an agent that dies at once is not started for ever; its error is shown; an unread prompt is no crash of ralph', async () => {
  const w = createWorld({
    stories: [{}, {}, {}],
    files: { 'big.md': 'Read this line.\n'.repeat(40_000) },
    agent(a) {
      a.mute();
      a.err(`node: internal error ${a.call}\n`);
      return 1;
    },
  });
  w.write('../bin/prompt-unread', '');
  w.write('../bin/bare', '');
  const r = (await w.loop(50, '--prompt', 'big.md')).exits(6);
  expect(w.calls()).toHaveLength(5);
  expect(r.out).toContain('node: internal error 5');
  expect(r.text).not.toContain('EPIPE');
});

test('denied tools are listed; a denial alone changes no verdict', async () => {
  const w = createWorld({
    agent(a) {
      a.denied('WebFetch', { url: 'https://example.com' });
      a.solve();
    },
  });
  const r = (await w.loop(1, '--max-stalls', '1', '--max-failures', '1')).exits(0);
  expect(w.event('agent.denied').map((event) => event.tools)).toEqual([['WebFetch']]);
  expect(r.out).toMatch(/denied.*WebFetch/iu);
});
