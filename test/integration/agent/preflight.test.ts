import { chmodSync, mkdirSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { amp } from '../../../src/agent/amp.ts';
import { claude } from '../../../src/agent/claude.ts';
import { findProgram } from '../../../src/agent/find-program.ts';
import { chooseAgent, verifyAgent } from '../../../src/agent/preflight.ts';
import type { AgentFacts, PreflightDeps } from '../../../src/agent/preflight.ts';
import type { AgentSpec } from '../../../src/agent/types.ts';
import { RalphError } from '../../../src/errors.ts';
import { runTool } from '../../../src/process/run-tool.ts';
import { agentOf, createWorld } from './scripted-agent.ts';
import type { World } from './scripted-agent.ts';

let w: World;
beforeEach(() => {
  w = createWorld();
});
afterEach(() => w.remove());

const deps = (given: Partial<PreflightDeps> = {}): PreflightDeps => ({
  cwd: w.root,
  env: { PATH: w.path('bin') },
  uid: 1000,
  runTool,
  ...given,
});
const verify = (spec: AgentSpec, given?: Partial<PreflightDeps>): Promise<AgentFacts> => verifyAgent(spec, deps(given));
const hanging: typeof runTool = () => Promise.reject(new Error('took longer than 10000 ms'));
const never: typeof runTool = () => Promise.reject(new Error('asked'));
const choose = (tool?: string): AgentSpec => chooseAgent(tool, {}, () => undefined, deps());
async function failure(step: Promise<unknown>): Promise<RalphError> {
  const error: unknown = await step.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof RalphError)) throw new Error('no RalphError', { cause: error });
  return error;
}
/** A `claude` with a version that answers the question for a login like this. */
const answering = (answer: string): string =>
  w.program(
    'claude',
    `fs.appendFileSync(${JSON.stringify(w.path('asked'))}, process.argv.slice(2).join(' ') + '\\n');
     if (process.argv[2] === '--version') console.log('2.1.332 (Claude Code)');
     else { ${answer} }`,
  );

describe('a preflight', () => {
  it('asks for the version and the login, and nothing else', async () => {
    const file = answering("console.log(JSON.stringify({ loggedIn: true, authMethod: 'x' }, null, 2));");
    expect(await verify(claude)).toEqual({ path: file, version: '2.1.332 (Claude Code)', loggedIn: true });
    expect(w.read('asked')).toBe('--version\nauth status\n');
  });

  it('fails where nobody is logged in', async () => {
    answering('console.log(JSON.stringify({ loggedIn: false })); process.exit(1);');
    const error = await failure(verify(claude));
    expect(error).toMatchObject({ reason: 'agent-unavailable', message: expect.stringContaining('logged in') });
    expect(error.cures.join()).toContain('claude auth login');
  });

  it.each([
    "console.error('error: unknown command auth'); process.exit(1);",
    "console.log('you are logged out');",
    "console.log('[]')",
    'process.exit(7);',
    'console.log(\'{"x":1}\')',
  ])('takes no clear answer for none: %s', async (answer) => {
    answering(answer);
    expect(await verify(claude)).toMatchObject({ loggedIn: undefined });
  });

  it('fails where the program does not work, with its own words', async () => {
    w.program('claude', "console.error('Error: native binary not installed'); process.exit(1);");
    expect((await failure(verify(claude))).problems.join()).toContain('native binary not installed');
  });

  it('waits 10 s for an answer and no longer', async () => {
    answering('');
    const asked: (number | undefined)[] = [];
    const slow: typeof runTool = (command, args, options) => {
      asked.push(options.timeoutMs);
      return args[0] === 'auth' ? Promise.reject(new Error('took longer')) : runTool(command, args, options);
    };
    expect(await verify(claude, { runTool: slow })).toMatchObject({ loggedIn: undefined });
    expect(asked).toEqual([10_000, 10_000]);
    expect((await failure(verify(claude, { runTool: hanging }))).problems.join()).toContain('took longer');
  });

  it('does not ask amp for its login', async () => {
    w.program('amp', "if (process.argv[2] !== '--version') process.exit(1); console.log('0.0.1');");
    expect(await verify(amp)).toMatchObject({ version: '0.0.1', loggedIn: undefined });
  });

  it('as root, claude needs a mark of the user, which ralph does not set', async () => {
    answering("console.log('{}');");
    const error = await failure(verify(claude, { uid: 0 }));
    expect(error.problems.join()).toContain('root');
    expect(error.cures.join()).toContain('IS_SANDBOX=1');
    for (const mark of ['IS_SANDBOX', 'CLAUDE_CODE_BUBBLEWRAP']) {
      await expect(verify(claude, { uid: 0, env: { PATH: w.path('bin'), [mark]: '1' } })).resolves.toBeDefined();
      await failure(verify(claude, { uid: 0, env: { PATH: w.path('bin'), [mark]: 'true' } }));
    }
  });

  it('only looks up an agent that is not built in', async () => {
    const file = w.program('mine', '');
    expect(await verify(agentOf(file), { runTool: never })).toMatchObject({ path: file, version: undefined });
    expect((await failure(verify(agentOf('./nothing'), { runTool: never }))).message).toContain('./nothing');
  });

  it('fails where the agent is not on PATH, and says how to get it', async () => {
    const error = await failure(verify(claude));
    expect(error.message).toContain('claude');
    expect(error.cures.join()).toContain('npm install -g @anthropic-ai/claude-code');
  });
});

describe('the choice of an agent', () => {
  it('is that of the user, there or not', () => expect(choose('codex').name).toBe('codex'));

  it('is else the first of claude and amp', () => {
    w.program('amp', '');
    expect(choose().name).toBe('amp');
    w.program('claude', '');
    expect(choose().name).toBe('claude');
  });

  it('fails where there is none, and names those that are known and what helps', async () => {
    const error = await failure(Promise.resolve().then(() => choose()));
    expect(error.reason).toBe('agent-unavailable');
    const text = [error.message, ...error.problems, ...error.cures].join('\n');
    for (const part of ['claude', 'amp', '--tool', 'agents', 'ralph.config.json']) expect(text).toContain(part);
  });
});

describe('findProgram', () => {
  it('finds what may be executed, in the order of PATH', () => {
    mkdirSync(w.path('bin/sub'));
    mkdirSync(w.path('other'));
    w.program('../other/x', '');
    w.program('x', '');
    const PATH = `${w.path('nowhere')}::${w.path('other')}:${w.path('bin')}`;
    expect(findProgram('x', w.root, { PATH })).toBe(w.path('other/x'));
    chmodSync(w.path('other/x'), 0o644);
    expect(findProgram('x', w.root, { PATH })).toBe(w.path('bin/x'));
    expect(findProgram('sub', w.root, { PATH })).toBeUndefined();
    expect(findProgram('x', w.root, {})).toBeUndefined();
  });

  it('takes a name with a slash from the folder of the agent', () => {
    const file = w.program('x', '');
    expect(findProgram('./bin/x', w.root, { PATH: '/nowhere' })).toBe(file);
    expect(findProgram(file, '/', {})).toBe(file);
    expect(findProgram('bin/y', w.root, { PATH: w.path('bin') })).toBeUndefined();
  });
});
