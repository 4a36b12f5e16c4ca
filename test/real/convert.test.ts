import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { installClaude } from './install-claude.ts';
import type { Script } from './model-server.ts';
import { createRealWorld, ralph } from './real-world.ts';
import type { Ended, RealWorld } from './real-world.ts';

/** Notes as somebody writes them down: no heading, no list, no story. */
const wild = `hey, about the due dates we talked about yesterday.

every task should be able to have one. in the list I'd like to see it behind the title (12 March is fine, "today" if it is
today), and nothing where there is none. not now: reminders.
`;

const story = {
  id: 'US-001',
  title: 'Show the due date behind the title',
  description: 'As a user, I want to see when a task is due.',
  acceptanceCriteria: [
    "The line of a task that is due today ends in ' - today'",
    'Tests in test/due-date.test.js cover a task with and one without a date',
    'Typecheck passes',
  ],
  checks: ['node --test test/due-date.test.js'],
  priority: 1,
  passes: false,
  notes: '',
};
const good = {
  project: 'Real',
  branchName: 'ralph/due-dates',
  description: 'Due dates. Not in scope: reminders.',
  userStories: [story],
};
const vague = {
  ...good,
  userStories: [{ ...story, acceptanceCriteria: ['Due dates work correctly', ...story.acceptanceCriteria.slice(2)] }],
};
const invalid = { ...good, userStories: [{ ...story, title: '', passes: 'no' }] };

let w: RealWorld;

afterEach(async () => {
  const left = w.alive();
  await w.dispose();
  expect(left, 'processes that outlived the command').toEqual([]);
});

/** A model that writes one answer a round with its own tool, to where its prompt says, and then says a word. */
function playRounds(answers: readonly object[]): () => Script {
  return () => {
    let round = -1;
    return ({ text, toolResults }) => {
      const target = /to no other: (.+)/.exec(text)?.[1];
      if (target === undefined || toolResults.length > 0) return [{ type: 'text', text: 'Done.' }];
      round += 1;
      const content = JSON.stringify(answers[round], undefined, 2);
      return [{ type: 'tool_use', name: 'Write', input: { file_path: target, content } }];
    };
  };
}

describe.each(['2.1.197', '2.1.332'])('ralph convert --with-agent and Claude Code %s', (version) => {
  let bin = '';

  beforeAll(() => {
    bin = installClaude(version);
  });

  const temp = (): string => path.join(w.repository, '..', 'temp');
  const read = (...file: string[]): string => readFileSync(path.join(w.repository, ...file), 'utf8');

  async function start(...args: string[]): Promise<Ended> {
    mkdirSync(temp(), { recursive: true });
    writeFileSync(path.join(w.repository, 'wild.md'), wild);
    const env = { ...w.environment(bin), TMPDIR: temp() };
    return w.start(process.execPath, [ralph, ...args, '--no-color'], env).ended;
  }

  /** The prompts of the rounds, as the model saw them. */
  const prompts = (): string[] =>
    w.server.requests
      .filter(({ text, toolResults }) => text.includes('to no other: ') && toolResults.length === 0)
      .map(({ text }) => text);

  it('hands what the linter found back to a fresh one, and writes what passes', async () => {
    w = await createRealWorld(playRounds([vague, good]));
    const old = read('prd.json');
    const { code, out, err } = await start('convert', 'wild.md', '--with-agent', '--tool', 'claude');
    expect(code, `${out}${err}`).toBe(0);

    const [first = '', second = '', ...more] = prompts();
    expect(more).toEqual([]);
    expect(first).toContain('every task should be able to have one');
    expect(first).not.toContain('# What was wrong');
    expect(second).toContain('every task should be able to have one');
    expect(second).toMatch(
      /- userStories\[0\]\.acceptanceCriteria\[0\]: says "work correctly".*\[vague-criterion\]\. \S/,
    );
    expect(second).toContain('"Due dates work correctly"');
    expect(err).toMatch(/Round 2: [12] (?:problem goes|problems go) back to claude\./);

    expect(JSON.parse(read('prd.json'))).toEqual(good);
    const check = await start('check', '--strict');
    expect(check.code, `${check.out}${check.err}`).toBe(0);
    // The PRD that was there is of another feature.
    const [name = ''] = readdirSync(path.join(w.repository, 'archive'));
    expect(read('archive', name, 'prd.json')).toBe(old);
    expect(out).toMatch(/^Wrote prd\.json: 1 story on ralph\/due-dates, from wild\.md \(converted by the agent\)/);
    expect(readdirSync(temp()).filter((entry) => entry.startsWith('ralph-'))).toEqual([]);
  });

  it('after three rounds without a valid one nothing is overwritten, and what was made is kept and named', async () => {
    w = await createRealWorld(playRounds([invalid, invalid, invalid, good]));
    const old = read('prd.json');
    const { code, out, err } = await start('convert', 'wild.md', '--with-agent', '--tool', 'claude');
    expect(code, `${out}${err}`).toBe(2);

    const [, second = '', third = '', ...more] = prompts();
    expect(more).toEqual([]);
    for (const prompt of [second, third]) {
      expect(prompt).toMatch(/- userStories\[0\]\.title: .*\[schema\]/);
      expect(prompt).toMatch(/- userStories\[0\]\.passes: .*\[schema\]/);
    }
    expect(out).toBe('');
    expect(err).toMatch(/claude made no valid prd\.json in three rounds\n.*userStories\[0\]\.title: /);
    const kept = /mend what it made last: (\S+),/.exec(err)?.[1] ?? '';
    expect(kept.startsWith(temp()), err).toBe(true);
    expect(JSON.parse(readFileSync(kept, 'utf8'))).toEqual(invalid);
    expect(read('prd.json')).toBe(old);
    expect(w.git('status', '--porcelain', '-uall')).toBe('?? wild.md');
    expect(existsSync(path.join(w.repository, '.git', 'ralph', 'lock'))).toBe(false);
  });

  it('what is valid after three rounds is written, and what the linter still says is counted', async () => {
    w = await createRealWorld(playRounds([vague, vague, vague, good]));
    const { code, out, err } = await start('convert', 'wild.md', '--with-agent', '--tool', 'claude');
    expect(code, `${out}${err}`).toBe(0);
    expect(prompts()).toHaveLength(3);
    expect(JSON.parse(read('prd.json'))).toEqual(vague);
    expect(out).toMatch(/\n\d remarks? on it: ralph check\n/);
    expect((await start('check', '--strict')).code).toBe(2);
  });
});
