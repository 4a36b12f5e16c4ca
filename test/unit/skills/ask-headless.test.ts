import { describe, expect, it } from 'vitest';
import type { OnceRequest } from '../../../src/agent/run-once.ts';
import { claude } from '../../../src/agent/claude.ts';
import type { AgentClass } from '../../../src/loop/events.ts';
import { askHeadless } from '../../../src/skills/ask-headless.ts';

/** An agent that says something in each turn, and writes the document in the turn of this number. */
async function ask(writesAt: number, ends: AgentClass = 'ok') {
  const prompts: string[] = [];
  const seen: string[] = [];
  let written = false;
  const words = { sentinel: false, sentinelLast: false, blocked: undefined };
  const { end } = await askHeadless({
    spec: claude,
    settings: { model: undefined, idleTimeout: 0, iterationTimeout: undefined },
    extraArgs: [],
    cwd: '/',
    env: {},
    run: 'r',
    onEvent: (event) => seen.push(event.type),
    facts: { idea: 'x', skill: '# Skill', talk: { kind: 'answers', answers: '1B' } },
    isWritten: async () => Promise.resolve(written),
    runOnce: async ({ prompt, onEvent }: OnceRequest) => {
      prompts.push(prompt);
      onEvent({ type: 'agent.text', text: `1. Question ${prompts.length}?` });
      written = prompts.length === writesAt;
      const rest = { exit: 0, words, obstacle: undefined, lastLine: '', costUsd: 0, tokens: undefined, denied: [] };
      return Promise.resolve({ end: { class: ends, ...rest }, signal: undefined });
    },
  });
  return { prompts, seen, end };
}

describe('askHeadless', () => {
  it('needs one turn where the document is written in it', async () => {
    const { prompts, seen } = await ask(1);
    expect(prompts).toHaveLength(1);
    expect(seen).toEqual(['agent.text']);
  });

  it('hands questions back with the answers to a second turn, and never to a third', async () => {
    const { prompts } = await ask(2);
    expect(prompts).toHaveLength(2);
    expect(prompts[1]).toContain('> 1. Question 1?');
    expect(prompts[1]).toContain('form: 1B -');
    expect((await ask(3)).prompts).toHaveLength(2);
  });

  it('does not go on with an agent that failed', async () => {
    expect((await ask(2, 'auth')).prompts).toHaveLength(1);
  });
});
