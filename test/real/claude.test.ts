import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { installClaude } from './install-claude.ts';
import { built, createRealWorld, ralph } from './real-world.ts';
import type { RealWorld } from './real-world.ts';
import { playTwoStories } from './two-stories.ts';

let w: RealWorld;

beforeEach(async () => {
  w = await createRealWorld(playTwoStories);
});

afterEach(async () => w.dispose());

describe.each(['2.1.197', '2.1.332'])('Claude Code %s', (version) => {
  let bin = '';

  beforeAll(() => {
    bin = installClaude(version);
  });

  it('is driven by the scripted model: real tools, one result', async () => {
    const args = ['-p', '--dangerously-skip-permissions', '--output-format', 'stream-json', '--verbose'];
    const { code, out, err } = await w.start('claude', args, w.environment(bin), 'Story: US-001 - Write file 1\n')
      .ended;
    expect(code, `${out}${err}`).toBe(0);
    expect(readFileSync(path.join(w.repository, 'src', 'US-001.txt'), 'utf8')).toBe('done\n');
    expect(readFileSync(path.join(w.repository, 'progress.txt'), 'utf8')).toContain('## today - US-001');
    expect(w.server.requests.map(({ toolResults }) => toolResults.length)).toEqual([0, 1, 2, 3]);
  });

  it('works off two stories under ralph, with cost, tokens, session and tools in the events', async () => {
    expect(existsSync(built), 'dist/ is built (npm run build)').toBe(true);
    const { code, out, err } = await w.start(
      process.execPath,
      [ralph, 'run', '4', '--tool', 'claude', '--no-color'],
      w.environment(bin),
    ).ended;
    expect(code, `${out}${err}`).toBe(0);

    expect(w.git('log', '--format=%s', 'ralph/real').split('\n')).toEqual([
      'feat: [US-002] - Write file 2',
      'feat: [US-001] - Write file 1',
      'base',
    ]);
    expect(w.git('show', 'ralph/real:src/US-002.txt')).toBe('done');
    expect(w.git('show', 'ralph/real:progress.txt')).toMatch(/## today - US-001\n[^]*## today - US-002\n/);
    expect(w.git('status', '--porcelain', 'src')).toBe('');
    expect(w.git('for-each-ref', 'refs/ralph')).toBe('');

    const events = w.events();
    const finished = events.filter(({ type }) => type === 'agent.finished');
    expect(finished.map((event) => event.class)).toEqual(['ok', 'ok']);
    for (const event of finished) {
      expect(event.costUsd).toBeGreaterThan(0);
      // Four answers of the model in each conversation.
      expect(event.tokens).toEqual({ input: 4000, output: 160, cacheRead: 12_000, cacheCreation: 800 });
      expect(event.session).toMatch(/^[0-9a-f-]{36}$/);
    }
    expect(new Set(finished.map(({ session }) => session)).size, 'a fresh session for each iteration').toBe(2);
    expect(events.filter(({ type }) => type === 'agent.tool').map(({ name }) => name)).toEqual([
      'Write',
      'Bash',
      'Bash',
      'Write',
      'Bash',
      'Bash',
    ]);
    expect(events.filter(({ type }) => type === 'story.passed').map(({ story }) => story)).toEqual([
      'US-001',
      'US-002',
    ]);
    expect(events.at(-1)).toMatchObject({ type: 'run.finished', code: 0 });

    for (const { text } of w.server.requests) expect(text).toContain('## This iteration');
  });
});
