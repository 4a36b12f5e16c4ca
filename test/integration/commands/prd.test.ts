import { chmodSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { prd } from '../../../src/commands/prd.ts';
import type { Terminal } from '../../../src/commands/prd.ts';
import type { CommandIo, PrdOptions } from '../../../src/commands/types.ts';
import type { TerminalSpec } from '../../../src/process/types.ts';
import { createWorld, plain } from './world.ts';
import type { World } from './world.ts';

let w: World;
let err = '';

beforeEach(() => {
  w = createWorld();
  err = '';
  w.write('README.md', '# Project\n');
  w.git('add', '-A');
  w.git('commit', '--quiet', '-m', 'base');
});
afterEach(() => w.dispose());

/** A `claude` on PATH: answers the preflight, reads its prompt, then does this. The calls are kept in `calls/`. */
function agent(body: string): CommandIo {
  w.write('.gitignore', 'bin/\ncalls/\n');
  w.git('add', '-A');
  w.git('commit', '--quiet', '-m', 'ignore');
  w.write(
    'bin/claude',
    `#!${process.execPath}
const fs = require('node:fs');
const [first] = process.argv.slice(2);
if (first === '--version') { console.log('2.1.332 (Claude Code)'); process.exit(0); }
if (first === 'auth') { console.log(JSON.stringify({ loggedIn: !fs.existsSync('calls/logged-out') })); process.exit(0); }
const prompt = fs.readFileSync(0, 'utf8');
fs.mkdirSync('calls', { recursive: true });
const turn = fs.readdirSync('calls').filter((name) => name.startsWith('prompt')).length + 1;
fs.writeFileSync('calls/prompt' + turn, prompt);
fs.writeFileSync('calls/argv' + turn, process.argv.slice(2).join('\\n'));
const line = (o) => process.stdout.write(JSON.stringify(o) + '\\n');
const say = (text) => line({ type: 'assistant', message: { content: [{ type: 'text', text }] }, parent_tool_use_id: null });
const end = (text) => line({ type: 'result', subtype: 'success', is_error: false, result: text });
const write = (name, text = '# PRD: X\\n') => { fs.mkdirSync('tasks', { recursive: true }); fs.writeFileSync('tasks/' + name, text); };
${body}
`,
  );
  chmodSync(path.join(w.root, 'bin/claude'), 0o755);
  const PATH = `${path.join(w.root, 'bin')}${path.delimiter}${process.env['PATH']}`;
  const io = w.from('.', { PATH, IS_SANDBOX: '1' });
  return { ...io, writer: { ...io.writer, err: (text) => (err += text) } };
}

const ask: PrdOptions = { ...plain, given: {}, idea: ['mark', 'tasks'], answers: undefined, yes: false, agentArgs: [] };
const headless: PrdOptions = { ...ask, yes: true };

describe('prd, headless', () => {
  it('writes the document in one turn: idea, answers and skill are in the prompt', async () => {
    const io = agent(`say('1. Who?'); write('prd-mark-tasks.md'); end('Written.');`);
    const options = { ...headless, answers: '1B 2A', agentArgs: ['--effort', 'low'] };
    expect(await prd({ ...options, given: { model: { value: 'opus', source: '--model' } } }, io)).toBe(0);
    expect(w.out()).toMatch(
      /1\. Who\?\n.*Written\.\nWritten: tasks\/prd-mark-tasks\.md\nNext: .*\n {2}ralph convert tasks\/prd-mark-tasks\.md\n$/,
    );
    expect(err).toBe('');
    const prompt = w.read('calls/prompt1');
    for (const part of ['> mark tasks', '1B 2A', '# From an idea to a PRD', '### US-001: '])
      expect(prompt).toContain(part);
    expect(w.read('calls/argv1')).toMatch(/--model\nopus\n--effort\nlow$/);
    expect(w.exists('calls/prompt2')).toBe(false);
    expect(w.exists('.ralph')).toBe(false);
  });

  it('answers an agent that stops at its questions', async () => {
    const io = agent(
      `if (turn === 1) { say('1. Who may?\\n A. all'); end('1. Who may?'); } else { write('prd-x.md'); end('Done.'); }`,
    );
    expect(await prd({ ...ask, answers: '1A' }, io)).toBe(0);
    expect(w.read('calls/prompt2')).toContain('> 1. Who may?\n>  A. all');
    expect(w.read('calls/prompt2')).toContain('1A');
  });

  it('ends with 1 where none was written: an untouched one, an empty one and another file don’t count', async () => {
    w.write('tasks/prd-old.md', '# PRD: Old\n');
    w.write('tasks/prd-empty.md', '');
    const io = agent(`write('notes.md'); write('prd-empty.md', ' \\n'); end('I have written it.');`);
    expect(await prd(headless, io)).toBe(1);
    expect(err).toMatch(/^ralph: no PRD document was written/);
    expect(err).toContain('Warning: not only the document has changed meanwhile: tasks/notes.md');
    expect(w.exists('calls/prompt2')).toBe(true);
    expect(w.exists('calls/prompt3')).toBe(false);
  });

  it('names a changed document, and what else was done', async () => {
    w.write('tasks/prd-old.md', '# PRD: Old\n');
    const io = agent(
      `write('prd-old.md', '# PRD: New\\n'); fs.mkdirSync('src'); fs.writeFileSync('src/a.ts', ''); end('Done.');`,
    );
    expect(await prd(headless, io)).toBe(0);
    expect(w.out()).toContain('Changed: tasks/prd-old.md\n');
    expect(err).toBe('Warning: not only the document has changed meanwhile: src/a.ts\n');
  });

  it('works from a subfolder, and finds a document at the root, too', async () => {
    w.write('packages/a/x', '');
    const io = agent(`process.chdir('../..'); write('prd-x.md'); end('Done.');`);
    expect(await prd({ ...headless, cwd: 'packages/a' }, io)).toBe(0);
    expect(w.out()).toContain('Written: ../../tasks/prd-x.md');
  });

  it('ends with 4 for an agent that is not logged in or not there, with 8 at a usage limit', async () => {
    const limit = { type: 'result', subtype: 'success', is_error: true, api_error_status: 429 };
    const io = agent(
      `line(${JSON.stringify({ ...limit, result: "You've hit your limit · resets 1pm (UTC)" })}); process.exit(1);`,
    );
    expect(await prd(headless, io)).toBe(8);
    expect(err).toContain("You've hit your limit");
    w.write('calls/logged-out', '');
    await expect(prd(headless, io)).rejects.toMatchObject({ reason: 'agent-unavailable' });
    const given = { tool: { value: 'amp', source: '--tool' } };
    await expect(
      prd({ ...headless, given }, { ...io, env: { ...io.env, PATH: `${process.env['PATH']}` } }),
    ).rejects.toMatchObject({ reason: 'agent-unavailable', message: expect.stringContaining('amp') });
  });

  it('hands the prompt as a file to an agent that takes it so, and leaves none behind', async () => {
    const io = agent(`end('');`);
    w.write(
      'agent.cjs',
      `
      const fs = require('node:fs');
      fs.mkdirSync('tasks');
      fs.writeFileSync('tasks/prd-x.md', fs.readFileSync(process.argv[2]));
      fs.writeFileSync('tasks/where', process.argv[2]);`,
    );
    const own = { command: process.execPath, args: ['agent.cjs', '{{promptFile}}'], prompt: 'file', output: 'text' };
    w.write('ralph.config.json', JSON.stringify({ tool: 'own', agents: { own } }));
    expect(await prd(headless, io)).toBe(0);
    expect(w.read('tasks/prd-x.md')).toContain('> mark tasks');
    expect(w.exists(w.read('tasks/where'))).toBe(false);
  });
});

describe('prd, in a terminal', () => {
  const terminal = (act: (spec: TerminalSpec) => void): Terminal => ({
    isThere: true,
    run: async (spec) => {
      act(spec);
      return Promise.resolve({ exit: { kind: 'exited', code: 0 }, signal: undefined });
    },
  });

  it('opens a conversation with idea and skill, and looks for the document afterwards', async () => {
    const io = agent('');
    let seen: TerminalSpec | undefined;
    const code = await prd(
      { ...ask, agentArgs: ['--add-dir', 'x'] },
      { ...io, env: { ...io.env, CLAUDECODE: '1' } },
      terminal((spec) => {
        seen = spec;
        w.write('tasks/prd-x.md', '# PRD: X\n');
      }),
    );
    expect(code).toBe(0);
    expect(seen).toMatchObject({ command: 'claude', cwd: w.root });
    expect(seen?.args.slice(1)).toEqual(['--add-dir', 'x']);
    expect(seen?.args[0]).toContain('> mark tasks');
    expect(seen?.env['CLAUDECODE']).toBeUndefined();
    expect(w.out()).toContain('Written: tasks/prd-x.md');
    expect(w.exists('calls')).toBe(false);
  });

  it('takes the skill that the project has made its own', async () => {
    const io = agent('');
    w.write('.claude/skills/prd/SKILL.md', '---\nname: prd\n---\nOur own way.\n');
    let prompt = '';
    expect(
      await prd(
        ask,
        io,
        terminal(({ args }) => (prompt = args[0] ?? '')),
      ),
    ).toBe(1);
    expect(prompt).toContain('Our own way.');
    expect(prompt).not.toContain('# From an idea to a PRD');
  });

  it('tells what to type where an agent takes no first message, with a file that goes again', async () => {
    const io = agent('');
    writeFileSync(path.join(w.root, 'bin/amp'), '#!/bin/sh\n', { mode: 0o755 });
    const given = { tool: { value: 'amp', source: '--tool' } };
    await prd(
      { ...ask, given },
      io,
      terminal(({ args }) => expect(args).toEqual([])),
    );
    const [, file = ''] = /Type this into amp: Follow the instructions in (.*)\n/.exec(w.out()) ?? [];
    expect(file).toMatch(/prd-prompt\.md$/);
    expect(w.exists(file)).toBe(false);
  });

  it('refuses without a terminal, without an idea, and for an agent that listens to nobody', async () => {
    const io = agent('');
    const none: Terminal = { isThere: false, run: terminal(() => {}).run };
    await expect(prd(ask, io, none)).rejects.toMatchObject({ reason: 'usage', cures: expect.arrayContaining([]) });
    await expect(prd({ ...headless, idea: [' '] }, io)).rejects.toThrow(/needs an idea/);
    await expect(prd({ ...ask, answers: ' ' }, io)).rejects.toThrow(/--answers is empty/);
    w.write('ralph.config.json', '{ "agents": { "own": { "command": "own" } } }');
    const given = { tool: { value: 'own', source: '--tool' } };
    await expect(
      prd(
        { ...ask, given },
        io,
        terminal(() => {}),
      ),
    ).rejects.toThrow(/nobody can talk/);
  });

  it('ends with 4 for an agent that can’t be started, and with the signal that ended it', async () => {
    const io = agent('');
    const failing = (code: number): Terminal => ({
      isThere: true,
      run: async () => Promise.resolve({ exit: { kind: 'exited', code }, signal: undefined }),
    });
    await expect(prd(ask, io, failing(127))).rejects.toMatchObject({ reason: 'agent-unavailable' });
    expect(await prd(ask, io, failing(1))).toBe(1);
    const cut: Terminal = {
      isThere: true,
      run: async () => Promise.resolve({ exit: { kind: 'signalled', signal: 'SIGTERM' }, signal: 'SIGTERM' }),
    };
    expect(await prd(ask, io, cut)).toBe(143);
  });
});
