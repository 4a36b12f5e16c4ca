import { existsSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { installClaude } from './install-claude.ts';
import type { ApiError, Conversation, Part, Script } from './model-server.ts';
import { createRealWorld, ralph } from './real-world.ts';
import type { Ended, RealWorld } from './real-world.ts';
import { playTwoStories } from './two-stories.ts';

let w: RealWorld;

afterEach(async () => {
  const left = w.alive();
  await w.dispose();
  expect(left, 'processes that outlived the run').toEqual([]);
});

/** Fails the first requests of the model, then plays the two stories. */
function failing(error: ApiError, times = Number.POSITIVE_INFINITY): (repository: string) => Script {
  return (repository) => {
    const play = playTwoStories(repository);
    let asked = 0;
    return (conversation) => {
      asked += 1;
      return asked <= times ? error : play(conversation);
    };
  };
}

const overloaded: ApiError = { status: 529, type: 'overloaded_error', message: 'Overloaded' };

describe.each(['2.1.197', '2.1.332'])('Claude Code %s', (version) => {
  let bin = '';

  beforeAll(() => {
    bin = installClaude(version);
  });

  /** One attempt of the CLI for each of ours, and short pauses. */
  const quick = { CLAUDE_CODE_MAX_RETRIES: '0', RALPH_RETRY_DELAY: '200ms' };

  function start(args: readonly string[], env: NodeJS.ProcessEnv = {}): ReturnType<RealWorld['start']> {
    const all = [ralph, 'run', '4', '--tool', 'claude', '--no-color', ...args];
    return w.start(process.execPath, all, { ...w.environment(bin), ...quick, ...env });
  }

  const classes = (): (string | undefined)[] =>
    w
      .events()
      .filter(({ type }) => type === 'agent.finished')
      .map((event) => event.class);
  const shown = ({ out, err }: Ended): string => `${out}${err}`;

  it('401: nobody is logged in, exit 4 after one call, with its own line and no attempt', async () => {
    w = await createRealWorld(failing({ status: 401, type: 'authentication_error', message: 'invalid x-api-key' }));
    const ended = await start([]).ended;
    expect(ended.code, shown(ended)).toBe(4);
    expect(classes()).toEqual(['auth']);
    expect(shown(ended)).toContain('Invalid API key');
    expect(w.git('show', 'HEAD:prd.json')).not.toContain('attempts');
  });

  it('429 without a reset: a pause of about a minute, which a signal ends', async () => {
    w = await createRealWorld(
      failing({
        status: 429,
        type: 'rate_limit_error',
        message: 'too many tokens per minute',
        headers: { 'retry-after': '3600' },
      }),
    );
    const run = start([]);
    await waitFor(() => w.events().some(({ type }) => type === 'agent.retry'));
    run.child.kill('SIGINT');
    const ended = await run.ended;
    expect(ended.code, shown(ended)).toBe(130);
    expect(w.events().find(({ type }) => type === 'agent.retry')?.waitMs).toBeGreaterThanOrEqual(60_000);
  });

  it('a usage limit with a reset time: waited for, the same iteration again, none used up', async () => {
    const resetAt = Math.floor(Date.now() / 1000) + 8;
    const headers = {
      'anthropic-ratelimit-unified-status': 'rejected',
      'anthropic-ratelimit-unified-reset': String(resetAt),
      'anthropic-ratelimit-unified-representative-claim': 'five_hour',
      'anthropic-ratelimit-unified-5h-status': 'rejected',
      'anthropic-ratelimit-unified-5h-reset': String(resetAt),
      'anthropic-ratelimit-unified-overage-status': 'rejected',
    };
    w = await createRealWorld(failing({ status: 429, type: 'rate_limit_error', message: 'limit', headers }, 1));
    // The reset time is told to subscriptions alone.
    const ended = await start([], { CLAUDE_CODE_OAUTH_TOKEN: 'sk-ant-oat01-none', ANTHROPIC_API_KEY: undefined }).ended;
    expect(ended.code, shown(ended)).toBe(0);
    const limits = w.events().filter(({ type }) => type === 'agent.limit');
    expect(limits.map((event) => event.resetAt)).toEqual([new Date(resetAt * 1000).toISOString()]);
    expect(w.events().filter(({ type }) => type === 'iteration.started')).toHaveLength(2);
  });

  it('529 twice and then well: retried after a pause, one iteration each', async () => {
    w = await createRealWorld(failing(overloaded, 2));
    const ended = await start([]).ended;
    expect(ended.code, shown(ended)).toBe(0);
    expect(classes()).toEqual(['overloaded', 'overloaded', 'ok', 'ok']);
    expect(w.events().filter(({ type }) => type === 'iteration.started')).toHaveLength(2);
  });

  it('500 again and again: a bounded number of tries, exit 6', async () => {
    w = await createRealWorld(failing({ status: 500, type: 'api_error', message: 'Internal server error' }));
    const ended = await start(['--max-failures', '2']).ended;
    expect(ended.code, shown(ended)).toBe(6);
    expect(classes()).toEqual(['overloaded', 'overloaded']);
  });

  it('a server that is down: a bounded number of tries, exit 6', async () => {
    w = await createRealWorld(playTwoStories);
    await w.server.close();
    const ended = await start(['--max-failures', '2']).ended;
    expect(ended.code, shown(ended)).toBe(6);
    expect(classes()).toEqual(['overloaded', 'overloaded']);
  });

  it('a tool that leaves a background process: the stories pass, the process is stopped and named', async () => {
    w = await createRealWorld((repository) => {
      const play = playTwoStories(repository);
      return (conversation) =>
        isFirst(conversation) ? [bash('setsid sleep 300 > /dev/null 2>&1 & echo started')] : play(later(conversation));
    });
    const ended = await start([]).ended;
    expect(ended.code, shown(ended)).toBe(0);
    expect(w.events().filter(({ type }) => type === 'process.killed').length).toBeGreaterThanOrEqual(2);
  });

  it.each(['SIGINT', 'SIGTERM'] as const)(
    '%s in the middle of a tool call: over within 10 s, the work is kept aside',
    async (signal) => {
      w = await createRealWorld((repository) => () => [
        bash(`mkdir -p src; echo half > src/half.txt; touch '${path.join(repository, '..', 'busy')}'; sleep 300`),
      ]);
      const run = start([]);
      await waitFor(() => existsSync(path.join(w.repository, '..', 'busy')));
      const at = Date.now();
      run.child.kill(signal);
      const ended = await run.ended;
      expect(ended.code, shown(ended)).toBe(signal === 'SIGINT' ? 130 : 143);
      expect(Date.now() - at).toBeLessThan(10_500);
      expect(existsSync(path.join(w.repository, 'src', 'half.txt'))).toBe(false);
      const ref = w.git('for-each-ref', '--format=%(refname)', 'refs/ralph');
      expect(w.git('show', `${ref}:src/half.txt`)).toBe('half');
    },
  );
});

const isFirst = ({ toolResults }: Conversation): boolean => toolResults.length === 0;

function later(conversation: Conversation): Conversation {
  return { ...conversation, toolResults: conversation.toolResults.slice(1) };
}

function bash(command: string): Part {
  return { type: 'tool_use', name: 'Bash', input: { command, description: 'A step' } };
}

async function waitFor(isSo: () => boolean, limitMs = 60_000): Promise<void> {
  const end = Date.now() + limitMs;
  while (!attempt(isSo)) {
    if (Date.now() > end) throw new Error('it did not come to that in time');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function attempt(isSo: () => boolean): boolean {
  try {
    return isSo();
  } catch {
    return false;
  }
}
