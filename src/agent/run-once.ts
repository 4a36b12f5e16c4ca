import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Settings } from '../config/settings.ts';
import type { InterruptSignal } from '../exit.ts';
import type { EventBody } from '../loop/events.ts';
import type { AgentEnd } from '../loop/ports.ts';
import { installInterrupt } from '../process/interrupt.ts';
import { createChildRegistry } from '../process/registry.ts';
import { runWatched } from '../process/run-watched.ts';
import { nothing } from '../process/timers.ts';
import { createAgent } from './run-agent.ts';
import type { AgentSpec } from './types.ts';
import { here } from './zoned-time.ts';

export interface OnceRequest {
  readonly spec: AgentSpec;
  readonly settings: Pick<Settings, 'model' | 'idleTimeout' | 'iterationTimeout'>;
  /** What the user wrote behind `--`. */
  readonly extraArgs: readonly string[];
  readonly prompt: string;
  /** The folder the agent works in, absolute. */
  readonly cwd: string;
  /** The user's environment. */
  readonly env: Readonly<NodeJS.ProcessEnv>;
  /** Becomes RALPH_RUN_ID; what still carries it at the end is stopped. */
  readonly run: string;
  /** Told everything while it happens. */
  readonly onEvent: (event: EventBody) => void;
}

export interface OnceEnd {
  readonly end: AgentEnd;
  /** The first signal that ralph itself got meanwhile; the agent was stopped then. */
  readonly signal: InterruptSignal | undefined;
}

/**
 * Runs a headless agent once, outside of any run: nothing is written to a run folder. INT, TERM and HUP stop it as they stop
 * a run. Never rejects for what an agent does.
 */
export async function runOnce(request: OnceRequest): Promise<OnceEnd> {
  const controller = new AbortController();
  const registry = createChildRegistry();
  const interrupt = installInterrupt({ controller, registry, run: () => request.run });
  const folder = await mkdtemp(join(tmpdir(), 'ralph-once-'));
  const log = { path: '', write: nothing, close: nothing };
  const agent = createAgent({
    ...request,
    root: request.cwd,
    emit: request.onEvent,
    openLog: () => log,
    keepPrompt: async ({ prompt }) => {
      const file = join(folder, 'prompt.md');
      await writeFile(file, prompt);
      return file;
    },
    registry,
    runWatched,
    here,
  });
  try {
    const scope = { iteration: 1, try: 1, story: undefined, maxCostUsd: undefined };
    const end = await agent.run({ ...scope, prompt: request.prompt, signal: controller.signal });
    return { end, signal: interrupt.first()?.signal };
  } finally {
    interrupt.uninstall();
    await rm(folder, { recursive: true, force: true });
  }
}
