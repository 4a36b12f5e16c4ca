import { chmodSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createAgent } from '../../../src/agent/run-agent.ts';
import type { AgentDeps } from '../../../src/agent/run-agent.ts';
import type { AgentSpec } from '../../../src/agent/types.ts';
import { describeCustomAgent } from '../../../src/agent/custom.ts';
import type { EventBody, EventScope } from '../../../src/loop/events.ts';
import type { AgentEnd, AgentPort, AgentRequest } from '../../../src/loop/ports.ts';
import { createChildRegistry } from '../../../src/process/registry.ts';
import { runWatched } from '../../../src/process/run-watched.ts';

export type Seen = EventBody & EventScope;

/** A temp folder with an agent that is a small program of Node. */
export interface World {
  readonly root: string;
  readonly events: Seen[];
  readonly path: (name: string) => string;
  readonly read: (name: string) => string;
  readonly log: (name: string) => Buffer;
  readonly event: <T extends Seen['type']>(type: T) => Extract<Seen, { type: T }>[];
  /** Writes a program; the returned path can be executed. */
  readonly program: (name: string, body: string) => string;
  /** The port for an agent; `run` makes a new one where it is given none. */
  readonly port: (spec: AgentSpec, given?: Partial<AgentDeps>) => AgentPort;
  readonly run: (
    spec: AgentSpec,
    given?: Partial<AgentRequest> & Partial<AgentDeps> & { port?: AgentPort },
  ) => Promise<AgentEnd>;
  readonly remove: () => void;
}

const prelude = `
const fs = require('node:fs');
const line = (o) => process.stdout.write(JSON.stringify(o) + '\\n');
const say = (text) => line({ type: 'assistant', message: { content: [{ type: 'text', text }] }, parent_tool_use_id: null });
const result = (text, more) => line({ type: 'result', subtype: 'success', is_error: false, result: text, ...more });
const stay = () => setInterval(() => {}, 1e6);
`;

export function createWorld(): World {
  const root = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'ralph agent ü-')));
  const at = (name: string): string => path.join(root, name);
  const events: Seen[] = [];
  const run = `test-${path.basename(root)}`;
  mkdirSync(at('bin'));
  const deps: Omit<AgentDeps, 'spec'> = {
    settings: { model: undefined, idleTimeout: 20_000, iterationTimeout: undefined },
    extraArgs: [],
    root,
    cwd: root,
    env: { PATH: process.env['PATH'] },
    run,
    emit: (body, scope) => events.push({ ...body, ...scope }),
    openLog: (_, name) => {
      const parts: Uint8Array[] = [];
      const close = (): void => writeFileSync(at(name), Buffer.concat(parts));
      return { path: name, write: (chunk) => parts.push(Buffer.from(chunk)), close };
    },
    keepPrompt: ({ prompt }) => {
      writeFileSync(at('prompt.md'), prompt);
      return Promise.resolve('prompt.md');
    },
    registry: createChildRegistry(),
    runWatched,
    here: () => ({ now: Date.parse('2026-11-30T11:00:00Z'), zone: 'UTC' }),
  };
  const request: AgentRequest = {
    prompt: 'Do it.\n',
    iteration: 1,
    try: 1,
    story: 'US-001',
    maxCostUsd: undefined,
    signal: new AbortController().signal,
  };
  return {
    root,
    events,
    path: at,
    read: (name) => readFileSync(at(name), 'utf8'),
    log: (name) => readFileSync(at(name)),
    event: (type) => events.filter((event): event is Extract<Seen, { type: typeof type }> => event.type === type),
    program: (name, body) => {
      const file = at(path.join('bin', name));
      writeFileSync(file, `#!${process.execPath}\n${prelude}\n(async () => {\n${body}\n})();\n`);
      chmodSync(file, 0o755);
      return file;
    },
    port: (spec, given = {}) => createAgent({ ...deps, ...given, spec }),
    run: (spec, given = {}) => (given.port ?? createAgent({ ...deps, ...given, spec })).run({ ...request, ...given }),
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

/** An agent of the config that runs this program. */
export function agentOf(
  command: string,
  output: AgentSpec['output'] = 'claude-stream-json',
  prompt: AgentSpec['promptBy'] = 'stdin',
): AgentSpec {
  return describeCustomAgent('mine', { command, args: [], prompt, output, memoryFile: undefined, model: [] });
}
