import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createWorld } from './world.ts';
import type { World } from './world.ts';

/** Gives a command a terminal of its own, as the one of util-linux does. */
const hasTerminal = /util-linux/.test(String(spawnSync('script', ['--version']).stdout));

/** A `claude` that somebody could talk with: it does this once Ctrl-C has reached it. */
function converse(world: World, onInterrupt: string): void {
  const body = `#!${process.execPath}
const fs = require('node:fs');
const home = process.env.HOME;
process.on('SIGINT', () => { ${onInterrupt} });
const { isTTY: input } = process.stdin;
const { isTTY: output } = process.stdout;
fs.writeFileSync(home + '/facts', JSON.stringify({ input, output, args: process.argv.slice(2) }));
console.log('Who may change it?');
process.stdin.on('data', () => {});
setInterval(() => {}, 1e6);
// What the terminal does at Ctrl-C: the signal goes to all of the group.
process.kill(0, 'SIGINT');
`;
  fs.writeFileSync(path.join(world.bin, 'claude'), body, { mode: 0o755 });
}

const inTerminal = (world: World, line: string): ReturnType<World['start']> =>
  world.start(['script', '-qec', `exec ${world.command} ${line}`, '/dev/null']);

describe.runIf(hasTerminal)('ralph prd in a terminal', () => {
  it('hands the terminal to the agent, outlives its Ctrl-C, and finds the document', async () => {
    const world = createWorld();
    converse(
      world,
      "fs.mkdirSync('tasks'); fs.writeFileSync('tasks/prd-priority.md', '# PRD: Priority\\n'); process.exit(0);",
    );
    const { out } = (await inTerminal(world, 'prd "mark tasks"').done).exits(0);
    const facts = JSON.parse(fs.readFileSync(path.join(world.home, 'facts'), 'utf8')) as object;
    expect(facts).toEqual({ input: true, output: true, args: [expect.stringContaining('> mark tasks')] });
    expect(out).toMatch(
      /Who may change it\?[^]*Written: tasks\/prd-priority\.md[^]*ralph convert tasks\/prd-priority\.md/,
    );
  });

  it('ends with 1 where none was written, and with 4 where there is no such agent', async () => {
    const world = createWorld();
    converse(world, 'process.exit(130);');
    const { out } = (await inTerminal(world, 'prd "mark tasks"').done).exits(1);
    expect(out).toContain('no PRD document was written');
    const config = { agents: { own: { command: './nothing', prompt: 'argument' } } };
    world.config(config);
    (await inTerminal(world, 'prd --tool own "mark tasks"').done).exits(4);
  });
});

describe('ralph prd without a terminal', () => {
  it('says how to answer beforehand', async () => {
    const world = createWorld();
    const { err } = (await world.ralph('prd', 'mark tasks')).exits(2);
    expect(err).toContain('--answers "1B 2A 3C"');
    expect(world.calls()).toEqual([]);
  });

  it('stops the agent and what it has left when it is interrupted', async () => {
    const world = createWorld({
      agent: async (a) => {
        a.mark('left', String(a.leave('sleep 600', { detached: true })));
        await a.stay();
      },
    });
    const one = world.startRalph(['prd', 'mark tasks', '--yes', '--tool', 'claude']);
    const left = await world.marked('left');
    (await one.end('SIGTERM')).exits(143);
    expect(world.alive(left)).toBe(false);
    expect(world.alive(world.calls()[0]?.pid ?? 0)).toBe(false);
    expect(world.status()).toBe('');
  });
});
